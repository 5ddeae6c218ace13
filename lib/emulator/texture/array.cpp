#include "emulator/texture/array.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/texture/array_limits.hpp"

#include <algorithm>
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
