#include "emulator/profile/json_texts.hpp"

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/json_object.hpp"

#include <algorithm>
#include <charconv>

namespace kiln::emulator {
namespace {

// Of the character that begins there: its bytes, as many as are right; 0 for none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  return length <= text.size() ? length : 0;
}

}  // namespace

std::string valid_json_text(std::string_view text) {
  std::string json = json_text(text);
  if (json.starts_with('"')) return json;
  std::string valid;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_valid = length != 0 && json_text(character).starts_with('"');
    valid += is_valid ? character : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(is_valid ? length : 1);
  }
  return json_text(valid);
}

std::string hex_text(std::uint64_t number) {
  char digits[16];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number, 16);
  return "0x" + std::string(std::begin(digits), end);
}

std::optional<std::string> file_text(const std::string& path, std::size_t most) {
  ReadOptions options;
  options.max_size = most;
  FileStatus status;
  std::string text;
  if (read_file(FileSystem::real(), path, text, status, options) != 0) return std::nullopt;
  return text;
}

}  // namespace kiln::emulator
