#include "expectation.hpp"

#include "element_value.hpp"

#include <cmath>
#include <limits>

namespace kiln::tool {

namespace {

using Value = std::complex<long double>;

constexpr std::size_t shown_differences = 5;

bool is_nan(const Value& value) { return std::isnan(value.real()) || std::isnan(value.imag()); }
bool is_finite(const Value& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }

bool are_close(const Value& value, const Value& expected, long double tolerance) {
  if (is_nan(value) || is_nan(expected)) return is_nan(value) && is_nan(expected);
  if (!is_finite(value) || !is_finite(expected)) return value == expected;
  return std::abs(value - expected) <= tolerance + tolerance * std::abs(expected);
}

void note_difference(Comparison& comparison, const Array& values, const Array& expected, std::size_t i) {
  const Value value = element_value(*values.type, values.element(i));
  const Value wanted = element_value(*expected.type, expected.element(i));
  ++comparison.different;
  if (!is_finite(value) || !is_finite(wanted))
    comparison.largest = std::numeric_limits<long double>::quiet_NaN();
  else if (!std::isnan(comparison.largest))
    comparison.largest = std::max(comparison.largest, std::abs(value - wanted));
  if (comparison.first.size() < shown_differences)
    comparison.first.push_back(
        {i, element_text(*values.type, values.element(i)), element_text(*expected.type, expected.element(i))});
}

}  // namespace

Comparison compare(const Array& values, const Array& expected, long double tolerance) {
  if (values.type->is_whole() && expected.type->is_whole()) tolerance = 0;
  Comparison comparison;
  for (std::size_t i = 0; i < values.count(); ++i)
    if (!are_close(element_value(*values.type, values.element(i)), element_value(*expected.type, expected.element(i)),
                   tolerance))
      note_difference(comparison, values, expected, i);
  return comparison;
}

std::string element_place(const std::vector<std::size_t>& shape, std::size_t element) {
  std::string place;
  for (std::size_t i = shape.size(); i-- > 0;) {
    place.insert(0, std::to_string(element % shape[i]) + (place.empty() ? "" : ", "));
    element /= shape[i];
  }
  return "[" + place + "]";
}

}  // namespace kiln::tool
