#include "compile/headers/leading_lines.hpp"

#include "base/source_token.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace kiln {

namespace {

/// The size of a backslash with the end of its line, as all compilers join lines: NVRTC does not where a blank is
/// between them.
std::size_t plain_splice_size(std::string_view text, std::size_t at) {
  for (const std::string_view splice : {"\\\n", "\\\r\n"})
    if (text.substr(at, splice.size()) == splice) return splice.size();
  return 0;
}

/// Where what compilers read in different ways begins; the text's size where nothing does.
std::size_t plain_size(std::string_view text) {
  const std::size_t end = std::min(text.find("?\?/"), text.size());
  for (std::size_t at = text.find('\\'); at < end; at = text.find('\\', at + 1))
    if (splice_size(text, at) != 0 && plain_splice_size(text, at) == 0) return at;
  return end;
}

/// A text whose lines are joined at each splice, and where they were.
class JoinedText {
 public:
  explicit JoinedText(std::string_view text) {
    std::size_t at = text.size() - without_byte_order_mark(text).size();
    if (at != 0) note(at, 0);
    text_.reserve(text.size());
    while (at < text.size()) {
      const std::size_t next = std::min(text.find('\\', at), text.size());
      text_.append(text.substr(at, next - at));
      at = next;
      if (at == text.size()) break;
      if (const std::size_t size = plain_splice_size(text, at); size != 0)
        note(size, 1), at += size;
      else
        text_.push_back(text[at++]);
    }
  }

  std::string_view view() const { return text_; }

  /// What was removed before `at`: bytes, lines.
  std::pair<std::size_t, std::size_t> removed_before(std::size_t at) const {
    std::pair<std::size_t, std::size_t> sum;
    for (const Removed& one : removed_) {
      if (one.at >= at) break;
      sum.first += one.size;
      sum.second += one.lines;
    }
    return sum;
  }

 private:
  struct Removed {
    std::size_t at;
    std::size_t size;
    std::size_t lines;
  };
  void note(std::size_t size, std::size_t lines) { removed_.push_back({text_.size(), size, lines}); }

