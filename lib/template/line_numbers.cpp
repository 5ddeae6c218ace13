#include "template/line_numbers.hpp"

#include "base/source_token.hpp"

#include <algorithm>

namespace kiln {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// The word of a preprocessor's directive on this line; empty where it has none.
std::string_view directive_of(std::string_view row) {
  const std::size_t hash = std::min(row.find_first_not_of(blanks), row.size());
  if (row.substr(hash, 1) != "#") return {};
  const std::size_t begin = std::min(row.find_first_not_of(blanks, hash + 1), row.size());
  const std::size_t end = std::min(row.find_first_not_of("abcdefghijklmnopqrstuvwxyz", begin), row.size());
  return row.substr(begin, end - begin);
}

/// Not before the parenthesis of a macro's call, whose name would stand alone.
bool can_have_number(std::string_view row) {
  const std::size_t first = row.find_first_not_of(blanks);
  return first != std::string_view::npos && row[first] != '\n' && row[first] != '(';
}

class LineNumbers {
 public:
  LineNumbers(std::string_view text, const std::vector<LineMark>& marks) : text_(text), marks_(marks) {}

  std::string run() {
    out_.reserve(text_.size() + text_.size() / 8);
    while (at_ < text_.size()) row();
    return std::move(out_);
  }

 private:
  void row() {
    while (next_mark_ < marks_.size() && marks_[next_mark_].offset <= at_) wanted_ = marks_[next_mark_++].line;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    const std::string_view row = text_.substr(at_, end - at_);
    std::string_view directive;
    if (is_line_begin_) {
      directive = directive_of(row);
      if (counted_ != wanted_ && can_have_number(row)) give_number();
    }
    out_ += row;
    if (counted_ != unknown) ++counted_;
    read_directive(directive);
    read_tokens(end);
    at_ = end;
  }

  void give_number() {
    out_ += "#line " + std::to_string(wanted_) + "\n";
    counted_ = wanted_;
    if (!groups_.empty()) groups_.back() = true;
  }

  void read_directive(std::string_view directive) {
    if (directive.starts_with("if")) {
      groups_.push_back(false);
    } else if (!groups_.empty() && (directive.starts_with("el") || directive == "endif")) {
      const bool has_numbers = groups_.back();
      if (has_numbers) counted_ = unknown;
      if (directive != "endif") return;
      groups_.pop_back();
      if (has_numbers && !groups_.empty()) groups_.back() = true;
    }
  }

  void read_tokens(std::size_t end) {
    if (token_ >= end) return;  // one that goes on in the next line
    SourceTokenKind last = SourceTokenKind::newline;
    while (token_ < end) {
      const SourceToken token = source_token(text_, token_);
      token_ += token.size;
      last = token.kind;
    }
    is_line_begin_ = token_ == end && last == SourceTokenKind::newline;
  }

  static constexpr std::size_t unknown = 0;

  std::string_view text_;
  const std::vector<LineMark>& marks_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t token_ = 0;  // where the next one begins
  std::size_t next_mark_ = 0;
  std::size_t wanted_ = 1;
  std::size_t counted_ = 1;    // by the compiler, for the line at at_; unknown after an #if group that may be left out
  bool is_line_begin_ = true;  // and not within a token, or after a splice
  std::vector<bool> groups_;   // the #if groups that are open: whether a number was given within
};

}  // namespace

std::string with_line_numbers(std::string_view text, const std::vector<LineMark>& marks) {
  return LineNumbers(text, marks).run();
}

}  // namespace kiln
