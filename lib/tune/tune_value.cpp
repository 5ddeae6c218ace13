#include <kiln/tune_value.hpp>

#include "base/argument_error.hpp"
#include "base/json_object.hpp"

#include <kiln/detail/template_value.hpp>

#include <cmath>
#include <limits>

namespace kiln {

TuneValue::Kind TuneValue::integer(unsigned long long value) {
  if (value > static_cast<unsigned long long>(std::numeric_limits<long long>::max()))
    refuse("TuneValue", "an integer of at most 63 bits", std::to_string(value), "; give larger ones as texts");
  return static_cast<long long>(value);
}

TuneValue::Kind TuneValue::floating(double value) {
  if (!std::isfinite(value))
    refuse("TuneValue", "a finite number", std::isnan(value) ? "NaN" : "infinity", "; C++ has no literal of it");
  return value;
}

std::string TuneValue::text() const {
  if (const auto* const text = std::get_if<std::string>(&value_)) return *text;
  if (const auto* const boolean = std::get_if<bool>(&value_)) return *boolean ? "true" : "false";
  if (const auto* const number = std::get_if<double>(&value_)) return detail::literal(*number);
  return detail::literal(std::get<long long>(value_));
}

std::string TuneValue::json() const {
  if (is_text()) return json_text(std::get<std::string>(value_));
  const auto* const integer = std::get_if<long long>(&value_);
  return integer ? std::to_string(*integer) : text();
}

}  // namespace kiln
