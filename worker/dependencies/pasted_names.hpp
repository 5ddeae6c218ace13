// Predefined names, such as __TIME__, that texts may build from parts by `##`.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace kiln {

/// Of all texts of a compile together, as one may have the macro that pastes, and another what it pastes. A name counts
/// where two or three identifiers make it.
class PastedNames {
 public:
  void read(std::string_view text);

  /// __TIME__ and the like.
  bool tell_time() const;
  /// __FILE__ and the like.
  bool use_own_path() const;
  /// __has_include and the like.
  bool ask_for_headers() const;

 private:
  bool may_make(std::string_view name) const;

  std::set<std::string, std::less<>> parts_;
};

}  // namespace kiln
