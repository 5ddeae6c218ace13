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
  if (failed) return std::nullopt;  // the working folder was removed
  return result.string();
}

/// A folder below the one that the variable names, which must be absolute.
std::optional<std::string> below(const char* variable, const char* name) {
  std::optional<std::string> base = environment(variable);
  if (!base || base->front() != '/') return std::nullopt;
  return *base + "/" + name;
}

struct DefaultSize {
  std::uint64_t bytes;
  const char* text;
};

/// `text` is the variable's.
std::uint64_t size_of(const char* variable, const std::optional<std::string>& text, const DefaultSize& otherwise,
                      std::atomic<bool>& warned) {
  if (!text) return otherwise.bytes;
  if (const std::optional<std::uint64_t> size = parse_size(*text)) return *size;
  if (!warned.exchange(true))
    log_message(LogLevel::warn, std::string(variable) + "=\"" + *text +
                                    "\" is no size such as 500M, 2G or 0 (no limit): " + otherwise.text +
                                    " is used instead");
  return otherwise.bytes;
}

}  // namespace

std::optional<std::string> cache_location(const std::filesystem::path& given) {
  if (privileged_process()) return std::nullopt;
  if (!given.empty()) return made_absolute(given.native());
  if (const auto named = environment("KILN_CACHE_DIR", "PYCUDA_CACHE_DIR")) return made_absolute(*named);
  if (auto standard = below("XDG_CACHE_HOME", "kiln")) return standard;
  return below("HOME", ".cache/kiln");
}

// Also an empty value counts, as in PyCUDA.
bool cache_disabled() {
  const auto [own, pycuda] = environment_values<2>({"KILN_DISABLE_CACHE", "PYCUDA_DISABLE_CACHE"});
  return own != nullptr || pycuda != nullptr;
}

bool cache_required() {
  const auto value = environment("KILN_REQUIRE_CACHED");
  if (!value || *value == "0" || *value == "no" || *value == "off" || *value == "false") return false;
  static std::atomic<bool> warned{false};
  const bool is_known = *value == "1" || *value == "yes" || *value == "on" || *value == "true";
  if (!is_known && !warned.exchange(true))
    log_message(LogLevel::warn, "KILN_REQUIRE_CACHED=\"" + *value + "\" counts as 1: write 1 or 0");
  return true;
}

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
  static std::atomic<bool> warned{false};
  return size_of("KILN_CACHE_MAX_SIZE", environment("KILN_CACHE_MAX_SIZE"), {std::uint64_t{1} << 30, "1G"}, warned);
}

std::uint64_t cache_memory_limit() {
  static std::atomic<bool> warned{false};
  return size_of("KILN_CACHE_MAX_MEMORY", environment("KILN_CACHE_MAX_MEMORY"), {std::uint64_t{256} << 20, "256M"},
                 warned);
}

std::uint64_t pch_size_limit() {
  static std::atomic<bool> warned{false};
  return size_of("KILN_PCH_MAX_SIZE", environment("KILN_PCH_MAX_SIZE"), {std::uint64_t{2} << 30, "2G"}, warned);
}

}  // namespace kiln
