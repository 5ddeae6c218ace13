#include "base/base64.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kiln {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_text(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t value = 0;
    for (std::size_t j = 0; j < 3; ++j)
      value = value << 8U | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? base64_digits[value >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> base64_bytes(std::string_view text) {
  std::string bytes;
  std::uint32_t value = 0;
  unsigned bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value << 6U | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(value >> bits & 0xffU);
  }
  return bytes;
}

}  // namespace kiln
