// Requests that the caches must serve, because nothing may be compiled.
#pragma once

#include <kiln/cache_options.hpp>

#include <string>
#include <vector>

namespace kiln {

/// What is said of a request that the caches do not have.
struct WantedCode {
  std::string name;   // of the source, or of the linked code
  std::string arch;   // "sm_90"; empty where the compiler would decide
  std::string maker;  // who would make it: "NVRTC", "nvJitLink"
  std::vector<std::string> instances = {};
  std::vector<std::string> reasons = {};  // why it is not there
};

/// Whether CacheOptions::require_hit or KILN_REQUIRE_CACHED forbids to compile and to link.
bool requires_hit(const CacheOptions& caching);

/// Throws NotCached; the folders are those where it was looked for.
[[noreturn]] void throw_not_cached(const WantedCode& wanted, const std::vector<std::string>& folders);

}  // namespace kiln
