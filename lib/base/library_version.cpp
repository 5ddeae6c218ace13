#include "base/library_version.hpp"

#include <cstddef>
#include <string_view>

namespace kiln {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether a library names a namespace so for its version: "__4", "THRUST_200400_520_NS", "CUB_300001_SM_900",
/// "_V_300500_SM_900", and the "__v1" of cooperative groups.
bool is_version(std::string_view name, std::string_view before) {
  if (name == "__v1") return before.ends_with("cooperative_groups");
  if (name.starts_with("__")) return is_digits(name.substr(2));
  for (const std::string_view library : {"_V_", "THRUST_", "CUB_"})
    if (name.starts_with(library)) return is_digits(name.substr(library.size(), 1));
  return false;
}

}  // namespace

std::string without_library_versions(std::string text) {
  constexpr std::string_view colons = "::";
  for (std::size_t at = text.find(colons); at != std::string::npos;) {
    const std::size_t begin = at + colons.size();
    const std::size_t end = text.find(colons, begin);
    const std::string_view all = text;
    if (end != std::string::npos && is_version(all.substr(begin, end - begin), all.substr(0, at)))
      text.erase(begin, end + colons.size() - begin);
    else
      at = end;
  }
  return text;
}

}  // namespace kiln
