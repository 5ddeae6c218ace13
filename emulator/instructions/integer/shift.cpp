// shl and shr, which shift out all bits if the amount is not smaller than the width, and shf, which shifts two
// registers as one.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>

namespace kiln::emulator {
namespace {

using ptx::Type;

struct ShiftLeft {
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    return amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<Modular<T>>(a) << amount);
  }
};
struct ShiftRight {  // arithmetic for signed types
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    if (amount < 8 * sizeof(T)) return static_cast<T>(a >> amount);
    return a < 0 ? static_cast<T>(~T{0}) : T{0};
  }
};
template <bool Left, bool Clamp>
struct Funnel {
  std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t amount) const {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    const std::uint32_t n = Clamp ? std::min(amount, 32u) : amount & 31u;
    return static_cast<std::uint32_t>(Left ? (both << n) >> 32 : both >> n);
  }
};

template <class Op, class T>
Handler shift() {
  return lanewise_handler<Op, T, T, std::uint32_t>();
}

template <class Op>
Handler unsigned_shift(Type type) {
  if (type == Type::pred) return nullptr;
  switch (ptx::size_of(type)) {
    case 2:
      return shift<Op, std::uint16_t>();
    case 4:
      return shift<Op, std::uint32_t>();
    case 8:
      return shift<Op, std::uint64_t>();
    default:
      return nullptr;
  }
}

void lower_shl(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, unsigned_shift<ShiftLeft>(type), type, {type, Type::u32});
}

Handler right_shift(Type type) {
  switch (type) {
    case Type::s16:
      return shift<ShiftRight, std::int16_t>();
    case Type::s32:
      return shift<ShiftRight, std::int32_t>();
    case Type::s64:
      return shift<ShiftRight, std::int64_t>();
    default:
      return unsigned_shift<ShiftRight>(type);
  }
}
void lower_shr(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, right_shift(type), type, {type, Type::u32});
}

template <bool Left>
Handler funnel(bool clamp) {
  return clamp ? uniform<Funnel<Left, true>, 3, std::uint32_t>() : uniform<Funnel<Left, false>, 3, std::uint32_t>();
}
void lower_shf(const ptx::Instruction& instruction, Lowering& lowering) {
  const bool left = instruction.has("l"), clamp = instruction.has("clamp");
  if (left == instruction.has("r") || clamp == instruction.has("wrap")) refuse_types(lowering);
  emit_lanewise(lowering, left ? funnel<true>(clamp) : funnel<false>(clamp), Type::b32,
                {Type::b32, Type::b32, Type::u32});
}

constexpr InstructionRow shift_table[] = {{"shl", &lower_shl}, {"shr", &lower_shr}, {"shf", &lower_shf}};

}  // namespace

std::span<const InstructionRow> shift_rows() { return shift_table; }

}  // namespace kiln::emulator
