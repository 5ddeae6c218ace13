// A text that is made from a template's pieces and values, and keeps the template's line numbers.
#pragma once

#include "template/line_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

class LinedText {
 public:
  /// `marks_lines`: whether a value may have several lines. Without, nothing is counted.
  LinedText(std::size_t expected_size, bool marks_lines) : marks_lines_(marks_lines) { out_.reserve(expected_size); }

  /// A piece of the template, unchanged.
  void copy(std::string_view piece) {
    while (marks_lines_) {
      const std::size_t size = piece.find('\n') + 1;  // npos + 1 is 0
      if (size == 0) break;
      out_ += piece.substr(0, size);
      piece.remove_prefix(size);
      marks_.push_back({out_.size(), ++line_});
    }
    out_ += piece;
  }

  /// A value in the place of `piece`, which is what the template has there.
  void replace(std::string_view piece, std::string_view value) {
    if (marks_lines_) {
      lines_move_ = lines_move_ || value.find_first_of("\n\r") != std::string_view::npos;
      const auto lines = static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
      lines_move_ = lines_move_ || lines > 0;
      line_ += lines;
    }
    out_ += value;
  }

  std::size_t size() const { return out_.size(); }

  /// To be called once.
  std::string finish() { return lines_move_ ? with_line_numbers(out_, marks_) : std::move(out_); }

 private:
  std::string out_;
  bool marks_lines_;
  bool lines_move_ = false;
  std::size_t line_ = 1;
  std::vector<LineMark> marks_;
};

}  // namespace kiln
