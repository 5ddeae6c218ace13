// What generators ask of an argument's layout.
#pragma once

#include <kiln/detail/element_layout.hpp>

#include <string>

namespace kiln {

/// Whether the elements lie one behind the other in C order, the last index fastest, from the address on.
bool is_flat(const detail::ElementLayout& layout) noexcept;
/// "2 x 3 elements, strides 1 and 2".
std::string text_of(const detail::ElementLayout& layout);

}  // namespace kiln
