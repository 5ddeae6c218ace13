// Values of tuning parameters in JSON that somebody else wrote.
#pragma once

#include "base/json_value.hpp"

#include <kiln/tune_value.hpp>

#include <string>

namespace kiln {

/// The value of an nlohmann::json, of the kind that it has there. Throws Error for what is none.
template <class Json>
TuneValue tune_value_of(const Json& json) {
  if (json.is_boolean()) return json.template get<bool>();
  if (json.is_number_unsigned()) return json.template get<unsigned long long>();
  if (json.is_number_integer()) return json.template get<long long>();
  if (json.is_number_float()) return json.template get<double>();
  return json_value<std::string>(json);
}

}  // namespace kiln
