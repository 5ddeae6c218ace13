// Element formats of arrays and textures, and how the texture unit reads and writes them.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

enum class ChannelKind : std::uint8_t { unsigned_int, signed_int, unorm, snorm, floating };

struct Element {
  ChannelKind kind = ChannelKind::unsigned_int;
  std::uint8_t channel_bytes = 1;
  std::uint8_t channels = 1;

  std::uint32_t size() const { return std::uint32_t{channel_bytes} * channels; }
  /// Read without conversion, so they cannot be filtered.
  bool integer() const { return kind == ChannelKind::unsigned_int || kind == ChannelKind::signed_int; }
};

/// Throws CallError: CUDA_ERROR_INVALID_VALUE for an unknown format or a wrong number of channels,
/// CUDA_ERROR_NOT_SUPPORTED for formats of video and of compressed blocks.
Element element_of(CUarray_format format, unsigned channels);
/// Without CU_TRSF_READ_AS_INTEGER: integers of 8 and 16 bits are read as floats from 0 to 1, or -1 to 1.
Element promoted(Element element);

/// The result of a texture instruction: four 32-bit registers, with the bits of floats or of integers.
using Texel = std::array<std::uint32_t, 4>;

/// Missing channels are 0, the fourth is 1.
Texel read_element(const std::byte* at, Element element, bool srgb);
/// sust.p: converts the registers to the element. Values out of range become the nearest.
void write_element(std::byte* at, Element element, const Texel& values);

}  // namespace kiln::emulator
