// Numbers in the environment's texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace kiln::emulator {

/// The number that is the whole text; nothing where it is none, or not one of T. Not strtod and its like: in a locale
/// with a decimal comma they do not read "0.5".
template <class T>
std::optional<T> read_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace kiln::emulator
