// Extended precision: add, sub and mad with the carry flag of each lane (Warp::carry).
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"
#include "emulator/numbers/wide_integer.hpp"

namespace kiln::emulator {
namespace {

using ptx::Type;

// The term that the last operand is added to or subtracted from.
struct First {
  template <class T>
  T operator()(T a, T) const {
    return a;
  }
};
struct LowProduct {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) * static_cast<std::make_unsigned_t<T>>(b));
  }
};
struct HighProduct {
  template <class T>
  T operator()(T a, T b) const {
    return high_half(a, b);
  }
};

/// x + y + carry. x - y is x + ~y + carry, as on hardware: after a subtraction the flag means "no borrow", and
/// compilers read it with addc too.
template <bool Subtract, class U>
U sum(U x, U y, bool& flag) {
  const U carry = flag ? 1u : 0u;
  const U partial = x + (Subtract ? static_cast<U>(~y) : y);
  const U whole = partial + carry;
  flag = partial < x || whole < carry;
  return whole;
}

/// operand[0] = Term(operand[1], operand[2]) + operand[3]; small[0]: uses the carry flag, small[1]: sets it.
template <class Term, bool Subtract, class T>
void with_carry(const Step& step, Warp& warp, LaneMask active) {
  using U = std::make_unsigned_t<T>;
  T* d = warp.out<T>(step.operand[0]);
  const T* a = warp.in<T>(step.operand[1]);
  const T* b = warp.in<T>(step.operand[2]);
  const T* c = warp.in<T>(step.operand[3]);
  const LaneMask before = step.small[0] != 0 ? warp.carry() : Subtract ? all_lanes : 0;
  LaneMask after = 0;
  each_lane(active, [&](unsigned lane) {
    bool flag = ((before >> lane) & 1u) != 0;
    const T term = Term{}(a[lane], b[lane]);
    d[lane] = static_cast<T>(sum<Subtract>(static_cast<U>(term), static_cast<U>(c[lane]), flag));
    after |= static_cast<LaneMask>(flag) << lane;
  });
  if (step.small[1] != 0) warp.set_carry(active, after);
}

template <class Term, bool Subtract>
Handler by_width(Type type) {
  switch (type) {
    case Type::u32:
    case Type::s32:
      return &with_carry<Term, Subtract, std::uint32_t>;
    case Type::u64:
    case Type::s64:
      return &with_carry<Term, Subtract, std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler high_product(Type type) {
  switch (type) {
    case Type::s32:
      return &with_carry<HighProduct, false, std::int32_t>;
    case Type::s64:
      return &with_carry<HighProduct, false, std::int64_t>;
    default:
      return by_width<HighProduct, false>(type);
  }
}

}  // namespace

void lower_with_carry(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  Step* step = nullptr;
  if (instruction.opcode.starts_with("mad")) {
    const Handler handler = instruction.has("hi") ? high_product(type) : by_width<LowProduct, false>(type);
    step = &emit_lanewise(lowering, handler, type, {type, type, type});
  } else {
    const bool subtract = instruction.opcode.starts_with("sub");
    step = &emit_lanewise(lowering, subtract ? by_width<First, true>(type) : by_width<First, false>(type), type,
                          {type, type});
    step->operand[3] = step->operand[2];
  }
  step->small[0] = instruction.opcode.ends_with("c") ? 1 : 0;  // addc, subc, madc
  step->small[1] = instruction.has("cc") ? 1 : 0;
}

std::span<const InstructionRow> carry_rows() {
  static constexpr InstructionRow rows[] = {
      {"addc", &lower_with_carry}, {"subc", &lower_with_carry}, {"madc", &lower_with_carry}};
  return rows;
}

}  // namespace kiln::emulator
