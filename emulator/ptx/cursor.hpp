// A position in a PTX text that moves forward, counts lines and reports errors at its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::emulator::ptx {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
constexpr bool continues_name(char c) { return (starts_name(c) && c != '%') || is_digit(c); }

/// The text ends at its first NUL, as the driver reads it. It must outlive the cursor.
class Cursor {
 public:
  explicit Cursor(const std::string& text)
      : begin_(text.c_str()), at_(begin_), size_(std::char_traits<char>::length(begin_)) {}

  std::size_t line() const { return line_; }
  const char* place() const { return at_; }
  std::size_t text_size() const { return size_; }
  bool at_end() { return peek() == '\0'; }

  /// Skips blanks and comments.
  void skip() {
    for (;; ++at_) {
      if (*at_ == '\n')
        ++line_;
      else if (*at_ == '/' && (at_[1] == '/' || at_[1] == '*'))
        skip_comment();
      else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r' && *at_ != '\f' && *at_ != '\v')
        return;
    }
  }
  /// The next character after blanks and comments; NUL at the end.
  char peek() {
    skip();
    return *at_;
  }
  /// The character after peek(), whatever it is.
  char second() const { return *at_ == '\0' ? '\0' : at_[1]; }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  /// Reads without skipping blanks: what must follow immediately.
  bool take_next(char wanted) {
    if (*at_ != wanted) return false;
    ++at_;
    return true;
  }
  void advance(std::size_t count) { at_ += count; }
  void expect(char wanted) {
    if (!take(wanted)) syntax_error();
  }
  /// Reads a name; empty if there is none.
  std::string_view word() {
    const char* const first = (skip(), at_);
    if (starts_name(*at_)) ++at_;
    while (at_ != first && continues_name(*at_)) ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
  }
  /// Reads a name; throws if there is none.
  std::string_view name();
  /// Reads what follows a dot ("shared::cta", "1d"); empty if there is no dot.
  std::string_view dotted();
  std::string_view quoted();
  /// Reads a decimal number, as in .loc and .align.
  std::uint64_t number();
  std::uint32_t number32();
  /// Skips past the closing brace of a block whose opening brace has been read. Returns the text in between.
  std::string_view to_closing_brace();
  void to_line_end();
  /// The next word or mark, for messages.
  std::string_view token() const;

  [[noreturn]] void syntax_error();
  /// An error at a word that dotted() gave; at the current place if it gave none.
  [[noreturn]] void syntax_error(std::string_view word);
  /// ptxas says "error" where it goes on, and "fatal" where it stops at once.
  [[noreturn]] void fail(const std::string& message) const { fail_at(line_, message); }
  [[noreturn]] void fatal(const std::string& message) const { fail_at(line_, message, "fatal  "); }
  std::string error_text(std::size_t line, const std::string& message, const char* severity) const;
  [[noreturn]] void fail_at(std::size_t line, const std::string& message, const char* severity = "error  ") const;

 private:
  void skip_comment();

  const char* begin_;
  const char* at_;
  std::size_t size_;
  std::size_t line_ = 1;
};

/// "Unknown symbol 'x'"; a very long name is cut.
std::string in_quotes(std::string_view name);

}  // namespace kiln::emulator::ptx
