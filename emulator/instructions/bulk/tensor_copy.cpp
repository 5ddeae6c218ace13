// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/bulk/tensor_access.hpp"
#include "emulator/instructions/memory/mbarrier.hpp"
#include "emulator/instructions/memory/memory_order.hpp"
#include "emulator/machine/async_checks.hpp"

namespace kiln::emulator {
namespace {

using ptx::Space;

// Operands: 0 the place in shared memory, 1 the map's address, 2 the barrier, 3 the mask of blocks. more: coordinates,
// then offsets of im2col. small: 0 the map's space, 1 the number of coordinates, 2 whether by im2col, 3 whether to
// several blocks. data: the name of a reduction.
TensorBox box_of(BulkAccess& access) {
  const Step& step = access.step();
  const unsigned rank = step.small[1];
  const bool im2col = step.small[2] != 0;
  const TensorMap map =
      read_tensor_map(access, static_cast<Space>(step.small[0]), access.value<std::uint64_t>(step.operand[1]));
  if (map.rank != rank)
    access.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION, "the tensor map has " + std::to_string(map.rank) +
                                                    " dimensions, and the instruction " + std::to_string(rank));
  if (map.im2col != im2col)
    access.stop(CUDA_ERROR_ILLEGAL_INSTRUCTION, map.im2col
                                                    ? "the tensor map is for im2col, and the instruction for tiles"
                                                    : "the tensor map is for tiles, and the instruction for im2col");
  BoxPlace place;
  for (unsigned i = 0; i < rank; ++i) place.at[i] = access.value<std::int32_t>(step.more[i]);
  for (std::size_t i = rank; i < step.more.size(); ++i)
    place.offsets[i - rank] = access.value<std::uint16_t>(step.more[i]);
  return {access, map, place};
}

void load_tensor(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    TensorBox box = box_of(access);
    const auto to = access.value<std::uint64_t>(step.operand[0]),
               barrier = access.value<std::uint64_t>(step.operand[2]);
    const auto load = [&](std::uint64_t target, std::uint64_t its_barrier) {
      {
        const AsyncScope scope(warp, AsyncKind::bulk_load, its_barrier);
        box.load(target);
      }
      complete_transactions(step, warp, lane, its_barrier, static_cast<std::uint32_t>(box.bytes()));
    };
    if (step.small[3] == 0) return load(to, barrier);
    access.in_blocks(access.value<std::uint16_t>(step.operand[3]), to, barrier, load);
  });
}

void store_tensor(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const auto from = access.value<std::uint64_t>(step.operand[0]);
    TensorBox box = box_of(access);
    const AsyncScope scope(warp, AsyncKind::bulk_store);
    if (step.data == nullptr) return box.store(from);
    box.reduce(from, *static_cast<const std::string_view*>(step.data));
  });
}

// Moves nothing, but the map must be one, and fit.
void prefetch_tensor(const Step& step, Warp& warp, LaneMask active) {
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    box_of(access);
  });
}

