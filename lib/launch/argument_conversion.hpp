// Values of C++ types as the values of codes.
#pragma once

#include "launch/argument_code.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// How a value of a C++ type becomes a code's.
enum class Fit {
  /// It is one already.
  exact,
  /// By convert(), where the value allows it.
  by_conversion,
  never,
};
Fit fit(const ArgumentCode& code, const detail::ArgumentInfo& argument) noexcept;

/// For Fit::by_conversion: the code's bytes for a value, at the start of `target`. False where the value is out of the
/// code's range. Floating values are rounded to nearest, ties to even.
bool convert(const ArgumentCode& code, const detail::ArgumentInfo& argument, const void* value, std::uint64_t& target);

/// "an integer from 0 to 255", for errors.
std::string range_text(const ArgumentCode& code);
/// A number as text.
std::string value_text(const detail::ArgumentInfo& argument, const void* value);

}  // namespace kiln
