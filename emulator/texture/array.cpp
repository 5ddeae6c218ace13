#include "emulator/texture/array.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/memory/address_space.hpp"
#include "toolkit/driver/array_kind.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace kiln::emulator {
namespace {

// So that an access of up to 16 bytes that is aligned within its row is aligned in memory.
constexpr std::uint64_t row_alignment = 16;

std::uint32_t at_least_one(std::size_t size) { return static_cast<std::uint32_t>(std::max<std::size_t>(size, 1)); }

bool has_layers(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  return (descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
}

CUDA_ARRAY3D_DESCRIPTOR level_of(CUDA_ARRAY3D_DESCRIPTOR descriptor, unsigned level) {
  const auto shrink = [&](std::size_t& size) {
    if (size != 0) size = std::max<std::size_t>(size >> level, 1);
  };
  shrink(descriptor.Width);
  shrink(descriptor.Height);
  if (!has_layers(descriptor)) shrink(descriptor.Depth);
  return descriptor;
}

unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  const std::size_t depth = has_layers(descriptor) ? 0 : descriptor.Depth;
  unsigned levels = 0;
  for (std::size_t size = std::max({descriptor.Width, descriptor.Height, depth}); size != 0; size /= 2) ++levels;
  return levels;
}

bool fits(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const ArrayKind::Limits& limits, int device) {
  const std::array<std::size_t, 3> size = {descriptor.Width, descriptor.Height, descriptor.Depth};
  for (std::size_t i = 0; i < size.size(); ++i) {
    if ((size[i] == 0) != (limits[i] == 0)) return false;
    if (size[i] == 0) continue;
    const int most = device_attribute(device, static_cast<CUdevice_attribute>(limits[i]));
    if (size[i] > static_cast<std::size_t>(most)) return false;
  }
  return true;
}

[[noreturn]] void refuse_array(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const char* why) {
  throw CallError(CUDA_ERROR_INVALID_VALUE, "an array of " + std::to_string(descriptor.Width) + " x " +
                                                std::to_string(descriptor.Height) + " x " +
                                                std::to_string(descriptor.Depth) + ", flags " +
                                                std::to_string(descriptor.Flags) + ": " + why);
}

void check_flags(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  constexpr unsigned done = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                            CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  constexpr unsigned known = done | CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                             CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
  if ((descriptor.Flags & ~known) != 0) refuse_array(descriptor, "a flag that is not known");
  if ((descriptor.Flags & ~done) != 0)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "the emulator has no depth, sparse, deferred or video arrays");
}

/// Throws CallError(CUDA_ERROR_INVALID_VALUE) for an impossible shape, or one beyond the limits of the device.
void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped, int device) {
  check_flags(descriptor);
  const auto has = [&](unsigned flag) { return (descriptor.Flags & flag) != 0; };
  if (has(CUDA_ARRAY3D_CUBEMAP)) {
    if (descriptor.Width != descriptor.Height) refuse_array(descriptor, "the faces of a cubemap are squares");
    if (has(CUDA_ARRAY3D_LAYERED) ? descriptor.Depth % 6 != 0 : descriptor.Depth != 6)
      refuse_array(descriptor, "a cubemap has six faces");
  }
  if (has(CUDA_ARRAY3D_TEXTURE_GATHER) && (descriptor.Height == 0 || descriptor.Depth != 0))
    refuse_array(descriptor, "gathers are for 2-D arrays");
  const ArrayKind& kind = array_kind(descriptor, mipmapped);
  const bool has_alternate = kind.texture_alternate[0] != 0;
  if (!fits(descriptor, kind.texture, device) && !(has_alternate && fits(descriptor, kind.texture_alternate, device)))
    refuse_array(descriptor, "beyond the limits of arrays of its kind");
  if (has(CUDA_ARRAY3D_SURFACE_LDST) && !fits(descriptor, kind.surface, device))
    refuse_array(descriptor, "beyond the limits of surfaces of its kind");
}

}  // namespace

Array::Array(const CUDA_ARRAY3D_DESCRIPTOR& of, Owner by, bool is_level)
    : descriptor(of), owner(by), is_level_(is_level) {
  texels_.element = element_of(descriptor.Format, descriptor.NumChannels);
  check_shape(descriptor, is_level, owner.device);
  texels_.width = at_least_one(descriptor.Width);
  texels_.height = at_least_one(descriptor.Height);
  texels_.depth = at_least_one(descriptor.Depth);
  texels_.row_bytes = (texels_.width_bytes() + row_alignment - 1) / row_alignment * row_alignment;
  texels_.slice_bytes = texels_.row_bytes * texels_.height;
  const std::uint64_t address =
      AddressSpace::get().allocate(texels_.slice_bytes * texels_.depth, Allocation::Kind::device, owner.device);
  if (address == 0) throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "no memory for a " + text());
  texels_.data = reinterpret_cast<std::byte*>(address);
}

Array::~Array() { AddressSpace::get().release(reinterpret_cast<std::uint64_t>(texels_.data)); }

std::string Array::text() const {
  std::string sizes = std::to_string(descriptor.Width);
  if (descriptor.Height != 0) sizes += " x " + std::to_string(descriptor.Height);
  if (descriptor.Depth != 0) sizes += " x " + std::to_string(descriptor.Depth);
  return sizes + (has(CUDA_ARRAY3D_LAYERED) ? " layered" : "") + (has(CUDA_ARRAY3D_CUBEMAP) ? " cubemap" : " array");
}

MipmappedArray::MipmappedArray(const CUDA_ARRAY3D_DESCRIPTOR& of, unsigned level_count, Owner by)
    : descriptor(of), owner(by) {
  element_of(of.Format, of.NumChannels);
  check_shape(of, true, by.device);
  const unsigned count = std::clamp(level_count, 1u, most_levels(of));  // as the driver does
  for (unsigned level = 0; level < count; ++level)
    levels.push_back(std::make_shared<Array>(level_of(of, level), by, true));
}

}  // namespace kiln::emulator
