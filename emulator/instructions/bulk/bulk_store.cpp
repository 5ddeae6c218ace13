// st.bulk: zeros in shared memory.
#include "emulator/instructions/bulk/bulk_access.hpp"
#include "emulator/instructions/bulk/bulk_forms.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/memory/memory_order.hpp"

#include <vector>

namespace kiln::emulator {
namespace {

void store_zeros(const Step& step, Warp& warp, LaneMask active) {
  constexpr std::uint64_t largest = 16777216;
  each_lane(active, [&](unsigned lane) {
    BulkAccess access(step, warp, lane);
    const auto size = access.value<std::uint64_t>(step.operand[1]);
    auto to = access.value<std::uint64_t>(step.operand[0]);
    access.require_multiple("the size of st.bulk,", size, 8);
    access.require_multiple("the target of st.bulk,", to, 8);
    if (size > largest) access.stop(CUDA_ERROR_ILLEGAL_ADDRESS, "st.bulk of more than 16777216 bytes");
    const std::vector<std::byte> zeros(size);
    access.write(static_cast<ptx::Space>(step.small[0]), to, zeros.data(), size);
  });
}

}  // namespace

void lower_bulk_store(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 3);
  const ptx::Operand& value = instruction.operands[2];
  if (value.kind != ptx::Operand::Kind::immediate || value.bits != 0) refuse(lowering, "st.bulk stores zeros only");
  const AddressValues to = address_values(instruction.operands[0], stated_space(instruction), lowering);
  const Slot size = lowering.in(instruction.operands[1], ptx::Type::b64);
  Step& step = lowering.emit(store_zeros);
  step.operand[0] = to.slot;
  step.operand[1] = size;
  step.small[0] = static_cast<std::uint8_t>(to.space);
}

}  // namespace kiln::emulator
