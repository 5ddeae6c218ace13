// Comparing what two kernels wrote.
#pragma once

#include <kiln/detail/argument.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The first element of two memories of one size that differ, with both values and how many there are; nothing where
/// there is none. Floating elements of 4 and 8 bytes may differ by tolerance + tolerance * |wanted|, and two NaNs are
/// equal; others are compared by their bytes.
std::optional<std::string> element_difference(const std::vector<std::byte>& given, const std::vector<std::byte>& wanted,
                                              const detail::Pointee& element, double tolerance);

}  // namespace kiln
