#include "cache/location.hpp"

#include "base/environment.hpp"

#include <cstdlib>
#include <system_error>

namespace kiln {

namespace {

// Plain text where the path is absolute: std::filesystem's first use in a process costs as much as reading an entry.
std::optional<std::string> made_absolute(const std::string& path) {
  if (path.front() == '/') return path;
  std::error_code failed;
  const std::filesystem::path result = std::filesystem::absolute(path, failed);
  if (failed) return std::nullopt;  // the working folder is gone
  return result.string();
}

/// A folder below one that the variable names, which must be absolute.
std::optional<std::string> below(const char* variable, const char* name) {
  std::optional<std::string> base = environment(variable);
  if (!base || base->front() != '/') return std::nullopt;
  return *base + "/" + name;
}

}  // namespace

std::optional<std::string> cache_location(const std::filesystem::path& given) {
  if (!given.empty()) return made_absolute(given.native());
  if (const auto named = environment("KILN_CACHE_DIR", "PYCUDA_CACHE_DIR")) return made_absolute(*named);
  if (auto standard = below("XDG_CACHE_HOME", "kiln")) return standard;
  return below("HOME", ".cache/kiln");
}

// Also an empty value counts, as in PyCUDA.
bool cache_disabled() {
  return std::getenv("KILN_DISABLE_CACHE") != nullptr || std::getenv("PYCUDA_DISABLE_CACHE") != nullptr;
}

}  // namespace kiln
