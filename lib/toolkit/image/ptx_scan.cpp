#include "toolkit/image/ptx_scan.hpp"

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln {
namespace {

bool is_of_ptx_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

// Directives that stand alone on their line, without a semicolon.
bool ends_with_line(const PtxStatement& statement) {
  const std::string_view first = statement.empty() ? std::string_view() : statement.front();
  return first == ".version" || first == ".target" || first == ".address_size" || first == ".file" || first == ".loc";
}

class PtxScan {
 public:
  PtxScan(std::string_view text, bool in_body) : text_(text), in_body_(in_body) {}

  std::vector<PtxStatement> run() {
    while (at_ < text_.size()) step();
    finish();
    return std::move(all_);
  }

 private:
  void finish() {
    if (!statement_.empty()) all_.push_back(std::move(statement_));
    statement_.clear();
  }

  void step() {
    const char c = text_[at_];
    if (c == '/' && skip_comment()) return;
    if (is_of_ptx_word(c)) return take_word();
    if (c == '"') return skip_quote();
    if (c == '{' && !in_body_) return take_braces();
    if (c == ';' || c == '{' || c == '}' || (c == '\n' && ends_with_line(statement_))) finish();
    if (c == '(' || c == ')' || c == '[' || c == ']' || c == ',' || c == '=')
      statement_.push_back(text_.substr(at_, 1));
    ++at_;
  }

  void take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_ptx_word(text_[at_])) ++at_;
    statement_.push_back(text_.substr(begin, at_ - begin));
  }

  bool skip_comment() {
    const std::string_view opening = text_.substr(at_, 2);
    if (opening == "//") return skip_past("\n"), true;
    if (opening != "/*") return false;
    at_ += 2;
    skip_past("*/");
    return true;
  }

  void skip_past(std::string_view mark) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos && mark != "\n") throw_damaged_ptx("a comment does not end");
    at_ = end == std::string_view::npos ? text_.size() : end + (mark == "\n" ? 0 : mark.size());
  }

  void skip_quote() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) throw_damaged_ptx("a quoted text does not end");
    at_ = end + 1;
  }

  // A function's body ends its statement; the braces of an initial value are followed by a semicolon.
  void take_braces() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      at_ = text_.find_first_of("{}\"/", at_);
      if (at_ == std::string_view::npos) throw_damaged_ptx("a brace is not closed");
      const char c = text_[at_];
      if (c == '"') {
        skip_quote();
      } else if (c != '/' || !skip_comment()) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        ++at_;
      }
    } while (depth > 0);
    const bool is_initial_value = !statement_.empty() && statement_.back() == "=";
    statement_.push_back(text_.substr(begin, at_ - begin));
    if (!is_initial_value) finish();
  }

  std::string_view text_;
  bool in_body_;
  std::vector<PtxStatement> all_;
  PtxStatement statement_;
  std::size_t at_ = 0;
};

}  // namespace

bool has_word(const PtxStatement& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::size_t word_position(const PtxStatement& words, std::string_view word, std::size_t from) {
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(std::min(from, words.size()));
  return static_cast<std::size_t>(std::find(begin, words.end(), word) - words.begin());
}

void throw_damaged_ptx(const std::string& what) { throw Error("the PTX text is damaged: " + what); }

std::vector<PtxStatement> scan_ptx(std::string_view text) { return PtxScan(text, false).run(); }

std::vector<PtxStatement> scan_ptx_body(std::string_view body) { return PtxScan(body, true).run(); }

}  // namespace kiln
