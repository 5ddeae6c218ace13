#include "base/argument_error.hpp"
#include "template/percent_format.hpp"
#include "template/python_text.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace kiln {

namespace {

/// A number's text before it is as wide as asked for.
struct NumberText {
  bool is_negative = false;
  std::string prefix;  // "0x"
  std::string digits;
};

struct Integer {
  bool is_negative = false;
  unsigned long long magnitude = 0;
};

class Conversion {
 public:
  Conversion(const PercentFormat& format, const TemplateValue& value, const UsePlace& use)
      : format_(format), value_(value), use_(use) {}

  std::string run() const {
    if (std::holds_alternative<detail::SequenceOrigin>(value_.origin()))
      refuse_value("a sequence, which Python spells as a list: give it as text");
    switch (format_.conversion) {
      case 'd':
      case 'i':
      case 'u':
        return padded(decimal());
      case 'o':
      case 'x':
      case 'X':
        return padded(in_base());
      case 'c':
        return padded(character());
      case 's':
      case 'r':
      case 'a':
        return padded(first_characters(text()));
      default:
        return padded(floating());
    }
  }

 private:
  std::optional<Integer> integer() const {
    if (const auto* value = std::get_if<bool>(&value_.origin())) return Integer{false, *value};
    if (const auto* value = std::get_if<unsigned long long>(&value_.origin())) return Integer{false, *value};
    if (const auto* value = std::get_if<long long>(&value_.origin())) {
      const auto bits = static_cast<unsigned long long>(*value);
      return Integer{*value < 0, *value < 0 ? 0 - bits : bits};
    }
    return std::nullopt;
  }

  std::optional<double> real() const {
    if (const auto* value = std::get_if<double>(&value_.origin())) return *value;
    if (const auto* value = std::get_if<float>(&value_.origin())) return static_cast<double>(*value);
    return std::nullopt;
  }

  void fill_to_precision(std::string& digits) const {
    const std::size_t least = format_.precision.value_or(0);
    if (digits.size() < least) digits.insert(0, least - digits.size(), '0');
  }

  NumberText decimal() const {
    NumberText number;
    if (const std::optional<double> value = real()) {
      const double whole = std::trunc(*value);
      number = {whole < 0, {}, fixed_text(std::abs(whole), 0)};
    } else if (const std::optional<Integer> whole = integer()) {
      number = {whole->is_negative, {}, digits_text(whole->magnitude, 10)};
    } else {
      refuse_value("a text; this conversion takes a number");
    }
    fill_to_precision(number.digits);
    return number;
  }

  NumberText in_base() const {
    const std::optional<Integer> whole = integer();
    if (!whole)
      refuse_value(real() ? "no integer, which this conversion takes" : "a text; this conversion takes an integer");
    NumberText number{whole->is_negative, {}, digits_text(whole->magnitude, format_.conversion == 'o' ? 8 : 16)};
    fill_to_precision(number.digits);
    if (format_.alternate) number.prefix = std::string("0") + format_.conversion;
    if (format_.conversion == 'X') to_upper(number.digits);
    return number;
  }

  NumberText floating() const {
    double value = 0;
    if (const std::optional<double> given = real())
      value = *given;
    else if (const std::optional<Integer> whole = integer())
      value = whole->is_negative ? -static_cast<double>(whole->magnitude) : static_cast<double>(whole->magnitude);
    else
      refuse_value("a text; this conversion takes a number");
    const bool is_upper = format_.conversion < 'a';
    const char kind = is_upper ? static_cast<char>(format_.conversion - 'A' + 'a') : format_.conversion;
    NumberText number{std::signbit(value),
                      {},
                      floating_text(std::abs(value), kind, format_.precision.value_or(6), format_.alternate)};
    if (is_upper) to_upper(number.digits);
    return number;
  }

  std::string character() const {
    if (const std::optional<Integer> code = integer()) {
      const std::optional<std::string> text = code->is_negative ? std::nullopt : utf8_text(code->magnitude);
      if (!text) refuse_value("no character of UTF-8: its numbers are 0 to 1114111 without 55296 to 57343");
      return *text;
    }
    if (real() || character_count(value_.text()) != 1) refuse_value("no single character and no character's number");
    return value_.text();
  }

  std::string text() const {
    if (const auto* truth = std::get_if<bool>(&value_.origin())) return *truth ? "True" : "False";
    if (const std::optional<Integer> whole = integer())
      return (whole->is_negative ? "-" : "") + digits_text(whole->magnitude, 10);
    if (const auto* single = std::get_if<float>(&value_.origin())) return python_text(*single);
    if (const auto* number = std::get_if<double>(&value_.origin())) return python_text(*number);
    if (format_.conversion == 's') return value_.text();
    const bool is_ascii =
        std::all_of(value_.text().begin(), value_.text().end(), [](char c) { return (c & 0x80) == 0; });
    if (format_.conversion == 'r' && !is_ascii)
      refuse_value("text that is not ASCII, of which %r depends on the version of Python: write %a or %s");
    if (const std::optional<std::string> quoted = python_ascii(value_.text())) return *quoted;
    refuse_value("text that is not UTF-8, which %a cannot spell");
  }

  std::string first_characters(std::string text) const {
    if (format_.precision) text.resize(size_of_characters(text, *format_.precision));
    return text;
  }

  std::string padded(const std::string& text) const {
    const std::size_t count = character_count(text);
    const std::string blanks(format_.width > count ? format_.width - count : 0, ' ');
    return format_.left ? text + blanks : blanks + text;
  }

  std::string padded(const NumberText& number) const {
    const std::string sign = number.is_negative ? "-" : format_.sign ? "+" : format_.blank ? " " : "";
    const std::size_t size = sign.size() + number.prefix.size() + number.digits.size();
    const std::size_t missing = format_.width > size ? format_.width - size : 0;
    if (format_.left) return sign + number.prefix + number.digits + std::string(missing, ' ');
    if (format_.zeros) return sign + number.prefix + std::string(missing, '0') + number.digits;
    return std::string(missing, ' ') + sign + number.prefix + number.digits;
  }

  static void to_upper(std::string& text) {
    for (char& c : text)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }

  [[noreturn]] void refuse_value(const std::string& fault) const {
    throw_argument_error(use_.said() + std::string(use_.text.substr(use_.offset, format_.size)) + ": the value of " +
                             std::string(*format_.name) + " is " + fault,
                         "a value for %" + std::string(1, format_.conversion), value_.text());
  }

  const PercentFormat& format_;
  const TemplateValue& value_;
  const UsePlace& use_;
};

}  // namespace

std::string percent_text(const PercentFormat& format, const TemplateValue& value, const UsePlace& use) {
  return Conversion(format, value, use).run();
}

}  // namespace kiln
