// cvta, isspacep: conversion between addresses of a space and generic ones.
#include "emulator/instructions/memory/memory_family.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/machine/wide_vectors.hpp"

namespace kiln::emulator {
namespace {

using ptx::Space;

std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return shared_window;
    case Space::local:
      return local_window;
    case Space::param:
      return param_window;
    default:
      return 0;
  }
}

template <class T>
void add_window(const Step& step, Warp& warp, LaneMask active) {
  T* const d = warp.out<T>(step.operand[0]);
  const T* const a = warp.in<T>(step.operand[1]);
  const T window = static_cast<T>(step.value);
  assign_lanes(active, d, [=](unsigned lane) { return static_cast<T>(a[lane] + window); });
}

// The window of shared::cta is a part of the window of shared::cluster, the one that isspacep.shared asks for.
bool lies_in_own_shared(const Block& block, std::uint64_t address) {
  const std::uint64_t place = address % window_size;
  return !names_a_rank(place) || rank_named(place) == block.cluster_rank();
}

bool lies_in(const Block& block, std::uint64_t address, Space space, bool in_cluster) {
  if (space == Space::shared && !in_cluster && !lies_in_own_shared(block, address)) return false;
  if (space != Space::constant) return space_of(address) == space;
  const AddressSpace& memory = AddressSpace::get();
  return memory.readable(address, 1) && !memory.writable(address, 1);
}

void is_in_space(const Step& step, Warp& warp, LaneMask active) {
  const auto* const a = warp.in<std::uint64_t>(step.operand[1]);
  const auto space = static_cast<Space>(step.small[0]);
  const Block& block = warp.block();
  warp.set_mask(step.operand[0], active,
                lanes_where(active, [&](unsigned lane) { return lies_in(block, a[lane], space, step.small[1] != 0); }));
}

}  // namespace

void lower_cvta(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const ptx::Type type = memory_type(instruction, lowering);
  const bool wide = ptx::size_of(type) == 8;
  const std::uint64_t window = window_of(stated_space(instruction));
  if (!wide && window != 0) throw Unsupported{"32-bit generic addresses"};
  const Slot source = lowering.in(instruction.operands[1], type);
  const Slot destination = lowering.out(instruction.operands[0], type);
  Step& step =
      lowering.emit(wide ? for_processor<&add_window<std::uint64_t>>() : for_processor<&add_window<std::uint32_t>>());
  step.operand[0] = destination;
  step.operand[1] = source;
  step.value = static_cast<std::int64_t>(instruction.has("to") ? 0 - window : window);
}

void lower_isspacep(const ptx::Instruction& instruction, Lowering& lowering) {
  expect_operands(lowering, 2);
  const ptx::Operand& address = instruction.operands[1];
  if (address.kind == ptx::Operand::Kind::reg && ptx::size_of(address.type) == 4)
    throw Unsupported{"32-bit generic addresses"};
  const Slot source = lowering.in(address, ptx::Type::b64);
  const Slot destination = lowering.out(instruction.operands[0], ptx::Type::pred);
  Step& step = lowering.emit(is_in_space);
  step.operand[0] = destination;
  step.operand[1] = source;
  step.small[0] = static_cast<std::uint8_t>(stated_space(instruction));
  step.small[1] = instruction.has("shared::cluster");
}

}  // namespace kiln::emulator
