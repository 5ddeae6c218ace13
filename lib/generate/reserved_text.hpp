// The names of generated code, which cannot clash with names and macros of a program.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// All names of generated code contain this, except those that a program's texts may use.
inline constexpr std::string_view reserved_prefix = "__kiln_";
/// Suffixes of a kernel's name, for its other forms.
inline constexpr const char* plain_suffix = "__kiln_plain";
inline constexpr const char* range_suffix = "__kiln_range";
inline constexpr const char* strided_suffix = "__kiln_strided";
inline constexpr const char* sizes_suffix = "__kiln_sizes";

/// Throws ArgumentError, with `part` before the message, if a text of the program has such a name.
void refuse_reserved(std::string_view text, const std::string& part);
/// Throws ArgumentError for a text that cannot be used in generated code: one with such a name, or one that
/// check_balance refuses.
void check_text(std::string_view text, const std::string& part);

namespace detail {

/// Calls `add` with each piece that a compiler needs. Comments and indentation are left out, because the text is also
/// hashed and read at each start.
template <class Add>
constexpr void reserve_names(std::string_view text, Add add) {
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "//") at = text.find('\n', at);
    if (begins_line && (text[at] == ' ' || text[at] == '\n')) continue;
    begins_line = text[at] == '\n';
    add(text[at] == '$' ? reserved_prefix : text.substr(at, 1));
  }
}

/// `Text` is a function without captures.
template <class Text>
inline constexpr auto reserved_characters = [] {
  constexpr std::size_t size = [] {
    std::size_t count = 1;
    reserve_names(Text{}(), [&](std::string_view piece) { count += piece.size(); });
    return count;
  }();
  std::array<char, size> made{'\n'};
  std::size_t at = 1;
  reserve_names(Text{}(), [&](std::string_view piece) {
    for (const char c : piece) made[at++] = c;
  });
  return made;
}();

}  // namespace detail

/// The text that `text` returns, in which `$name` stands for a reserved name, without its comments. Computed when Kiln
/// is compiled.
template <class Text>
std::string_view reserved_text(Text) {
  const auto& made = detail::reserved_characters<Text>;
  return {made.data(), made.size()};
}

}  // namespace kiln
