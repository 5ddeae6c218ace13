// Values of tuning parameters in JSON that somebody else wrote.
#pragma once

#include "base/json_value.hpp"

#include <kiln/tune_value.hpp>

#include <cstdint>
#include <string>

namespace kiln {

/// The value, of the kind that it has there. Throws Error for what is none.
inline TuneValue tune_value_of(const JsonValue& json) {
  if (json.is<bool>()) return json_value<bool>(json);
  if (json.is<std::uint64_t>()) return json_value<std::uint64_t>(json);
  if (json.is<std::int64_t>()) return json_value<std::int64_t>(json);
  if (json.is<double>()) return json_value<double>(json);
  return json_value<std::string>(json);
}

}  // namespace kiln
