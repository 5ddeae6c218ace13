// What a CUDA array's or a texture's elements are made of.
#pragma once

#include <cstddef>

namespace kiln {

/// One channel of an element. Counterpart: CUarray_format and pycuda.driver.array_format, with the same numbers.
enum class ArrayFormat {
  unsigned_int8 = 0x01,
  unsigned_int16 = 0x02,
  unsigned_int32 = 0x03,
  signed_int8 = 0x08,
  signed_int16 = 0x09,
  signed_int32 = 0x0a,
  half = 0x10,
  float32 = 0x20,
};

/// The size of one channel in bytes.
constexpr std::size_t channel_size(ArrayFormat format) noexcept {
  switch (format) {
    case ArrayFormat::unsigned_int8:
    case ArrayFormat::signed_int8:
      return 1;
    case ArrayFormat::unsigned_int16:
    case ArrayFormat::signed_int16:
    case ArrayFormat::half:
      return 2;
    default:
      return 4;
  }
}

}  // namespace kiln
