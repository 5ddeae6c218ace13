// Which arrays a device can have.
#pragma once

#include <kiln/array.hpp>

#include <string>

namespace kiln {

/// Throws ArgumentError, naming class and member, where a device cannot have such an array; a mipmapped one has smaller
/// limits.
void check_array(const ArrayDescriptor& descriptor, int device, bool mipmapped);

/// Throws ArgumentError for a format or a number of channels that no array and no texture has; `owner`, a class's name,
/// begins the text.
void check_element(const std::string& owner, ArrayFormat format, unsigned num_channels);

/// The name of a format as Kiln spells it.
std::string name_of(ArrayFormat format);

/// Such as "64 x 32 array of 4 x float32", for error texts.
std::string describe(const ArrayDescriptor& descriptor);

}  // namespace kiln
