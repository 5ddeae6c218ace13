#include "toolkit/names/bracket_depth.hpp"

namespace kiln {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// The length of the symbol of an operator whose name begins at `at` ("operator<<"), 0 where none does.
std::size_t operator_symbol(std::string_view text, std::size_t at) {
  constexpr std::string_view keyword = "operator";
  if (at < keyword.size() || text.substr(at - keyword.size(), keyword.size()) != keyword) return 0;
  if (at > keyword.size() && is_word(text[at - keyword.size() - 1])) return 0;
  for (const std::string_view symbol : {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "<", ">"})
    if (text.substr(at, symbol.size()) == symbol) return symbol.size();
  return 0;
}

class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text), depths_(text.size()) {}

  std::vector<int> run() {
    while (at_ < text_.size()) {
      const std::size_t symbol = operator_symbol(text_, at_);
      if (symbol != 0)
        mark(symbol, depth() + 1);
      else if (text_[at_] == '"' || text_[at_] == '\'')
        mark(quoted_size(), depth() + 1);
      else
        step(text_[at_]);
    }
    return std::move(depths_);
  }

 private:
  int depth() const { return static_cast<int>(open_.size()); }

  void mark(std::size_t count, int depth) {
    for (; count > 0 && at_ < text_.size(); --count) depths_[at_++] = depth;
  }

  std::size_t quoted_size() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != text_[at_]) end += text_[end] == '\\' ? 2 : 1;
    return end + 1 - at_;
  }

  void step(char c) {
    if (c == ')' || c == ']' || c == '}') close();
    const bool arrow = c == '>' && at_ > 0 && text_[at_ - 1] == '-';
    if (c == '>' && !arrow && !open_.empty() && open_.back() == '<') open_.pop_back();
    mark(1, depth());
    if (c == '(' || c == '[' || c == '{' || c == '<') open_.push_back(c);
  }

  // A '<' that is still open within parentheses was a comparison.
  void close() {
    while (!open_.empty() && open_.back() == '<') open_.pop_back();
    if (!open_.empty()) open_.pop_back();
  }

  std::string_view text_;
  std::vector<int> depths_;
  std::vector<char> open_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<int> bracket_depths(std::string_view name) { return DepthScan(name).run(); }

std::vector<std::string_view> split_outside_brackets(std::string_view text, std::string_view separator) {
  const std::vector<int> depths = bracket_depths(text);
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;) {
    if (depths[at] != 0) {
      at = text.find(separator, at + 1);
      continue;
    }
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
    at = text.find(separator, begin);
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace kiln
