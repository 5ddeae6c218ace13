// wmma.load and wmma.store: fragments from and to memory, by rows or by columns.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/matrix/matrix_element.hpp"
#include "emulator/instructions/matrix/matrix_fragment.hpp"
#include "emulator/instructions/memory/memory_operand.hpp"
#include "emulator/instructions/warp/warp_parts.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <algorithm>
#include <memory>

namespace kiln::emulator {
namespace {

struct MemoryForm {
  Fragment fragment;
  unsigned inner = 0;       // adjacent elements in the order of the fragment
  bool along_inner = true;  // they are adjacent in memory too
};

/// The place of an element, in bits from the beginning of the matrix.
std::uint64_t bit_offset(const MemoryForm& form, unsigned position, std::uint32_t stride) {
  const unsigned outer = position / form.inner, inner = position % form.inner;
  const std::uint64_t elements =
      form.along_inner ? std::uint64_t{outer} * stride + inner : std::uint64_t{inner} * stride + outer;
  return elements * element_width(form.fragment.element);
}

/// Calls move(host bytes, lane, register, bit in the register) for each contiguous piece of a fragment: an element, or,
/// for elements smaller than a byte, those of a register.
template <class Move>
void each_piece(const Step& step, Warp& warp, LaneMask active, Access access, Move move) {
  const auto& form = *static_cast<const MemoryForm*>(step.data);
  const Fragment& fragment = form.fragment;
  const unsigned bits = element_width(fragment.element), per = fragment.per_register();
  const unsigned elements = bits < 8 ? per : 1, bytes = elements * bits / 8;
  const ptx::Space space = space_of(static_cast<PlaceKind>(step.small[0]));
  std::uint64_t base[warp_size];
  lane_addresses(step, warp, 0, base);
  each_lane(active, [&](unsigned lane) {
    const auto stride = warp.value<std::uint32_t>(step.operand[2], lane);
    for (unsigned reg = 0; reg < fragment.registers; ++reg)
      for (unsigned e = 0; e < per; e += elements) {
        const std::uint64_t offset = bit_offset(form, fragment.of(lane, reg)[e], stride) / 8;
        move(host_bytes(warp, step, lane, space, base[lane] + offset, bytes, access), bytes, lane, reg, bits * e);
      }
  });
}

template <class T>
void load_fragment(const Step& step, Warp& warp, LaneMask active) {
  // Loads everything first: a destination may hold the address.
  std::vector<T> words(std::size_t{warp_size} * step.more.size());
  const auto word = [&](unsigned lane, std::size_t reg) -> T& { return words[lane * step.more.size() + reg]; };
  each_piece(step, warp, active, Access::read,
             [&](const std::byte* at, unsigned bytes, unsigned lane, unsigned reg, unsigned shift) {
               word(lane, reg) |= static_cast<T>(relaxed_load(at, bytes) << shift);
             });
  each_lane(active, [&](unsigned lane) {
    for (std::size_t reg = 0; reg < step.more.size(); ++reg) warp.set_value(step.more[reg], lane, word(lane, reg));
  });
}

template <class T>
void store_fragment(const Step& step, Warp& warp, LaneMask active) {
  each_piece(step, warp, active, Access::write,
             [&](std::byte* at, unsigned bytes, unsigned lane, unsigned reg, unsigned shift) {
               relaxed_store(at, std::uint64_t{warp.value<T>(step.more[reg], lane) >> shift}, bytes);
             });
}

MatrixRole role_of(const Lowering& lowering) {
  const ptx::Instruction& instruction = lowering.instruction();
  if (instruction.has("a")) return MatrixRole::a;
  if (instruction.has("b")) return MatrixRole::b;
  if (instruction.has("c") || instruction.has("d")) return MatrixRole::c;
  refuse_types(lowering);
}

MatrixElement element_of(const Lowering& lowering) {
  for (const std::string_view modifier : lowering.instruction().modifiers)
    if (const auto element = element_named(modifier)) return *element;
  refuse_types(lowering);
}

}  // namespace

void lower_wmma_memory(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool stores = instruction.has("store"), by_rows = instruction.has("row");
  expect_operands(lowering, 2, 3);
  const MatrixShape shape = matrix_shape(lowering);
  if (!is_wmma_shape(shape) || by_rows == instruction.has("col")) refuse_types(lowering);
  const MatrixRole role = role_of(lowering);
  MemoryForm form{wmma_fragment(role, shape, element_of(lowering)), role == MatrixRole::c ? shape.n : shape.k,
                  role == MatrixRole::b ? !by_rows : by_rows};
  if (element_width(form.fragment.element) < 8 && !form.along_inner) refuse_types(lowering);
  const std::vector<ptx::Operand>& operands = instruction.operands;
  const unsigned outer = form.fragment.size / form.inner;
  const Slot stride = operands.size() == 3 ? lowering.in(operands[2], ptx::Type::b32)
                                           : lowering.constant(form.along_inner ? form.inner : outer, 4);
  const MemoryOperand place = memory_operand(operands[stores ? 0 : 1], stated_space(instruction), lowering);
  std::vector<Slot> slots;
  if (stores)
    append_sources(lowering, operands[1], form.fragment, slots);
  else
    append_destinations(lowering, operands[0], form.fragment, slots);
  const bool wide = form.fragment.register_bytes() == 8;
  const Handler handler = stores ? wide ? &store_fragment<std::uint64_t> : &store_fragment<std::uint32_t>
                          : wide ? &load_fragment<std::uint64_t>
                                 : &load_fragment<std::uint32_t>;
  Step& step = emit_by_all(lowering, handler, {place.base, {}, stride});
  place.put(step, 0);
  step.more = lowering.keep(std::move(slots));
  step.data = lowering.keep_data(std::make_shared<MemoryForm>(std::move(form)));
}

}  // namespace kiln::emulator
