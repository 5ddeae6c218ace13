#include "cache/location.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/text_parts.hpp"
#include "cache/size_text.hpp"

#include <algorithm>
#include <atomic>
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

/// A folder below the one that the variable names, which must be absolute.
std::optional<std::string> below(const char* variable, const char* name) {
  std::optional<std::string> base = environment(variable);
  if (!base || base->front() != '/') return std::nullopt;
  return *base + "/" + name;
}

constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

}  // namespace

std::optional<std::string> cache_location(const std::filesystem::path& given) {
  if (privileged_process()) return std::nullopt;
  if (!given.empty()) return made_absolute(given.native());
  if (const auto named = environment("KILN_CACHE_DIR", "PYCUDA_CACHE_DIR")) return made_absolute(*named);
  if (auto standard = below("XDG_CACHE_HOME", "kiln")) return standard;
  return below("HOME", ".cache/kiln");
}

// Also an empty value counts, as in PyCUDA.
bool cache_disabled() { return environment_has("KILN_DISABLE_CACHE") || environment_has("PYCUDA_DISABLE_CACHE"); }

std::vector<std::string> read_only_dirs() {
  std::vector<std::string> dirs = split(environment("KILN_CACHE_READ_ONLY_DIRS").value_or(""), ':');
  const auto relative = [](const std::string& dir) { return dir.front() != '/'; };
  const auto first = std::find_if(dirs.begin(), dirs.end(), relative);
  static std::atomic<bool> warned{false};
  if (first != dirs.end() && !warned.exchange(true))
    log_message(LogLevel::warn,
                "KILN_CACHE_READ_ONLY_DIRS: \"" + *first + "\" is left out: give the folder from the root on");
  std::erase_if(dirs, relative);
  return dirs;
}

std::vector<std::string> trusted_owners() { return split(environment("KILN_CACHE_TRUSTED_OWNERS").value_or(""), ','); }

std::uint64_t cache_size_limit() {
  const std::optional<std::string> text = environment("KILN_CACHE_MAX_SIZE");
  if (!text) return default_limit;
  if (const std::optional<std::uint64_t> size = parse_size(*text)) return *size;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log_message(LogLevel::warn, "KILN_CACHE_MAX_SIZE=\"" + *text +
                                    "\" is no size such as 500M, 2G or 0 (no limit): 1G is used instead");
  return default_limit;
}

}  // namespace kiln
