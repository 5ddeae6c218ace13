#include "template/balance.hpp"

#include "base/argument_error.hpp"
#include "base/source_token.hpp"
#include "template/text_place.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace kiln {

namespace {

using Kind = SourceTokenKind;

class Balance {
 public:
  Balance(std::string_view text, const std::string& part) : text_(text), part_(part) {}

  void run() {
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      const Kind kind = next();
      if (kind == Kind::newline)
        is_line_begin_ = true;
      else if (is_line_begin_ && text_[begin] == '#')
        directive(begin);
      else if (kind != Kind::blank && kind != Kind::comment && kind != Kind::splice)
        is_line_begin_ = false;
      if (kind == Kind::mark && left_out_ == 0 && is_certain_) bracket(begin);
    }
    if (open_ != none && is_certain_) refuse("is not closed", brackets_[open_].offset, 1);
    if (!groups_.empty()) refuse("is not closed by #endif", groups_.back().offset, 3);
    const std::size_t last = text_.find_last_not_of(" \t\r\v\f\n");
    if (last != std::string_view::npos && text_[last] == '\\') refuse("would join the next line", last, 1);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Brackets that are open, each with the one around it. Those of a group's beginning stay while its branches change.
  struct Bracket {
    std::size_t offset;
    std::size_t around;
    std::size_t depth;
  };
  struct Group {
    std::size_t offset;
    std::size_t open_before;
    std::optional<std::size_t> open_behind_first;
    bool leaves_out = false;
    bool has_else = false;
    bool branches_differ = false;
  };

  Kind next() {
    const SourceToken token = source_token(text_, at_);
    // An apostrophe in an #error, or in what may be left out, is one of a text for people.
    const bool may_stay_open = token.kind == Kind::literal && (in_directive_ || !groups_.empty());
    if (!token.is_closed && !may_stay_open) refuse("is not closed", at_, token.kind == Kind::comment ? 2 : 1);
    at_ += token.size;
    return token.kind;
  }

  void bracket(std::size_t at) {
    const char c = text_[at];
    if (c == '(' || c == '[' || c == '{') {
      brackets_.push_back({at, open_, depth_of(open_) + 1});
      open_ = brackets_.size() - 1;
    } else if (c == ')' || c == ']' || c == '}') {
      if (open_ == none) refuse("closes nothing", at, 1);
      const char wanted = text_[brackets_[open_].offset];
      if ((c == ')') != (wanted == '(') || (c == ']') != (wanted == '['))
        refuse(std::string("closes a '") + wanted + "' of " + place_text(text_, brackets_[open_].offset), at, 1);
      open_ = brackets_[open_].around;
    }
  }

  /// All of the line, whose brackets and quotes are its own business.
  void directive(std::size_t hash) {
    in_directive_ = true;
    std::vector<std::string_view> words;
    while (at_ < text_.size() && text_[at_] != '\n') {
      const std::size_t begin = at_;
      const Kind kind = next();
      if (kind == Kind::word || kind == Kind::number || kind == Kind::mark)
        words.push_back(text_.substr(begin, at_ - begin));
      if (words.size() > 2) words.resize(2), words.push_back("...");
    }
    in_directive_ = false;
    if (!words.empty()) conditional(words, hash);
  }

  void conditional(const std::vector<std::string_view>& words, std::size_t hash) {
    const std::string_view word = words[0];
    if (word.starts_with("if")) {
      const bool is_zero = word == "if" && words.size() == 2 && words[1] == "0";
      groups_.push_back({hash, open_, {}, is_zero});
      if (is_zero) ++left_out_;
    } else if (word == "endif" || word.starts_with("el")) {
      if (groups_.empty()) refuse("belongs to no #if", hash, word.size() + 1);
      groups_.back().has_else |= word == "else";
      branch_ends(groups_.back(), word == "endif");
    }
  }

  std::size_t depth_of(std::size_t open) const { return open == none ? 0 : brackets_[open].depth; }

  void branch_ends(Group& group, bool ends_group) {
    if (group.leaves_out)
      --left_out_;
    else if (!group.open_behind_first)
      group.open_behind_first = open_;
    else
      group.branches_differ |= depth_of(open_) != depth_of(*group.open_behind_first);
    group.leaves_out = false;
    open_ = group.open_before;
    if (!ends_group) return;
    const std::size_t behind = group.open_behind_first.value_or(open_);
    const bool may_be_none = !group.has_else && depth_of(behind) != depth_of(open_);
    // What another group closes, or a macro decides, is for the compiler.
    is_certain_ = is_certain_ && !group.branches_differ && !may_be_none;
    open_ = behind;
    groups_.pop_back();
  }

  [[noreturn]] void refuse(const std::string& fault, std::size_t at, std::size_t size) const {
    const std::string what(text_.substr(at, size));
    throw_argument_error(part_ + ": at " + place_text(text_, at) + " a '" + what + "' " + fault +
                             "; each part has to be complete in itself",
                         "a text whose brackets, quotes, comments and #if are closed", what);
  }

  std::string_view text_;
  const std::string& part_;
  std::size_t at_ = 0;
  bool is_line_begin_ = true;
  bool in_directive_ = false;
  std::vector<Bracket> brackets_;
  std::size_t open_ = none;
  std::vector<Group> groups_;
  int left_out_ = 0;        // groups of #if 0 around
  bool is_certain_ = true;  // how many brackets are open
};

}  // namespace

void check_balance(std::string_view text, const std::string& part) { Balance(text, part).run(); }

void check_inline_balance(std::string_view text, const std::string& part) {
  check_balance(text, part);
  bool is_line_begin = true;
  bool ends_in_line_comment = false;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    if (is_line_begin && text[at] == '#')
      throw_argument_error(part + ": at " + place_text(text, at) + " a directive, which cannot stand here",
                           "a text without directives", std::string(text));
    is_line_begin = token.kind == Kind::newline || (is_line_begin && token.kind == Kind::blank);
    ends_in_line_comment = token.kind == Kind::comment && text.substr(at, 2) == "//";
    at += token.size;
  }
  if (ends_in_line_comment)
    throw_argument_error(part + ": it ends in a line comment, which would hide what follows; write /* */",
                         "a text that does not end in a line comment", std::string(text));
}

}  // namespace kiln
