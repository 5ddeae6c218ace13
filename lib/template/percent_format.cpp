#include "template/percent_format.hpp"

#include "base/argument_error.hpp"
#include "base/identifier.hpp"

namespace kiln {

namespace {

constexpr std::string_view conversions = "diuoxXeEfFgGcsra";
constexpr const char* percent_itself = ", or %% for the character itself";

/// Reads what is between a % and its conversion, in the order in which CPython does.
class FormatReader {
 public:
  FormatReader(const UsePlace& use, std::size_t largest)
      : use_(use), largest_(largest), text_(use.text.substr(use.offset)) {}

  PercentFormat read() {
    PercentFormat format;
    if (next() == '(') format.name = name();
    while (flag(format)) ++at_;
    format.width = number("width").value_or(0);
    if (next() == '.') {
      ++at_;
      format.precision = number("precision").value_or(0);
    }
    if (const char length = next(); length == 'h' || length == 'l' || length == 'L') ++at_;
    if (at_ >= text_.size()) incomplete();
    format.conversion = text_[at_++];
    format.size = at_;
    if (conversions.find(format.conversion) == std::string_view::npos) refuse_conversion(format.conversion);
    return format;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Brackets in a name are in pairs.
  std::string_view name() {
    const std::size_t begin = ++at_;
    for (std::size_t depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')' && --depth == 0) {
        ++at_;
        return text_.substr(begin, at_ - 1 - begin);
      }
    }
    fail("the name behind %( has no end: a ) is missing", "a )", "the text's end");
  }

  bool flag(PercentFormat& format) const {
    switch (next()) {
      case '-':
        return format.left = true;
      case '+':
        return format.sign = true;
      case ' ':
        return format.blank = true;
      case '#':
        return format.alternate = true;
      case '0':
        return format.zeros = true;
      default:
        return false;
    }
  }

  std::optional<std::size_t> number(const char* what) {
    if (next() == '*')
      fail(std::string("a ") + what +
               " of * takes the next value in order, but values go by name here: write the number into the text",
           "a number", "*");
    std::optional<std::size_t> value;
    for (; next() >= '0' && next() <= '9'; ++at_) {
      value = value.value_or(0) * 10 + static_cast<std::size_t>(next() - '0');
      if (*value > largest_)
        fail(std::string("a ") + what + " is beyond " + std::to_string(largest_) + ", the largest there is",
             "a number up to " + std::to_string(largest_), std::to_string(*value) + "...");
    }
    return value;
  }

  [[noreturn]] void incomplete() const {
    fail(std::string("the format ends before its conversion: write %(name)d with the name of a value") + percent_itself,
         "a conversion", "the text's end");
  }

  [[noreturn]] void refuse_conversion(char conversion) const {
    const bool is_readable = conversion > ' ' && conversion < '\x7f';
    fail((is_readable ? std::string("'") + conversion + "'" : "this character") +
             " is no conversion; there are d i u o x X e E f F g G c s r a: write %(name)d with the name of a value" +
             percent_itself,
         "one of " + std::string(conversions), std::string(text_.substr(0, at_)));
  }

  [[noreturn]] void fail(const std::string& fault, const std::string& expected, const std::string& given) const {
    throw_argument_error(use_.said() + fault, expected, given);
  }

  const UsePlace& use_;
  std::size_t largest_;
  std::string_view text_;  // from the % on
  std::size_t at_ = 1;
};

}  // namespace

PercentFormat percent_format(const UsePlace& use, std::size_t largest) { return FormatReader(use, largest).read(); }

std::optional<std::string_view> percent_name(std::string_view text) {
  if (text.substr(0, 2) != "%(") return std::nullopt;
  std::size_t at = 2;
  while (at < text.size() && is_of_identifier(text[at])) ++at;
  const std::string_view name = text.substr(2, at - 2);
  if (name.empty() || at == text.size() || text[at] != ')') return std::nullopt;
  at = text.find_first_not_of("-+ #0123456789.hlL", at + 1);
  if (at == std::string_view::npos || conversions.find(text[at]) == std::string_view::npos) return std::nullopt;
  return name;
}

}  // namespace kiln
