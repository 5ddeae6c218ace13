#include "cache/remote/percent_text.hpp"

#include "base/digest.hpp"

#include <charconv>
#include <cstddef>

namespace kiln {

namespace {

bool is_plain(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '.' || character == '-' || character == '_';
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char character : text) {
    if (is_plain(character)) {
      encoded += character;
    } else {
      encoded += '%' + hex_text({&character, 1});
    }
  }
  return encoded;
}

}  // namespace kiln
