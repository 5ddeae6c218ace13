#include "compile/header_list.hpp"

#include <algorithm>
#include <set>

namespace kiln {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Words and the ends of rules, with make's escapes undone.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  std::vector<std::string> run() {
    while (!text_.empty()) step();
    end_word();
    return std::move(found_);
  }

 private:
  void step() {
    const char c = text_.front();
    if (c == '\\') return backslashes();
    if (c == '$' && text_.substr(0, 2) == "$$") return take(2, '$');
    if (c == '\n' || is_blank(c)) {
      end_word();
      if (c == '\n') behind_colon_ = false;
      text_.remove_prefix(1);
    } else if (c == ':' && !behind_colon_ && ends_target()) {
      word_.clear();
      behind_colon_ = true;
      text_.remove_prefix(1);
    } else {
      take(1, c);
    }
  }

  /// A name may hold a colon: the one that ends the targets has a blank behind it.
  bool ends_target() const { return text_.size() == 1 || is_blank(text_[1]) || text_[1] == '\n' || text_[1] == '\\'; }

  /// Those before a blank or a '#' are halved, and an odd one escapes it; elsewhere they stand for themselves.
  void backslashes() {
    const std::size_t count = std::min(text_.find_first_not_of('\\'), text_.size());
    const std::string_view rest = text_.substr(count);
    const bool line_end = rest.substr(0, 1) == "\n" || rest.substr(0, 2) == "\r\n";
    if (line_end && count % 2 == 1) {
      word_.append(count / 2, '\\');
      end_word();
      text_.remove_prefix(count + (rest[0] == '\r' ? 2 : 1));
      return;
    }
    const bool escapes = !rest.empty() && (is_blank(rest[0]) || rest[0] == '#' || rest[0] == ':');
    word_.append(escapes ? count / 2 : count, '\\');
    text_.remove_prefix(count);
    if (escapes && count % 2 == 1) take(1, rest[0]);
  }

  void take(std::size_t size, char c) {
    word_ += c;
    text_.remove_prefix(size);
  }

  void end_word() {
    if (!word_.empty() && behind_colon_ && seen_.insert(word_).second) found_.push_back(word_);
    word_.clear();
  }

  std::string_view text_;
  std::string word_;
  bool behind_colon_ = false;
  std::set<std::string> seen_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> read_prerequisites(std::string_view text) { return RuleReader(text).run(); }

std::vector<std::string> read_header_lines(std::string_view text) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  std::string line;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || text[at] == '\n') {
      if (!line.empty() && seen.insert(line).second) found.push_back(line);
      line.clear();
    } else {
      // Quotes and backslashes are escaped, as in a string.
      const bool escapes = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '\\' || text[at + 1] == '"');
      line += text[escapes ? ++at : at];
    }
  }
  return found;
}

}  // namespace kiln
