// The characters of names in C++ and in what is written like it, independent of the locale.
#pragma once

namespace kiln {

constexpr bool begins_identifier(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_of_identifier(char c) { return begins_identifier(c) || (c >= '0' && c <= '9'); }

}  // namespace kiln
