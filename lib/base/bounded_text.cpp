#include "base/bounded_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::string_view left_out = "...";

}  // namespace

std::string left_out_text(std::size_t bytes, std::string_view whole) {
  std::string text = std::string(left_out) + " (" + std::to_string(bytes) + " more byte" + (bytes == 1 ? "" : "s");
  if (!whole.empty()) text.append(": ").append(whole);
  return text + ")";
}

std::string bounded(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t end = character_border(text, most);
  return std::string(text.substr(0, end)) + left_out_text(text.size() - end);
}

Excerpt excerpt(std::string_view line, std::size_t middle, std::size_t width) {
  middle = std::min(middle, line.size());
  if (line.size() <= width) return {std::string(line), middle};
  const std::size_t wanted = std::min(middle - std::min(middle, width / 2), line.size() - width);
  const std::size_t begin = character_border(line, wanted);
  const std::size_t end = character_border(line, wanted + width);
  const std::string before(begin > 0 ? left_out : "");
  const std::string_view behind = end < line.size() ? left_out : "";
  return {before + std::string(line.substr(begin, end - begin)) + std::string(behind), before.size() + middle - begin};
}

}  // namespace kiln
