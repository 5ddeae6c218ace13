#include "base/bounded_text.hpp"

#include "base/text_parts.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::string_view left_out = "...";

std::string more_bytes(std::size_t count, std::string_view whole = {}) {
  std::string text = std::string(left_out) + " (" + std::to_string(count) + " more byte" + (count == 1 ? "" : "s");
  if (!whole.empty()) text.append(": ").append(whole);
  return text + ")";
}

}  // namespace

std::size_t character_border(std::string_view text, std::size_t at) {
  constexpr std::size_t longest_character = 4;
  if (at >= text.size()) return text.size();
  const auto is_inside = [&](std::size_t place) { return (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80; };
  std::size_t border = at;
  while (border > 0 && at - border < longest_character && is_inside(border)) --border;
  return is_inside(border) ? at : border;  // bytes that are no UTF-8 have no borders
}

std::string bounded(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t end = character_border(text, most);
  return std::string(text.substr(0, end)) + more_bytes(text.size() - end);
}

std::string bounded_lines(std::string_view text, std::size_t longest_line, std::size_t most, std::string_view whole) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t left = text.size();
    const bool is_ended = text.find('\n') != std::string_view::npos;
    const std::string line = bounded(next_line(text), longest_line);
    if (lines.size() + line.size() > most) return lines + more_bytes(left, whole);
    lines += line;
    if (is_ended) lines += '\n';
  }
  return lines;
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
