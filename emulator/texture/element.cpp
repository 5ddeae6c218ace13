#include "emulator/texture/element.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/memory/relaxed_values.hpp"
#include "emulator/numbers/half.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace kiln::emulator {
namespace {

struct FormatRow {
  CUarray_format format;
  ChannelKind kind;
  std::uint8_t channel_bytes;
  std::uint8_t channels;  // 0: as in the descriptor
};

constexpr FormatRow format_rows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, ChannelKind::unsigned_int, 1, 0},
    {CU_AD_FORMAT_UNSIGNED_INT16, ChannelKind::unsigned_int, 2, 0},
    {CU_AD_FORMAT_UNSIGNED_INT32, ChannelKind::unsigned_int, 4, 0},
    {CU_AD_FORMAT_SIGNED_INT8, ChannelKind::signed_int, 1, 0},
    {CU_AD_FORMAT_SIGNED_INT16, ChannelKind::signed_int, 2, 0},
    {CU_AD_FORMAT_SIGNED_INT32, ChannelKind::signed_int, 4, 0},
    {CU_AD_FORMAT_HALF, ChannelKind::floating, 2, 0},
    {CU_AD_FORMAT_FLOAT, ChannelKind::floating, 4, 0},
    {CU_AD_FORMAT_UNORM_INT8X1, ChannelKind::unorm, 1, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, ChannelKind::unorm, 1, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, ChannelKind::unorm, 1, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, ChannelKind::unorm, 2, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, ChannelKind::unorm, 2, 2},
    {CU_AD_FORMAT_UNORM_INT16X4, ChannelKind::unorm, 2, 4},
    {CU_AD_FORMAT_SNORM_INT8X1, ChannelKind::snorm, 1, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, ChannelKind::snorm, 1, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, ChannelKind::snorm, 1, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, ChannelKind::snorm, 2, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, ChannelKind::snorm, 2, 2},
    {CU_AD_FORMAT_SNORM_INT16X4, ChannelKind::snorm, 2, 4},
};

bool of_video_or_blocks(CUarray_format format) {
  const auto number = static_cast<unsigned>(format);
  return format == CU_AD_FORMAT_NV12 || format == CU_AD_FORMAT_UNORM_INT_101010_2 ||
         (number >= CU_AD_FORMAT_BC1_UNORM && number <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar);
}

std::int32_t sign_extended(std::uint32_t bits, unsigned bytes) {
  if (bytes == 1) return static_cast<std::int8_t>(bits);
  if (bytes == 2) return static_cast<std::int16_t>(bits);
  return static_cast<std::int32_t>(bits);
}

float largest_value(ChannelKind kind, unsigned bytes) {
  const unsigned bits = bytes * 8 - (kind == ChannelKind::snorm ? 1 : 0);
  return static_cast<float>((1u << bits) - 1);
}

std::uint32_t decoded(std::uint32_t bits, Element element) {
  const unsigned bytes = element.channel_bytes;
  switch (element.kind) {
    case ChannelKind::unsigned_int:
      return bits;
    case ChannelKind::signed_int:
      return static_cast<std::uint32_t>(sign_extended(bits, bytes));
    case ChannelKind::unorm:
      return std::bit_cast<std::uint32_t>(static_cast<float>(bits) / largest_value(element.kind, bytes));
    case ChannelKind::snorm:
      // The smallest integer is -1 too.
      return std::bit_cast<std::uint32_t>(
          std::max(-1.0F, static_cast<float>(sign_extended(bits, bytes)) / largest_value(element.kind, bytes)));
    case ChannelKind::floating:
      return bytes == 2 ? std::bit_cast<std::uint32_t>(float_of_half(static_cast<std::uint16_t>(bits))) : bits;
  }
  return 0;
}

std::uint32_t encoded(std::uint32_t bits, Element element) {
  const unsigned width = element.channel_bytes * 8u;
  const float value = std::bit_cast<float>(bits);
  switch (element.kind) {
    case ChannelKind::unsigned_int:
      return width == 32 ? bits : std::min(bits, (1u << width) - 1);
    case ChannelKind::signed_int: {
      if (width == 32) return bits;
      const std::int32_t most = (1 << (width - 1)) - 1;
      return static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(bits), -most - 1, most));
    }
    case ChannelKind::unorm:
    case ChannelKind::snorm: {
      const float least = element.kind == ChannelKind::snorm ? -1.0F : 0.0F;
      const float inside = std::isnan(value) ? 0.0F : std::clamp(value, least, 1.0F);
      return static_cast<std::uint32_t>(std::lrint(inside * largest_value(element.kind, element.channel_bytes)));
    }
    case ChannelKind::floating:
      return element.channel_bytes == 2 ? half_of_float(value) : bits;
  }
  return 0;
}

float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

Element element_of(CUarray_format format, unsigned channels) {
  const auto* const row = std::find_if(std::begin(format_rows), std::end(format_rows),
                                       [&](const FormatRow& r) { return r.format == format; });
  if (row == std::end(format_rows))
    throw CallError(of_video_or_blocks(format) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE,
                    "the emulator has no array format " + std::to_string(static_cast<unsigned>(format)));
  const bool right = row->channels != 0 ? channels == row->channels : channels == 1 || channels == 2 || channels == 4;
  if (!right)
    throw CallError(CUDA_ERROR_INVALID_VALUE, "elements of " + std::to_string(channels) + " channels of array format " +
                                                  std::to_string(static_cast<unsigned>(format)));
  return {row->kind, row->channel_bytes, static_cast<std::uint8_t>(channels)};
}

Element promoted(Element element) {
  if (!element.integer() || element.channel_bytes == 4) return element;
  element.kind = element.kind == ChannelKind::unsigned_int ? ChannelKind::unorm : ChannelKind::snorm;
  return element;
}

Texel read_element(const std::byte* at, Element element, bool srgb) {
  Texel texel = {0, 0, 0, 0};  // missing channels are zero on an H200
  for (unsigned i = 0; i < element.channels; ++i)
    texel[i] = decoded(static_cast<std::uint32_t>(relaxed_load(at + i * element.channel_bytes, element.channel_bytes)),
                       element);
  if (srgb && element.kind == ChannelKind::unorm && element.channel_bytes == 1)
    for (unsigned i = 0; i < std::min<unsigned>(element.channels, 3); ++i)
      texel[i] = std::bit_cast<std::uint32_t>(linear_of_srgb(std::bit_cast<float>(texel[i])));
  return texel;
}

void write_element(std::byte* at, Element element, const Texel& values) {
  for (unsigned i = 0; i < element.channels; ++i)
    relaxed_store(at + i * element.channel_bytes, encoded(values[i], element), element.channel_bytes);
}

}  // namespace kiln::emulator
