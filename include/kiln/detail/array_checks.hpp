// Checks of arrays, textures and surfaces.
#pragma once

#include <kiln/array_descriptor.hpp>
#include <kiln/array_format.hpp>
#include <kiln/export.hpp>

#include <array>
#include <cstddef>

namespace kiln {
enum class Order;
}  // namespace kiln

namespace kiln::detail {

/// Throws ArgumentError for an object that was moved from; `what` is its class.
[[noreturn]] KILN_EXPORT void refuse_null(const char* what);
/// Throws ArgumentError unless the array's elements are of that format.
KILN_EXPORT void check_element_type(const ArrayDescriptor& descriptor, ArrayFormat format, unsigned num_channels);
/// Throws ArgumentError unless the shape has that many elements.
KILN_EXPORT void check_shape(const std::size_t* shape, std::size_t dimensions, std::size_t count);
/// Throws ArgumentError where a size is 0 or the array's channels are not 1, 2 or 4.
KILN_EXPORT ArrayDescriptor multichannel_descriptor(const std::array<std::size_t, 3>& shape, Order order,
                                                    ArrayFormat format);

}  // namespace kiln::detail
