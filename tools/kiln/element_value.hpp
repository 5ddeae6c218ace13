// Elements in the host's memory, as numbers and as text.
#pragma once

#include "toolkit/names/element_type.hpp"

#include <complex>
#include <string>

namespace kiln::tool {

/// Exact for every type. The imaginary part is 0 but for complex types.
std::complex<long double> element_value(const ElementType& type, const void* element);

/// The shortest text that is this number and no other one of its type, whatever the locale; "(1, 2)" for complex ones.
std::string element_text(const ElementType& type, const void* element);

/// The same for a figure that was reckoned, with six digits.
std::string figure_text(long double figure);

}  // namespace kiln::tool
