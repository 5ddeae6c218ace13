#include "commands.hpp"

#include <kiln/cache.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace kiln::tool {

namespace {

using Field = std::pair<const char*, std::uint64_t>;

std::array<Field, 11> fields(const CacheStats& stats) {
  return {{{"hits", stats.hits},
           {"misses", stats.misses},
           {"compiles", stats.compiles},
           {"stores", stats.stores},
           {"store_failures", stats.store_failures},
           {"corrupt", stats.corrupt},
           {"waits", stats.waits},
           {"evictions", stats.evictions},
           {"refused", stats.refused},
           {"entries", stats.entries},
           {"bytes", stats.bytes}}};
}

}  // namespace

int cache_path_command() {
  std::printf("%s\n", Cache().directory().c_str());
  return success;
}

int cache_stats_command(bool json) {
  std::string text;
  for (const auto& [name, value] : fields(Cache().stats())) {
    if (json) {
      text += (text.empty() ? "{\"" : ", \"") + std::string(name) + "\": " + std::to_string(value);
    } else {
      text += std::string(name) + std::string(16 - std::string(name).size(), ' ') + std::to_string(value) + "\n";
    }
  }
  std::fputs((json ? text + "}\n" : text).c_str(), stdout);
  return success;
}

int cache_clear_command() {
  const Cache cache;
  const std::string removed = std::to_string(cache.clear());
  std::printf("removed %s entries from %s\n", removed.c_str(), cache.directory().c_str());
  return success;
}

}  // namespace kiln::tool