  std::string text_;
  std::vector<Removed> removed_;  // ascending
};

std::size_t line_ends(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class LeadingReader {
 public:
  explicit LeadingReader(std::string_view text) : joined_(text), text_(joined_.view()) {}

  LeadingLines read() {
    while (at_ < text_.size() && !is_over_) {
      const SourceToken token = source_token(text_, at_);
      using Kind = SourceTokenKind;
      const bool is_blank = token.kind == Kind::blank || token.kind == Kind::newline || token.kind == Kind::comment;
      if (is_blank && token.is_closed)
        at_ += token.size;
      else if (text_[at_] != '#' || !directive())
        break;
    }
    return found_;
  }

 private:
  /// False where leading lines end before the directive.
  bool directive() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    rest_ = text_.substr(at_ + 1, end - at_ - 1);
    if (may_go_on(rest_)) return false;
    const std::string_view name = word();
    if (!takes(name)) return false;
    at_ = end + 1;
    if (depth_ == 0 && has_include_) end_here();
    if (name == "line") set_line();
    return true;
  }

  /// Reads the directive of that name. False for one that is not known to be the same to all compilers.
  bool takes(std::string_view name) {
    constexpr std::array<std::string_view, 6> plain = {"include", "define", "undef", "error", "warning", ""};
    constexpr std::array<std::string_view, 4> inner = {"elif", "else", "elifdef", "elifndef"};
    const auto is_one_of = [name](const auto& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
    if (name == "include") has_include_ = true;
    if (is_one_of(inner)) return depth_ > 0;
    if (name == "pragma") return takes_pragma();
    if (name == "line") return depth_ == 0 && read_line();
    if (name == "endif") return depth_ > 0 && depth_-- > 0;
    const bool opens = name == "if" || name == "ifdef" || name == "ifndef";
    if (opens) ++depth_;
    return opens || is_one_of(plain);
  }

  bool takes_pragma() {
    const std::string_view name = word();
    if (name == "hdrstop") return false;  // older compilers' nv_hdrstop, which means nothing to newer ones
    if (name != "nv_hdrstop") return true;
    is_over_ = depth_ == 0;
    has_include_ = found_.size != 0;
    return is_over_;
  }

  /// #line with a number, and perhaps a name.
  bool read_line() {
    skip_blanks();
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), line_);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.empty()) return true;
    const bool is_apart = source_token(rest_, 0).kind == SourceTokenKind::blank;
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '"' && source_token(rest_, 0).is_closed) {
      file_ = rest_.substr(0, source_token(rest_, 0).size);
      rest_.remove_prefix(source_token(rest_, 0).size);
      skip_blanks();
    }
    return is_apart && rest_.empty();
  }
  void set_line() {
    line_base_ = line_;
    line_file_ = file_;
    line_base_at_ = at_;
  }

  /// The next word of the directive, empty at its end; a mark where no word is next, which is no directive's name.
  std::string_view word() {
    skip_blanks();
    if (rest_.empty()) return {};
    const SourceToken token = source_token(rest_, 0);
    const std::string_view found = rest_.substr(0, token.size);
    rest_.remove_prefix(token.size);
    return found;
  }
  void skip_blanks() {
    while (!rest_.empty()) {
      const SourceToken token = source_token(rest_, 0);
      if (token.kind != SourceTokenKind::blank && token.kind != SourceTokenKind::comment) return;
      rest_.remove_prefix(token.size);
    }
  }

  void end_here() {
    has_include_ = false;
    const auto [bytes, lines] = joined_.removed_before(at_);
    const std::size_t before = joined_.removed_before(line_base_at_).second;
    found_.size = at_ + bytes;
    found_.file = line_file_;
    found_.line = line_base_ + line_ends(text_.substr(line_base_at_, at_ - line_base_at_)) + lines - before;
  }

  JoinedText joined_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view rest_;     // of the directive's line, what is not read yet
  std::size_t depth_ = 0;     // of #if
  bool has_include_ = false;  // behind found_
  bool is_over_ = false;
  std::size_t line_ = 0;          // of the #line that is read
  std::string_view file_;         // of the same, or of one before
  std::string_view line_file_;    // as file_, of the lines that follow
  std::size_t line_base_ = 1;     // the number of the line
  std::size_t line_base_at_ = 0;  // that begins here
  LeadingLines found_;
};

}  // namespace

// Quotes are not looked at, because compilers pair them in different ways where they are odd in number.
bool may_go_on(std::string_view directive) {
  const std::size_t comment = directive.rfind("/*");
  if (comment != std::string_view::npos && directive.find("*/", comment + 2) == std::string_view::npos) return true;
  for (std::size_t at = directive.find("R\""); at != std::string_view::npos; at = directive.find("R\"", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_of_word(directive[begin - 1])) --begin;
    const std::string_view prefix = directive.substr(begin, at - begin);
    if (prefix.empty() || prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8") return true;
  }
  return false;
}

LeadingLines leading_lines(std::string_view source) {
  return LeadingReader(source.substr(0, plain_size(source))).read();
}

std::string what_binds_leading_lines(std::string_view lines) {
  constexpr std::array<std::string_view, 9> macros = {"__COUNTER__",   "__LINE__",      "__FILE__",
                                                      "__FILE_NAME__", "__TIME__",      "__DATE__",
                                                      "__TIMESTAMP__", "__BASE_FILE__", "__INCLUDE_LEVEL__"};
  constexpr std::array<std::string_view, 5> directives = {"# line", "# warning", "pragma message", "pragma no_pch",
                                                          "pragma nv_no_pch"};
  const JoinedText joined(lines);
  const std::string_view text = joined.view();
  std::string before;
  for (std::size_t at = 0; at < text.size();) {
    const SourceToken token = source_token(text, at);
    const std::string_view word = text.substr(at, token.size);
    at += token.size;
    using Kind = SourceTokenKind;
    if (token.kind == Kind::blank || token.kind == Kind::comment) continue;
    if (std::find(macros.begin(), macros.end(), word) != macros.end()) return std::string(word);
    before.append(" ").append(word);
    for (const std::string_view directive : directives)
      if (before == directive) return std::string(directive);
    before = word;
  }
  return {};
}

}  // namespace kiln
