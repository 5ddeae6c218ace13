#include "base/argument_error.hpp"
#include "base/default_float_environment.hpp"

#include <kiln/template_value.hpp>

#include <array>
#include <charconv>
#include <climits>
#include <cmath>

namespace kiln::detail {

namespace {

/// Never by the locale, as printf would.
template <class Number>
std::string shortest_text(Number value) {
  std::array<char, 64> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class Number>
std::string floating_literal(Number value) {
  const DefaultFloatEnvironment
      environment;  // std::to_chars treats a subnormal number as 0 in a program built with -Ofast
  std::string text = shortest_text(value);
  if (!std::isfinite(value))
    throw_argument_error("TemplateValue: " + text +
                             " has no literal in CUDA C++; give text that makes it, such as INFINITY or "
                             "__int_as_float(0x7f800000)",
                         "a finite number", text);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string literal(long long value) {
  // The literal of the smallest one would be its negation, which has no type.
  return value == LLONG_MIN ? "(" + literal(value + 1) + " - 1)" : shortest_text(value);
}

std::string literal(unsigned long long value) {
  return shortest_text(value) + (value > LLONG_MAX ? "u" : "");  // without it there is no type for one that large
}

std::string literal(float value) { return floating_literal(value) + "f"; }

std::string literal(double value) { return floating_literal(value); }

}  // namespace kiln::detail
