// tensormap.replace and tensormap.cp_fenceproxy: kernels that change tensor maps.
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/bulk/tensor_access.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"

#include <iterator>

namespace kiln::emulator {
namespace {

using ptx::Space;

// Changes a field. False where the value is none of it. `which`: of the fields of several dimensions.
using Change = bool (*)(TensorMap& map, unsigned which, std::uint64_t value);

constexpr unsigned most_dimensions = 5;

bool set_address(TensorMap& map, unsigned, std::uint64_t value) {
  map.address = value;
  return value % address_alignment(map) == 0;
}
bool set_rank(TensorMap& map, unsigned, std::uint64_t value) {
  map.rank = static_cast<std::uint32_t>(value) + 1;  // the value is one less
  return value < most_dimensions;
}
bool set_box(TensorMap& map, unsigned which, std::uint64_t value) {
  map.box.at(which) = static_cast<std::uint32_t>(value);
  return value >= 1 && value <= 256;
}
bool set_size(TensorMap& map, unsigned which, std::uint64_t value) {
  map.sizes.at(which) = value;
  return value >= 1;
}
bool set_stride(TensorMap& map, unsigned which, std::uint64_t value) {
  if (which >= map.strides.size()) return false;
  map.strides.at(which) = value;
  return value % 16 == 0 && value >> 40 == 0;
}
bool set_element_stride(TensorMap& map, unsigned which, std::uint64_t value) {
  map.element_strides.at(which) = static_cast<std::uint32_t>(value);
  return value >= 1 && value <= 8;
}
// PTX numbers the types otherwise than cuda.h.
bool set_type(TensorMap& map, unsigned, std::uint64_t value) {
  constexpr CUtensorMapDataType types[] = {
      CU_TENSOR_MAP_DATA_TYPE_UINT8,       CU_TENSOR_MAP_DATA_TYPE_UINT16,   CU_TENSOR_MAP_DATA_TYPE_UINT32,
      CU_TENSOR_MAP_DATA_TYPE_INT32,       CU_TENSOR_MAP_DATA_TYPE_UINT64,   CU_TENSOR_MAP_DATA_TYPE_INT64,
      CU_TENSOR_MAP_DATA_TYPE_FLOAT16,     CU_TENSOR_MAP_DATA_TYPE_FLOAT32,  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
      CU_TENSOR_MAP_DATA_TYPE_FLOAT64,     CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
      CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ};
  if (value >= std::size(types)) return false;
  map.type = types[value];
  return true;
}
bool set_interleave(TensorMap& map, unsigned, std::uint64_t value) {
  map.interleave = static_cast<CUtensorMapInterleave>(value);
  return value <= CU_TENSOR_MAP_INTERLEAVE_32B;
}
bool set_swizzle(TensorMap& map, unsigned, std::uint64_t value) {
  map.swizzle = static_cast<CUtensorMapSwizzle>(value);
  return value <= CU_TENSOR_MAP_SWIZZLE_128B;
}
bool set_fill(TensorMap& map, unsigned, std::uint64_t value) {
  map.fill = static_cast<CUtensorMapFloatOOBfill>(value);
  return value <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
}
bool keep_atoms(TensorMap&, unsigned, std::uint64_t value) { return value == 0; }  // others are of sm_100

struct Field {
  std::string_view name;
  Change change;
  bool has_dimensions;
};
constexpr Field fields[] = {
    {"global_address", set_address, false},
    {"rank", set_rank, false},
    {"box_dim", set_box, true},
    {"global_dim", set_size, true},
    {"global_stride", set_stride, true},
    {"element_stride", set_element_stride, true},
    {"elemtype", set_type, false},
    {"interleave_layout", set_interleave, false},
    {"swizzle_mode", set_swizzle, false},
    {"fill_mode", set_fill, false},
    {"swizzle_atomicity", keep_atoms, false},
};

const Field* field_of(const ptx::Instruction& instruction) {
  for (const Field& field : fields)
    if (instruction.has(field.name)) return &field;
  return nullptr;
}

// Operands: 0 the address, 1 the value, 2 the dimension. small: 0 the space, 1 the size of the value.
void replace_field(const Step& step, Warp& warp, LaneMask active) {
  const auto& field = *static_cast<const Field*>(step.data);
  const auto space = static_cast<Space>(step.small[0]);
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const auto at = access.value<std::uint64_t>(step.operand[0]);
    TensorMap map = read_tensor_map(access, space, at);
    const std::uint64_t value = step.small[1] == 8 ? access.value<std::uint64_t>(step.operand[1])
                                                   : access.value<std::uint32_t>(step.operand[1]);
    const auto which = access.value<std::uint32_t>(step.operand[2]);
    if (which >= most_dimensions || !field.change(map, which, value))
      access.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                  std::to_string(value) + " cannot be the " + std::string(field.name) + " of a tensor map" +
                      (field.has_dimensions ? ", dimension " + std::to_string(which) : ""));
    const TensorMapBytes bytes = encoded(map);
    access.write(space, at, bytes.data(), bytes.size());
  });
}

void lower_replace(const ptx::Instruction& instruction, Lowering& lowering) {
  const Field* const field = field_of(instruction);
  if (field == nullptr || !instruction.has("tile")) throw Unsupported{"this form of tensormap.replace"};
  expect_operands(lowering, field->has_dimensions ? 3 : 2);
  const ptx::Type type = type_of(lowering);  // .b1024 is none
  const AddressValues at = address_values(instruction.operands[0], stated_space(instruction), lowering);
  const Slot which =
      field->has_dimensions ? lowering.in(instruction.operands[1], ptx::Type::b32) : lowering.constant(0, 4);
  const Slot value = lowering.in(instruction.operands.back(), type);
  Step& step = lowering.emit(replace_field);
  step.operand[0] = at.slot;
  step.operand[1] = value;
  step.operand[2] = which;
  step.small[0] = static_cast<std::uint8_t>(at.space);
  step.small[1] = static_cast<std::uint8_t>(ptx::size_of(type));
  step.data = field;
}

// All lanes name the same places, so one of them copies.
void copy_map(const Step& step, Warp& warp, LaneMask active) {
  BulkAccess access(step, warp, first_lane(active));
  const auto to = access.value<std::uint64_t>(step.operand[0]), from = access.value<std::uint64_t>(step.operand[1]);
  access.require_multiple("the target of tensormap.cp_fenceproxy,", to, 128);
  access.require_multiple("the source of tensormap.cp_fenceproxy,", from, 128);
  TensorMapBytes bytes;
  access.read(Space::shared, from, bytes.data(), bytes.size());
  access.write(Space::global, to, bytes.data(), bytes.size());
}

void lower_fenced_copy(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3);
  const ptx::Operand& size = instruction.operands[2];
  if (size.kind != ptx::Operand::Kind::immediate || size.bits != sizeof(TensorMapBytes))
    refuse(lowering, "tensormap.cp_fenceproxy copies 128 bytes");
  const Slot to = address_values(instruction.operands[0], Space::global, lowering).slot;
  const Slot from = address_values(instruction.operands[1], Space::shared, lowering).slot;
  Step& step = lowering.emit(copy_map);
  step.operand[0] = to;
  step.operand[1] = from;
  emit_fence(lowering);
}

}  // namespace

void lower_tensor_map(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("replace")) return lower_replace(instruction, lowering);
  if (instruction.has("cp_fenceproxy")) return lower_fenced_copy(instruction, lowering);
  throw Unsupported{"this form of tensormap"};
}

}  // namespace kiln::emulator
