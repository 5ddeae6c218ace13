#include "emulator/ptx/cursor.hpp"

#include "emulator/ptx/parse.hpp"

#include <algorithm>
#include <cstring>

namespace kiln::emulator::ptx {

namespace {

constexpr std::size_t longest_shown = 120;

// The text of a line without indentation and without control characters.
std::string shown_line(std::string_view text, std::size_t line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  std::string shown(text.substr(0, longest_shown));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  return text.size() > longest_shown ? shown + " ..." : shown;
}

}  // namespace

std::string in_quotes(std::string_view name) {
  std::string quoted = "'";
  quoted.append(name.substr(0, longest_shown));
  return quoted.append(name.size() > longest_shown ? "...'" : "'");
}

std::string Cursor::error_text(std::size_t line, const std::string& message, const char* severity) const {
  const std::string all =
      "ptxas application ptx input, line " + std::to_string(line) + "; " + severity + " : " + message;
  const std::string shown = shown_line({begin_, size_}, line);
  return shown.empty() ? all : all + "\n    " + shown;
}

void Cursor::fail_at(std::size_t line, const std::string& message, const char* severity) const {
  throw ParseError(line, error_text(line, message, severity), message);
}

void Cursor::syntax_error() {
  skip();
  fatal("Parsing error near " + in_quotes(token()) + ": syntax error");
}

void Cursor::syntax_error(std::string_view word) {
  if (word.empty()) syntax_error();
  const std::string_view with_dot(word.data() - 1, word.size() + 1);
  fatal("Parsing error near " + in_quotes(with_dot) + ": syntax error");
}

// Stops at the last character of the comment.
void Cursor::skip_comment() {
  if (at_[1] == '/') {
    while (*at_ != '\0' && *at_ != '\n') ++at_;
    --at_;
    return;
  }
  const char* const end = std::strstr(at_ + 2, "*/");
  const char* const behind = end == nullptr ? begin_ + size_ : end + 2;
  line_ += static_cast<std::size_t>(std::count(at_, behind, '\n'));
  at_ = behind;
  if (end == nullptr) fatal("Parsing error near '': unexpected EOF while scanning");
  --at_;
}

std::string_view Cursor::token() const {
  const char* end = at_;
  if (*end == '.' || starts_name(*end)) ++end;
  while (continues_name(*end)) ++end;
  if (end == at_ && *end != '\0') ++end;
  return {at_, static_cast<std::size_t>(end - at_)};
}

std::string_view Cursor::name() {
  const std::string_view found = word();
  if (found.empty() || found == "_" || found == "%") syntax_error();
  return found;
}

std::string_view Cursor::dotted() {
  if (peek() != '.') return {};
  const char* const first = at_ + 1;
  const char* end = first;
  for (;;) {
    while (continues_name(*end)) ++end;
    if (end == first || end[0] != ':' || end[1] != ':' || !continues_name(end[2])) break;
    end += 2;
  }
  if (end == first) syntax_error();
  at_ = end;
  return {first, static_cast<std::size_t>(end - first)};
}

std::string_view Cursor::quoted() {
  expect('"');
  const char* const first = at_;
  while (*at_ != '"') {
    if (*at_ == '\0' || *at_ == '\n') syntax_error();
    at_ += *at_ == '\\' && (at_[1] == '"' || at_[1] == '\\') ? 2 : 1;
  }
  return {first, static_cast<std::size_t>(at_++ - first)};
}

std::uint64_t Cursor::number() {
  if (!is_digit(peek())) syntax_error();
  std::uint64_t value = 0;
  for (; is_digit(*at_); ++at_) {
    if (value > (~std::uint64_t{0} - 9) / 10) fail("Constant overflow");
    value = value * 10 + static_cast<std::uint64_t>(*at_ - '0');
  }
  if (continues_name(*at_)) syntax_error();
  return value;
}

std::uint32_t Cursor::number32() {
  const std::uint64_t value = number();
  if (value > 0xFFFFFFFFu) fail("Constant overflow");
  return static_cast<std::uint32_t>(value);
}

std::string_view Cursor::to_closing_brace() {
  const char* const first = at_;
  for (std::size_t depth = 1; depth != 0;) {
    skip();
    if (*at_ == '\0') syntax_error();
    if (*at_ == '{') ++depth;
    if (*at_ == '}') --depth;
    ++at_;
  }
  return {first, static_cast<std::size_t>(at_ - 1 - first)};
}

void Cursor::to_line_end() {
  while (*at_ != '\0' && *at_ != '\n') ++at_;
}

}  // namespace kiln::emulator::ptx
