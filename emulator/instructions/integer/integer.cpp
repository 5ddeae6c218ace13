// Integer add, sub, min, max, abs, neg and sad.
#include "emulator/instructions/families.hpp"
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>
#include <limits>

namespace kiln::emulator {
namespace {

using ptx::Type;

// Add, Subtract, Negate and Absolute work on unsigned values, whose arithmetic wraps.
struct Add {
  auto operator()(auto a, auto b) const { return a + b; }
};
struct Subtract {
  auto operator()(auto a, auto b) const { return a - b; }
};
struct Negate {
  auto operator()(auto a) const { return 0u - a; }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    const bool negative = (a >> (std::numeric_limits<T>::digits - 1)) != 0;
    return static_cast<T>(negative ? 0u - a : a);
  }
};
struct Minimum {
  auto operator()(auto a, auto b) const { return std::min(a, b); }
};
struct Maximum {
  auto operator()(auto a, auto b) const { return std::max(a, b); }
};
/// .relu: negative values become 0.
template <class Op>
struct WithRelu {
  template <class T>
  T operator()(T a, T b) const {
    return std::max<T>(Op{}(a, b), 0);
  }
};
/// .sat of 32-bit signed values.
template <class Op>
struct Saturated {
  std::int64_t operator()(std::int32_t a, std::int32_t b) const {
    return std::clamp<std::int64_t>(Op{}(std::int64_t{a}, std::int64_t{b}), std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max());
  }
};
/// .u16x2, .s16x2: both halves.
template <class Op, class Half>
struct Halves {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return one(a, b) | one(a >> 16, b >> 16) << 16; }
  static std::uint32_t one(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint16_t>(Op{}(static_cast<Half>(a), static_cast<Half>(b)));
  }
};
struct AbsoluteDifference {
  template <class T>
  auto operator()(T a, T b, T c) const {
    using U = Modular<T>;
    const U difference = a < b ? static_cast<U>(b) - static_cast<U>(a) : static_cast<U>(a) - static_cast<U>(b);
    return static_cast<U>(c) + difference;
  }
};

bool is_signed(Type type) { return type == Type::s16 || type == Type::s32 || type == Type::s64; }
bool is_integer_type(Type type) {
  return is_signed(type) || type == Type::u16 || type == Type::u32 || type == Type::u64;
}

/// The handler of a form with 16-bit halves; null for other forms.
template <class Op>
Handler halves_handler(const ptx::Instruction& instruction) {
  if (instruction.has("s16x2"))
    return lanewise_handler<Halves<Op, std::int16_t>, std::uint32_t, std::uint32_t, std::uint32_t>();
  if (instruction.has("u16x2"))
    return lanewise_handler<Halves<Op, std::uint16_t>, std::uint32_t, std::uint32_t, std::uint32_t>();
  return nullptr;
}

template <class Op>
Handler sum_handler(const ptx::Instruction& instruction, Type type) {
  if (instruction.has("sat")) {
    if (type != Type::s32) return nullptr;
    return lanewise_handler<Saturated<Op>, std::int32_t, std::int32_t, std::int32_t>();
  }
  return is_integer_type(type) ? by_size<Op, 2>(type) : nullptr;
}

void lower_add(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("cc")) return lower_with_carry(instruction, lowering);
  const Type type = type_of(lowering);
  const Handler of_halves = halves_handler<Add>(instruction);
  emit_lanewise(lowering, of_halves != nullptr ? of_halves : sum_handler<Add>(instruction, type), type, {type, type});
}

void lower_sub(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("cc")) return lower_with_carry(instruction, lowering);
  const Type type = type_of(lowering);
  emit_lanewise(lowering, sum_handler<Subtract>(instruction, type), type, {type, type});
}

template <class Op>
Handler extreme_handler(const ptx::Instruction& instruction, Type type) {
  if (!instruction.has("relu")) {
    const Handler of_halves = halves_handler<Op>(instruction);
    return of_halves != nullptr ? of_halves : by_integer_type<Op, 2>(type);
  }
  if (instruction.has("s16x2")) return halves_handler<WithRelu<Op>>(instruction);
  return type == Type::s32 ? uniform<WithRelu<Op>, 2, std::int32_t>() : nullptr;
}

template <class Op>
void lower_extreme(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, extreme_handler<Op>(instruction, type), type, {type, type});
}

/// abs and neg, which only have signed types.
template <class Op>
void lower_signed(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, is_signed(type) ? by_size<Op, 1>(type) : nullptr, type, {type});
}

void lower_sad(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, by_integer_type<AbsoluteDifference, 3>(type), type, {type, type, type});
}

constexpr InstructionRow integer_table[] = {
    {"add", &lower_add},
    {"sub", &lower_sub},
    {"min", &lower_extreme<Minimum>},
    {"max", &lower_extreme<Maximum>},
    {"abs", &lower_signed<Absolute>},
    {"neg", &lower_signed<Negate>},
    {"sad", &lower_sad},
};

}  // namespace

std::span<const InstructionRow> integer_rows() {
  static const std::vector<InstructionRow> all =
      united({integer_table, multiply_rows(), carry_rows(), divide_rows(), bit_field_rows(), dot_rows(), video_rows()});
  return all;
}

}  // namespace kiln::emulator
