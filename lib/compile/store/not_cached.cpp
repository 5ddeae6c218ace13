#include "compile/store/not_cached.hpp"

#include "cache/location.hpp"

#include <kiln/error.hpp>

namespace kiln {

namespace {

std::string listed(const std::vector<std::string>& items, const char* separator) {
  std::string text;
  for (const std::string& item : items) text.append(text.empty() ? "" : separator).append(item);
  return text;
}

}  // namespace

bool requires_hit(const CacheOptions& caching) { return caching.require_hit || cache_required(); }

void throw_not_cached(const WantedCode& wanted, const std::vector<std::string>& folders) {
  std::string message = "\"" + wanted.name + "\"";
  if (!wanted.instances.empty()) message += " with " + listed(wanted.instances, ", ");
  if (!wanted.arch.empty()) message += " for " + wanted.arch;
  message += " is not in the cache, and " +
             std::string(cache_required() ? "KILN_REQUIRE_CACHED" : "CacheOptions::require_hit") + " forbids " +
             wanted.maker + " to make it";
  message +=
      ": " + (wanted.reasons.empty() ? "no earlier compile of that name is known" : listed(wanted.reasons, "; "));
  message += ". It was looked for in " + (folders.empty() ? "no folder, as there is none" : listed(folders, ", ")) +
             ". To fill the cache, run the program once where it may compile, with this cache folder; or list what it "
             "asks for by KILN_RECORD=FILE, and compile that by `kiln cache warm FILE" +
             (wanted.arch.empty() ? "" : " --arch " + wanted.arch) + "`";
  throw NotCached(message, wanted.name, wanted.arch, wanted.reasons);
}

}  // namespace kiln
