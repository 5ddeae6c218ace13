// kiln cache push, kiln cache pull: entries to remote caches and from them.
#include "commands.hpp"

#include <kiln/cache.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace kiln::tool {

namespace {

/// Shown where there are some.
std::string also(const char* what, std::uint64_t count) {
  return count == 0 ? "" : std::string(", ") + what + " " + std::to_string(count);
}

int show(const std::vector<CacheTransfer>& all, const char* moved) {
  bool are_good = true;
  for (const CacheTransfer& one : all) {
    std::string text = one.left_out;
    if (text.empty())
      text = std::string(moved) + " " + std::to_string(one.moved) + ", already there " +
             std::to_string(one.already_there) + ", too large " + std::to_string(one.too_large) +
             also("refused", one.refused) + also("damaged", one.damaged) + also("without a manifest", one.unfindable);
    std::printf("%s: %s\n", one.address.c_str(), text.c_str());
    are_good = are_good && one.refused == 0 && one.damaged == 0;
  }
  return are_good ? success : failed;
}

}  // namespace

int cache_push_command(const TransferOptions& options) { return show(Cache().push(options), "pushed"); }

int cache_pull_command(const TransferOptions& options) { return show(Cache().pull(options), "pulled"); }

}  // namespace kiln::tool
