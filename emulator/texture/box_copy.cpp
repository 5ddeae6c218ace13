#include "emulator/texture/box_copy.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/memory/relaxed_copy.hpp"
#include "emulator/memory/virtual_memory.hpp"
#include "emulator/texture/objects.hpp"

#include <cstring>
#include <limits>
#include <string>

namespace kiln::emulator {
namespace {

constexpr std::size_t most_pitch = 0x7FFFFFFF;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH

[[noreturn]] void refuse_box(const char* side, const std::string& why) {
  throw CallError(CUDA_ERROR_INVALID_VALUE, std::string("the ") + side + " of the copy: " + why);
}

/// begin + size <= limit, without overflow.
bool within(std::size_t begin, std::size_t size, std::size_t limit) { return begin <= limit && size <= limit - begin; }

bool multiply_fits(std::size_t a, std::size_t b) { return b == 0 || a <= std::numeric_limits<std::size_t>::max() / b; }

/// The size of the range from the first byte to the last one.
std::uint64_t span_of(const BoxEnd& end, const CopyExtent& extent) {
  return (extent.depth - 1) * end.slice_bytes + (extent.height - 1) * end.row_bytes + extent.width_in_bytes;
}

bool lies_in_allocation(const BoxEnd& end, const CopyExtent& extent) {
  const auto address = reinterpret_cast<std::uint64_t>(end.first);
  const auto found = AddressSpace::get().find(address);
  return found && within(address - found->base, span_of(end, extent), found->size);
}

bool only_reads_allowed(const BoxEnd& end, const CopyExtent& extent) {
  return VirtualMemory::get()
      .first_read_only(reinterpret_cast<std::uint64_t>(end.first), span_of(end, extent))
      .has_value();
}

BoxEnd array_end(const char* name, const CopySide& side, const CopyExtent& extent) {
  BoxEnd end;
  end.array = array_of(side.array);
  const Texels& texels = end.array->texels();
  const std::uint32_t element = texels.element.size();
  if (side.x_in_bytes % element != 0 || extent.width_in_bytes % element != 0)
    refuse_box(name, "bytes that are no whole elements of " + std::to_string(element) + " bytes");
  if (!within(side.x_in_bytes, extent.width_in_bytes, texels.width_bytes()) ||
      !within(side.y, extent.height, texels.height) || !within(side.z, extent.depth, texels.depth))
    refuse_box(name, "beyond the bounds of a " + end.array->text());
  end.first = texels.at(side.x_in_bytes, side.y, side.z);
  end.row_bytes = texels.row_bytes;
  end.slice_bytes = texels.slice_bytes;
  return end;
}

BoxEnd memory_end(const char* name, const CopySide& side, const CopyExtent& extent) {
  if (side.address == 0) refuse_box(name, "a null pointer");
  if (side.pitch > most_pitch) refuse_box(name, "a pitch of more than " + std::to_string(most_pitch) + " bytes");
  if (!within(side.x_in_bytes, extent.width_in_bytes, side.pitch))
    refuse_box(name, "a pitch of " + std::to_string(side.pitch) + " bytes, less than the end of a row");
  const bool many = extent.depth > 1 || side.z != 0;
  if (many && !within(side.y, extent.height, side.height))
    refuse_box(name, "a height of " + std::to_string(side.height) + " rows, less than the copy needs");
  if (!multiply_fits(side.pitch, side.height) || !multiply_fits(side.pitch * side.height, side.z + extent.depth) ||
      !multiply_fits(side.pitch, side.y + extent.height))
    refuse_box(name, "sizes beyond all memory");
  BoxEnd end;
  end.row_bytes = side.pitch;
  end.slice_bytes = side.pitch * side.height;
  end.first =
      reinterpret_cast<std::byte*>(side.address + side.z * end.slice_bytes + side.y * end.row_bytes + side.x_in_bytes);
  const bool known = AddressSpace::get().find(side.address) || VirtualMemory::get().range(side.address);
  end.allocated = side.type == CU_MEMORYTYPE_DEVICE || known;
  end.pageable = !end.allocated;
  if (end.allocated && !lies_in_allocation(end, extent)) refuse_box(name, "memory that lies in no allocation");
  return end;
}

BoxEnd checked_end(const char* name, const CopySide& side, const CopyExtent& extent) {
  if (side.level != 0) refuse_box(name, "a level of detail other than 0");
  switch (side.type) {
    case CU_MEMORYTYPE_ARRAY:
      return array_end(name, side, extent);
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return memory_end(name, side, extent);
    default:
      refuse_box(name, "a type of memory that is not known");
  }
}

template <class CopyRow>
void each_row(const CopyExtent& extent, CopyRow copy_row) {
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) copy_row(y, z);
}

const std::byte* box_row(const BoxEnd& end, std::size_t y, std::size_t z) {
  return end.first + z * end.slice_bytes + y * end.row_bytes;
}

}  // namespace

BoxCopy checked_copy(const CopySide& source, const CopySide& target, const CopyExtent& extent) {
  BoxCopy copy;
  copy.extent = extent;
  if (copy.empty()) return copy;
  copy.source = checked_end("source", source, extent);
  copy.target = checked_end("target", target, extent);
  if (copy.target.allocated && only_reads_allowed(copy.target, extent))
    refuse_box("target", "memory that cuMemSetAccess lets be read only");
  if (copy.source.array && copy.target.array &&
      copy.source.array->texels().element.size() != copy.target.array->texels().element.size())
    refuse_box("target", "an array whose elements have another size than the source's");
  return copy;
}

CUresult BoxCopy::run() const {
  if (empty()) return CUDA_SUCCESS;
  for (const BoxEnd* end : {&source, &target})
    if (end->allocated && !lies_in_allocation(*end, extent)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  each_row(extent, [&](std::size_t y, std::size_t z) {
    std::byte* const row = const_cast<std::byte*>(box_row(target, y, z));
    relaxed_copy(row, box_row(source, y, z), extent.width_in_bytes);
    if (target.allocated) AddressSpace::get().mark_written(reinterpret_cast<std::uint64_t>(row), extent.width_in_bytes);
  });
  return CUDA_SUCCESS;
}

void BoxCopy::stage() {
  if (empty()) return;
  const auto bytes = std::make_shared<std::vector<std::byte>>(extent.width_in_bytes * extent.height * extent.depth);
  std::byte* next = bytes->data();
  each_row(extent, [&](std::size_t y, std::size_t z) {
    std::memcpy(next, box_row(source, y, z), extent.width_in_bytes);
    next += extent.width_in_bytes;
  });
  source = BoxEnd{};
  source.first = bytes->data();
  source.row_bytes = extent.width_in_bytes;
  source.slice_bytes = extent.width_in_bytes * extent.height;
  staged = bytes;
}

}  // namespace kiln::emulator
