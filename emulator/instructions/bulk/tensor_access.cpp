#include "emulator/instructions/bulk/tensor_access.hpp"
#include "emulator/core/addresses.hpp"

#include <cstring>

namespace kiln::emulator {
namespace {

using ptx::Space;

constexpr unsigned chunk = 16;  // bytes that a swizzle moves together

// As an H200 fills, whatever the type.
constexpr std::uint16_t nan_fill = 0x7FF7;

std::vector<std::byte> filled(const TensorMap& map, std::uint32_t size) {
  std::vector<std::byte> bytes(size);
  if (map.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return bytes;
  for (std::uint32_t i = 0; i + sizeof nan_fill <= size; i += unsigned{sizeof nan_fill})
    std::memcpy(&bytes[i], &nan_fill, sizeof nan_fill);
  return bytes;
}

// To the nearest value of 10 bits of mantissa, of two the even one. As an H200 does, also for the type with .ftz, which
// flushes nothing.
std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t infinity = 0x7F800000, nan = 0x7FFFE000, dropped = 0x1FFF;
  if ((bits & 0x7FFFFFFFu) > infinity) return nan;
  return (bits + (dropped >> 1) + (bits >> 13 & 1u)) & ~dropped;
}

void convert(const TensorMap& map, std::byte* bytes, std::uint32_t size) {
  if (map.type != CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 && map.type != CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) return;
  for (std::uint32_t i = 0; i < size; i += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes + i, sizeof value);
    value = rounded_to_tf32(value);
    std::memcpy(bytes + i, &value, sizeof value);
  }
}

std::string_view type_name(CUtensorMapDataType type, bool bitwise) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
      return bitwise ? "b32" : "u32";
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
      return bitwise ? "b32" : "s32";
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
      return bitwise ? "b64" : "u64";
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
      return bitwise ? "b64" : "s64";
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
      return "f16";
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return "bf16";
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
      return "f32";
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return "f64";
    default:
      return {};
  }
}

bool is_bitwise(std::string_view operation) { return operation == "and" || operation == "or" || operation == "xor"; }

}  // namespace

TensorMap read_tensor_map(BulkAccess& access, Space space, std::uint64_t address) {
  access.require_multiple("the address of a tensor map,", address, 64);
  TensorMapBytes bytes;
  access.read(space, address, bytes.data(), bytes.size());
  TensorMap map;
  if (!decode(bytes, map))
    access.stop(
        CUDA_ERROR_ILLEGAL_INSTRUCTION,
        "no tensor map that cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col has made is at " + address_text(address));
  return map;
}

TensorBox::TensorBox(BulkAccess& access, const TensorMap& map, const BoxPlace& place)
    : access_(access), map_(map), place_(place) {
  if (map.im2col) check_corner();
  if (map.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return;
  const std::int64_t first = std::int64_t{place.at[0]} * element_bytes(map.type);
  if (first % chunk != 0)
    access.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                "the innermost coordinate, " + std::to_string(place.at[0]) + ", is no multiple of 16 bytes");
  if (row_bytes(map) % chunk != 0)
    access.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                "a line of the box, " + std::to_string(row_bytes(map)) + " bytes, is no multiple of 16 bytes");
}

// An H100 ends the kernel where the first pixel is outside of the bounding box; images and channels may be anywhere.
void TensorBox::check_corner() const {
  const std::uint32_t first = first_pixel_dimension(map_);
  for (std::uint32_t i = 0; i + 2 < map_.rank; ++i) {
    const std::int64_t at = place_.at[first + i], lower = map_.lower_corner[i];
    const std::int64_t upper = static_cast<std::int64_t>(map_.sizes[first + i]) + map_.upper_corner[i];
    if (at < lower || at >= upper)
      access_.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION, "the coordinate " + std::to_string(at) + " of dimension " +
                                                       std::to_string(first + i) +
                                                       " is outside of the map's bounding box, which goes from " +
                                                       std::to_string(lower) + " to " + std::to_string(upper - 1));
  }
}

// Calls use(row, address of its first byte before swizzling).
template <class Use>
void TensorBox::each_row(std::uint64_t shared, Use use) {
  constexpr std::uint64_t pattern = 128;
  access_.require_multiple("the place of a box in shared memory,", shared, pattern);
  if (bytes() > 1u << 20) access_.stop(CUDA_ERROR_ILLEGAL_ADDRESS, "a box is larger than shared memory");
  const std::uint32_t size = row_bytes(map_);
  std::uint64_t at = shared;
  for (const BoxRow& row : box_rows(map_, place_)) {
    use(row, at);
    at += size;
  }
}

std::vector<std::byte> TensorBox::from_tensor(const BoxRow& row) {
  std::vector<std::byte> bytes = filled(map_, row.before + row.inside + row.after);
  access_.read(Space::global, row.address, bytes.data() + row.before, row.inside);
  convert(map_, bytes.data() + row.before, row.inside);
  return bytes;
}

std::vector<std::byte> TensorBox::from_shared(std::uint64_t first, std::uint32_t size) {
  std::vector<std::byte> bytes(size);
  for (std::uint32_t i = 0; i < size; i += chunk)
    access_.read(Space::shared, swizzled(first + i, map_.swizzle), &bytes[i], chunk);
  return bytes;
}

void TensorBox::load(std::uint64_t shared) {
  each_row(shared, [&](const BoxRow& row, std::uint64_t at) {
    const std::vector<std::byte> bytes = from_tensor(row);
    for (std::uint32_t i = 0; i < bytes.size(); i += chunk)
      access_.write(Space::shared, swizzled(at + i, map_.swizzle), &bytes[i], chunk);
  });
}

// As an H100 does, which loads from such places and by such maps.
void TensorBox::check_place_of_store() const {
  for (unsigned i = 0; i < map_.rank; ++i)
    if (place_.at[i] < 0)
      access_.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                   "stores a box at the coordinate " + std::to_string(place_.at[i]) + ", which must not be negative");
  for (unsigned i = 0; map_.im2col && i + 2 < map_.rank; ++i)
    if (map_.lower_corner[i] != 0 || map_.upper_corner[i] != 0)
      access_.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                   "stores pixels by a map whose pixelBoxLowerCorner and pixelBoxUpperCorner are not all 0");
}

void TensorBox::store(std::uint64_t shared) {
  check_place_of_store();
  each_row(shared, [&](const BoxRow& row, std::uint64_t at) {
    const std::vector<std::byte> bytes = from_shared(at, row_bytes(map_));
    access_.write(Space::global, row.address, bytes.data() + row.before, row.inside);
  });
}

void TensorBox::reduce(std::uint64_t shared, std::string_view operation) {
  const AtomicRow* const update = atomic_row_of(operation, type_name(map_.type, is_bitwise(operation)));
  if (update == nullptr)
    access_.stop(CUDA_ERROR_NOT_SUPPORTED,
                 "the emulator does not do ." + std::string(operation) + " on elements of the tensor map's type");
  check_place_of_store();
  each_row(shared, [&](const BoxRow& row, std::uint64_t at) {
    const std::vector<std::byte> bytes = from_shared(at, row_bytes(map_));
    access_.update(Space::global, row.address, bytes.data() + row.before, row.inside, *update);
  });
}

}  // namespace kiln::emulator
