// How a texture is read: what coordinates outside of it mean, and how the elements around a point make a value.
#pragma once

namespace kiln {

/// What a coordinate outside of the texture reads. Counterpart: pycuda.driver.address_mode and CUaddress_mode, with the
/// same numbers.
enum class AddressMode {
  /// The texture repeats; with normalised coordinates only.
  wrap = 0,
  /// The nearest element at the edge.
  clamp = 1,
  /// The texture repeats, every other time mirrored; with normalised coordinates only.
  mirror = 2,
  /// The border colour.
  border = 3,
};

/// Counterpart: pycuda.driver.filter_mode and CUfilter_mode, with the same numbers.
enum class FilterMode {
  /// The nearest element, unchanged.
  point = 0,
  /// The weighted mean of the neighbours, where the texture gives floats. The weights have 8 bits of fraction.
  linear = 1,
};

/// What a fetch gives. Counterpart: cudaTextureReadMode, with the same numbers.
enum class ReadMode {
  /// The element itself; of half a float.
  element_type = 0,
  /// Integers of 8 and 16 bits as floats in [0, 1], signed ones in [-1, 1]; floats as they are.
  normalized_float = 1,
};

}  // namespace kiln
