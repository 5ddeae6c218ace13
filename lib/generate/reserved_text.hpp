// The names of generated code, which no name and no macro of a program can meet.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// What all names of generated code have in them, but for those that a program's texts are promised.
inline constexpr std::string_view reserved_prefix = "__kiln_";
/// Of a kernel's other forms, behind its name.
inline constexpr const char* plain_suffix = "__kiln_plain";
inline constexpr const char* range_suffix = "__kiln_range";
inline constexpr const char* strided_suffix = "__kiln_strided";
inline constexpr const char* sizes_suffix = "__kiln_sizes";

/// Throws ArgumentError, with `part` before the message, where a text of the program has such a name.
void refuse_reserved(std::string_view text, const std::string& part);
/// Throws ArgumentError for a text that cannot stand in generated code: that, and what check_balance refuses.
void check_text(std::string_view text, const std::string& part);

namespace detail {

constexpr std::size_t reserved_size(std::string_view text) {
  std::size_t size = 0;
  for (const char c : text) size += c == '$' ? reserved_prefix.size() : 1;
  return size;
}

/// `Text` is a function without captures.
template <class Text>
inline constexpr auto reserved_characters = [] {
  constexpr std::string_view text = Text{}();
  std::array<char, reserved_size(text)> made{};
  std::size_t at = 0;
  const auto add = [&](std::string_view part) {
    for (const char c : part) made[at++] = c;
  };
  for (const char c : text) c == '$' ? add(reserved_prefix) : add(std::string_view(&c, 1));
  return made;
}();

}  // namespace detail

/// The text that `text` returns, in which `$name` stands for a reserved name; made when Kiln is compiled.
template <class Text>
std::string_view reserved_text(Text) {
  const auto& made = detail::reserved_characters<Text>;
  return {made.data(), made.size()};
}

}  // namespace kiln
