#include "base/bounded_text.hpp"
#include "base/escaped_text.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"
#include "compile/compiler/compile_message.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

namespace kiln {

namespace {

struct Line {
  std::string_view text;
  std::size_t file;  // of the names that were met
  int number;
};

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::size_t longest_shown = 160;

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// A name as it is behind #line, its quote still before it.
std::string line_name_of(std::string_view quoted) {
  std::size_t end = 1;
  while (end < quoted.size() && quoted[end] != '"') end += quoted[end] == '\\' ? 2 : 1;
  return unescaped(quoted.substr(1, std::min(end, quoted.size()) - 1));
}

/// A text's lines by the file and number that a compiler has for them.
class Lines {
 public:
  Lines(std::string_view text, const std::string& name) : names_{name} {
    while (!text.empty()) {
      const std::string_view row = next_line(text);
      if (read_directive(row)) continue;
      if (is_shown_) lines_.push_back({row, file_, number_});
      ++number_;
    }
  }

  /// The index of the line, or the number of lines.
  std::size_t find(const Diagnostic& error) const {
    const std::size_t open = std::min(error.text.find('"'), error.text.size());
    const std::size_t close = std::min(error.text.find('"', open + 1), error.text.size());
    const std::string_view quoted = std::string_view(error.text).substr(open, close - open);
    std::size_t found = lines_.size();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].number != error.line || names_[lines_[i].file] != error.file) continue;
      if (quoted.size() > 1 && lines_[i].text.find(quoted.substr(1)) != std::string_view::npos) return i;
      if (found == lines_.size()) found = i;
    }
    return found;
  }

  std::string around(std::size_t middle, const std::vector<std::size_t>& places) const {
    std::size_t begin = middle, end = middle + 1;
    while (begin > 0 && middle - begin < 3 && follows(begin - 1)) --begin;
    while (end < lines_.size() && end - middle <= 3 && follows(end - 1)) ++end;
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string digits = std::to_string(lines_[i].number);
      for (const std::size_t place : i == middle ? places : std::vector<std::size_t>{0}) {
        text += i == middle ? "> " : "  ";
        text += std::string(std::max<std::size_t>(5, digits.size()) - digits.size(), ' ') + digits + " | ";
        text += excerpt(lines_[i].text, place, longest_shown).text + "\n";
      }
    }
    return text;
  }

  /// Where in the line the error may be, as compilers mark it, or else a word that it quotes.
  std::vector<std::size_t> places(std::size_t index, const Diagnostic& error) const {
    const std::string_view line = lines_[index].text;
    if (error.column == 0) {
      for (const std::string_view word : quoted_words(error.text))
        if (const std::size_t at = line.find(word); at != std::string_view::npos) return {at};
      return {0};
    }
    std::vector<std::size_t> found{static_cast<std::size_t>(error.column - 1)};
    for (const int column : error.more_columns) found.push_back(static_cast<std::size_t>(column - 1));
    // nvcc shows lines after the preprocessor: __attribute__((global)) for __global__.
    const bool is_there = found.front() <= line.size() && line.substr(found.front()).starts_with(error.marked);
    const std::size_t other = is_there || error.marked.empty() ? std::string_view::npos : line.find(error.marked);
    if (other != std::string_view::npos) return {other};
    std::erase_if(found, [&](std::size_t place) { return place > line.size() && place != found.front(); });
    return found;
  }

  std::string_view text(std::size_t index) const { return lines_[index].text; }
  std::size_t size() const { return lines_.size(); }

 private:
  /// `#line 3 "name"` or `# 3 "name"`; the name may be left out.
  bool read_directive(std::string_view row) {
    row = without_blanks(row);
    if (!row.starts_with("#")) return false;
    row = without_blanks(row.substr(1));
    if (row.starts_with("line")) row = without_blanks(row.substr(4));
    int number = 0;
    const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), number);
    if (error != std::errc()) return false;
    number_ = number;
    is_shown_ = !row.ends_with(not_shown_mark);
    row = without_blanks(row.substr(static_cast<std::size_t>(end - row.data())));
    if (row.starts_with("\"")) {
      const std::string name = line_name_of(row);
      file_ = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
      if (file_ == names_.size()) names_.push_back(name);
    }
    return true;
  }

  /// Whether the line behind this one is of the same part, and near it there.
  bool follows(std::size_t i) const {
    return lines_[i].file == lines_[i + 1].file && std::abs(lines_[i + 1].number - lines_[i].number) <= 3;
  }

  std::vector<std::string> names_;
  std::vector<Line> lines_;
  std::size_t file_ = 0;
  bool is_shown_ = true;
  int number_ = 1;
};

}  // namespace

NumberedLines numbered_lines(std::string_view source, const std::string& name, const Diagnostic& error) {
  const Lines lines(source, name);
  const std::size_t found = lines.find(error);
  if (found == lines.size()) return {};
  const std::vector<std::size_t> places = lines.places(found, error);
  return {lines.around(found, places), lines.text(found), places.front(), source};
}

}  // namespace kiln
