#include "emulator/machine/group_checks.hpp"

#include "emulator/machine/block.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace kiln::emulator {
namespace {

// Registers of frames that have ended are forgotten where there are more.
constexpr std::size_t most_group_registers = 4096;

const Frame& frame_of(const Warp& warp) { return *warp.current().frame; }

std::string register_name(const Code& code, std::uint32_t number) {
  return std::string(code.source->registers.at(number).name);
}

[[noreturn]] void stop_group(LaneMask lanes, const std::string& text) {
  throw Fault(CUDA_ERROR_LAUNCH_FAILED, first_lane(lanes), text);
}

// The registers of a matrix.
std::vector<std::uint32_t> numbers_of(const ptx::Operand& matrix) {
  std::vector<std::uint32_t> numbers;
  if (matrix.kind != ptx::Operand::Kind::vector) return numbers;
  for (const ptx::Operand& element : matrix.elements)
    if (element.kind == ptx::Operand::Kind::reg) numbers.push_back(element.index);
  return numbers;
}

// n of ".m64n128k16"
std::uint32_t product_columns(const ptx::Instruction& product) {
  for (const std::string_view modifier : product.modifiers) {
    if (modifier.substr(0, 4) != "m64n") continue;
    std::uint32_t columns = 0;
    std::from_chars(modifier.data() + 4, modifier.data() + modifier.size(), columns);
    return columns;
  }
  return 0;
}

}  // namespace

GroupChecks* group_checks(Warp& warp) {
  MemoryChecks* const checks = warp.block().checks();
  return checks == nullptr ? nullptr : checks->group();
}

void GroupChecks::fence(const Warp& warp) {
  WarpState& state = warps_[warp.index()];
  state.fenced = ++state.now;
}

void GroupChecks::commit(const Warp& warp) { ++warps_[warp.index()].group; }

void GroupChecks::wait(const Warp& warp, std::uint64_t pending) {
  WarpState& state = warps_[warp.index()];
  const std::uint64_t committed = state.group - 1;
  if (committed > pending) state.complete = std::max(state.complete, committed - pending);
}

void GroupChecks::product(const Warp& warp, const Step& step) {
  WarpState& state = warps_[warp.index()];
  const Frame& frame = frame_of(warp);
  const ptx::Instruction& instruction = frame.code->source->instructions.at(step.instruction);
  const std::uint32_t columns = product_columns(instruction);
  const auto check = [&](std::uint32_t number, bool accumulates) {
    const Register& known = state.registers[{frame.serial, number}];
    const std::string name = register_name(*frame.code, number);
    if (known.written > state.fenced)
      stop_group(all_lanes, "a missing fence: comes to wgmma.mma_async with " + name +
                                ", which was written with no wgmma.fence between; it was written at " +
                                places_text(*known.writer.code, known.writer.step->instruction));
    if (accumulates && known.accumulated != 0 && known.multiplied > state.fenced && known.columns != columns)
      stop_group(all_lanes, "a missing fence: comes to wgmma.mma_async with the accumulator " + name +
                                " of one of another shape, with no wgmma.fence between; the other one is at " +
                                places_text(*known.product.code, known.product.step->instruction));
  };
  if (state.fenced == 0) stop_group(all_lanes, "a missing fence: comes to wgmma.mma_async with no wgmma.fence before");
  const std::vector<std::uint32_t> accumulators = numbers_of(instruction.operands.at(0));
  const std::vector<std::uint32_t> rows = numbers_of(instruction.operands.at(1));
  for (const std::uint32_t number : rows) check(number, false);
  for (const std::uint32_t number : accumulators) check(number, true);
  ++state.now;
  const Place place{frame.code, &step};
  for (const std::uint32_t number : rows) {
    Register& known = state.registers[{frame.serial, number}];
    known.read = state.group;
    known.product = place;
  }
  for (const std::uint32_t number : accumulators) {
    Register& known = state.registers[{frame.serial, number}];
    known.accumulated = state.group;
    known.multiplied = state.now;
    known.columns = columns;
    known.product = place;
  }
}

void GroupChecks::move(WarpState& state, std::uint64_t frame, LaneMask active, const RegisterUse& use) {
  Register moved;
  if (active == all_lanes)
    for (const std::uint32_t number : use.read)
      if (const auto known = state.registers.find({frame, number}); known != state.registers.end())
        moved = known->second;
  for (const std::uint32_t number : use.written) state.registers[{frame, number}] = moved;
}

void GroupChecks::use(const Warp& warp, const Step& step, LaneMask active, const RegisterUse& use) {
  WarpState& state = warps_[warp.index()];
  const Frame& frame = frame_of(warp);
  if (state.registers.size() > most_group_registers)
    std::erase_if(state.registers, [&](const auto& each) { return each.first.first != frame.serial; });
  if (use.is_move) return move(state, frame.serial, active, use);
  const auto check = [&](std::uint32_t number, bool writes) {
    const auto known = state.registers.find({frame.serial, number});
    if (known == state.registers.end()) return;
    const Register& one = known->second;
    const bool accumulates = one.accumulated > state.complete;
    if (!accumulates && !(writes && one.read > state.complete)) return;
    const bool committed = (accumulates ? one.accumulated : one.read) < state.group;
    stop_group(active, std::string("a missing wait: ") + (writes ? "writes " : "reads ") +
                           register_name(*frame.code, number) + (accumulates ? ", an accumulator" : ", a part of A") +
                           " of a wgmma.mma_async that " +
                           (committed ? "no wgmma.wait_group has waited for" : "is in no group (wgmma.commit_group)") +
                           "; it was issued at " + places_text(*one.product.code, one.product.step->instruction));
  };
  for (const std::uint32_t number : use.read) check(number, false);
  for (const std::uint32_t number : use.written) check(number, true);
  ++state.now;
  for (const std::uint32_t number : use.written) {
    Register& known = state.registers[{frame.serial, number}];
    known = {};
    known.written = state.now;
    known.writer = {frame.code, &step};
  }
}

}  // namespace kiln::emulator
