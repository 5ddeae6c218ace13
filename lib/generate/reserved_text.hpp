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

constexpr std::size_t most_reserved(std::string_view text) {
  std::size_t most = text.size() + 1;
  for (const char c : text)
    if (c == '$') most += reserved_prefix.size() - 1;
  return most;
}

/// What a compiler needs: without comments and indentation, as what is compiled is also hashed and read at each start.
template <std::size_t most>
struct ReservedText {
  std::array<char, most> characters{};
  std::size_t size = 0;

  /// Few steps for each character, as clang++ counts them.
  constexpr explicit ReservedText(std::string_view text) {
    characters[size++] = '\n';
    bool begins_line = true;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '/' && text[at + 1] == '/')
        while (text[at] != '\n') ++at;
      const char c = text[at];
      if (begins_line && (c == ' ' || c == '\n')) continue;
      begins_line = c == '\n';
      if (c != '$')
        characters[size++] = c;
      else
        for (const char each : reserved_prefix) characters[size++] = each;
    }
  }
};

/// `Text` is a function without captures.
template <class Text>
inline constexpr ReservedText<most_reserved(Text{}())> reserved_characters{Text{}()};

}  // namespace detail

/// The text that `text` returns, in which `$name` stands for a reserved name, without its comments. Computed when Kiln
/// is compiled.
template <class Text>
std::string_view reserved_text(Text) {
  const auto& made = detail::reserved_characters<Text>;
  return {made.characters.data(), made.size};
}

}  // namespace kiln