unsigned dimensions(const ptx::Instruction& instruction, Lowering& lowering) {
  constexpr std::string_view names[] = {"1d", "2d", "3d", "4d", "5d"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (instruction.has(names[i])) return i + 1;
  refuse(lowering, "Instruction 'cp' needs the number of dimensions");
}

// What names the tensor: "[map, {coordinates}]", and the offsets of im2col.
struct TensorOperand {
  AddressValues map;
  std::vector<Slot> coordinates;
  unsigned rank = 0;
  bool im2col = false;
  void put(Step& step, Lowering& lowering) const {
    step.operand[1] = map.slot;
    step.more = lowering.keep(coordinates);
    step.small[0] = static_cast<std::uint8_t>(map.space);
    step.small[1] = static_cast<std::uint8_t>(rank);
    step.small[2] = im2col ? 1 : 0;
  }
};

TensorOperand tensor_operand(const ptx::Operand& operand, Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  TensorOperand made;
  made.rank = dimensions(instruction, lowering);
  made.im2col = instruction.has("im2col") || instruction.has("im2col_no_offs");
  if (operand.kind != ptx::Operand::Kind::texture || operand.elements.size() != 2) refuse_types(lowering);
  const auto coordinates = elements_of(operand.elements[1]);
  if (coordinates.size() != made.rank || (made.im2col && made.rank < 3)) refuse_types(lowering);
  for (const ptx::Operand& each : coordinates) made.coordinates.push_back(lowering.in(each, ptx::Type::s32));
  made.map = address_values(operand.elements[0], Space::generic, lowering);
  return made;
}

void add_offsets(TensorOperand& tensor, const ptx::Operand& operand, Lowering& lowering) {
  const auto offsets = elements_of(operand);
  if (offsets.size() != tensor.rank - 2) refuse_types(lowering);
  for (const ptx::Operand& each : offsets) tensor.coordinates.push_back(lowering.in(each, ptx::Type::b16));
}

void lower_tensor_prefetch(const ptx::Instruction& instruction, Lowering& lowering) {
  const std::size_t offsets = instruction.has("im2col") ? 1 : 0, hints = instruction.has("L2::cache_hint") ? 1 : 0;
  expect_operands(lowering, 1 + offsets + hints);
  TensorOperand tensor = tensor_operand(instruction.operands[0], lowering);
  if (offsets != 0) add_offsets(tensor, instruction.operands[1], lowering);
  tensor.put(lowering.emit(prefetch_tensor), lowering);
}

void lower_tensor_load(const ptx::Instruction& instruction, Lowering& lowering) {
  const std::size_t offsets = instruction.has("im2col") ? 1 : 0, hints = instruction.has("L2::cache_hint") ? 1 : 0;
  const bool multicast = instruction.has("multicast::cluster");
  if (instruction.has("im2col_no_offs") || instruction.has("reduce")) refuse_types(lowering);
  expect_operands(lowering, 3 + offsets + (multicast ? 1 : 0) + hints);
  const Slot to = address_values(instruction.operands[0], Space::shared, lowering).slot;
  TensorOperand tensor = tensor_operand(instruction.operands[1], lowering);
  const Slot barrier = address_values(instruction.operands[2], Space::shared, lowering).slot;
  if (offsets != 0) add_offsets(tensor, instruction.operands[3], lowering);
  const Slot blocks = multicast ? lowering.in(instruction.operands[3 + offsets], ptx::Type::b16) : Slot{};
  Step& step = lowering.emit(load_tensor);
  tensor.put(step, lowering);
  step.operand[0] = to;
  step.operand[2] = barrier;
  step.operand[3] = blocks;
  step.small[3] = multicast ? 1 : 0;
}

void lower_tensor_store(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("im2col")) refuse_types(lowering);
  expect_operands(lowering, instruction.has("L2::cache_hint") ? 3 : 2);
  const TensorOperand tensor = tensor_operand(instruction.operands[0], lowering);
  const Slot from = address_values(instruction.operands[1], Space::shared, lowering).slot;
  const void* reduction = nullptr;
  if (instruction.has("reduce")) {
    if (bulk_reduction_of(instruction).empty()) refuse_types(lowering);
    reduction = lowering.keep_data(std::make_shared<std::string_view>(bulk_reduction_of(instruction)));
  }
  Step& step = lowering.emit(store_tensor);
  tensor.put(step, lowering);
  step.operand[0] = from;
  step.data = reduction;
}

}  // namespace

void lower_tensor_copy(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("prefetch")) return lower_tensor_prefetch(instruction, lowering);
  const CopyEnds ends = copy_ends(instruction);
  if (ends.from == Space::none || ends.to == ends.from) refuse_types(lowering);
  check_completion(instruction, lowering, ends.to);
  if (ends.to == Space::shared) return lower_tensor_load(instruction, lowering);
  lower_tensor_store(instruction, lowering);
}

}  // namespace kiln::emulator
