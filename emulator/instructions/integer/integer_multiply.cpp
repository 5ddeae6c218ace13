// Integer mul, mad, mul24 and mad24: low half, high half or whole product.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"
#include "emulator/numbers/wide_integer.hpp"

#include <algorithm>
#include <limits>

namespace kiln::emulator {
namespace {

using ptx::Type;

struct MultiplyLow {  // the low half is the same for signed and unsigned values
  template <class T>
  auto operator()(T a, T b) const {
    return static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b);
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    return high_half(a, b);
  }
};
struct MultiplyWide {
  template <class T>
  auto operator()(T a, T b) const {
    return static_cast<Wider<T>>(a) * b;
  }
};
struct MultiplyWideAdd {
  template <class T>
  auto operator()(T a, T b, Wider<T> c) const {
    using U = std::make_unsigned_t<Wider<T>>;
    return static_cast<U>(static_cast<Wider<T>>(a) * b) + static_cast<U>(c);
  }
};
/// a op b + c; wraps.
template <class Op>
struct WithAdd {
  template <class T>
  auto operator()(T a, T b, T c) const {
    using U = Modular<T>;
    return static_cast<U>(static_cast<U>(Op{}(a, b)) + static_cast<U>(c));
  }
};
/// a op b + c of 32-bit signed values, saturated.
template <class Op>
struct WithSaturatedAdd {
  std::int64_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    const std::int64_t sum = std::int64_t{static_cast<std::int32_t>(Op{}(a, b))} + c;
    return std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max());
  }
};

/// The product of the low 24 bits of both, 48 bits long.
inline std::int64_t product24(std::int32_t a, std::int32_t b) {
  const auto part = [](std::int32_t x) {
    return std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8};
  };
  return part(a) * part(b);
}
inline std::uint64_t product24(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{a & 0xFFFFFFu} * (b & 0xFFFFFFu);
}
struct Multiply24Low {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(product24(a, b));
  }
};
struct Multiply24High {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(product24(a, b) >> 16);
  }
};

Handler wide_multiply(Type type) {
  switch (type) {
    case Type::u16:
      return lanewise_handler<MultiplyWide, std::uint32_t, std::uint16_t, std::uint16_t>();
    case Type::s16:
      return lanewise_handler<MultiplyWide, std::int32_t, std::int16_t, std::int16_t>();
    case Type::u32:
      return lanewise_handler<MultiplyWide, std::uint64_t, std::uint32_t, std::uint32_t>();
    case Type::s32:
      return lanewise_handler<MultiplyWide, std::int64_t, std::int32_t, std::int32_t>();
    default:
      return nullptr;
  }
}
Handler wide_multiply_add(Type type) {
  switch (type) {
    case Type::u16:
      return lanewise_handler<MultiplyWideAdd, std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t>();
    case Type::s16:
      return lanewise_handler<MultiplyWideAdd, std::int32_t, std::int16_t, std::int16_t, std::int32_t>();
    case Type::u32:
      return lanewise_handler<MultiplyWideAdd, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>();
    case Type::s32:
      return lanewise_handler<MultiplyWideAdd, std::int64_t, std::int32_t, std::int32_t, std::int64_t>();
    default:
      return nullptr;
  }
}
Type twice_as_wide(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    default:
      return Type::s64;
  }
}

bool is_multiplied_type(Type type) { return by_integer_type<MultiplyLow, 2>(type) != nullptr; }

void lower_mul(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  if (instruction.has("wide")) {
    emit_lanewise(lowering, wide_multiply(type), twice_as_wide(type), {type, type});
  } else if (instruction.has("hi")) {
    emit_lanewise(lowering, by_integer_type<MultiplyHigh, 2>(type), type, {type, type});
  } else {
    if (!instruction.has("lo") || !is_multiplied_type(type)) refuse_types(lowering);
    emit_lanewise(lowering, by_size<MultiplyLow, 2>(type), type, {type, type});
  }
}

void lower_mad(const ptx::Instruction& instruction, Lowering& lowering) {
  if (instruction.has("cc")) return lower_with_carry(instruction, lowering);
  const Type type = type_of(lowering);
  if (instruction.has("wide")) {
    emit_lanewise(lowering, wide_multiply_add(type), twice_as_wide(type), {type, type, twice_as_wide(type)});
  } else if (instruction.has("hi")) {
    const bool saturate = instruction.has("sat");
    if (saturate && type != Type::s32) refuse_types(lowering);
    emit_lanewise(lowering,
                  saturate ? uniform<WithSaturatedAdd<MultiplyHigh>, 3, std::int32_t>()
                           : by_integer_type<WithAdd<MultiplyHigh>, 3>(type),
                  type, {type, type, type});
  } else {
    if (!instruction.has("lo") || !is_multiplied_type(type)) refuse_types(lowering);
    emit_lanewise(lowering, by_size<WithAdd<MultiplyLow>, 3>(type), type, {type, type, type});
  }
}

template <template <class> class Form, std::size_t Sources>
Handler handler24(bool high, bool is_signed) {
  if (high)
    return is_signed ? uniform<Form<Multiply24High>, Sources, std::int32_t>()
                     : uniform<Form<Multiply24High>, Sources, std::uint32_t>();
  return is_signed ? uniform<Form<Multiply24Low>, Sources, std::int32_t>()
                   : uniform<Form<Multiply24Low>, Sources, std::uint32_t>();
}
template <class Op>
struct Alone : Op {};

void lower_24(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  if (type != Type::u32 && type != Type::s32) refuse_types(lowering);
  const bool is_signed = type == Type::s32, high = instruction.has("hi");
  if (instruction.opcode == "mul24") {
    emit_lanewise(lowering, handler24<Alone, 2>(high, is_signed), type, {type, type});
  } else if (instruction.has("sat")) {
    if (!is_signed || !high) refuse_types(lowering);
    emit_lanewise(lowering, uniform<WithSaturatedAdd<Multiply24High>, 3, std::int32_t>(), type, {type, type, type});
  } else {
    emit_lanewise(lowering, handler24<WithAdd, 3>(high, is_signed), type, {type, type, type});
  }
}

constexpr InstructionRow integer_multiply_table[] = {
    {"mul", &lower_mul},
    {"mad", &lower_mad},
    {"mul24", &lower_24},
    {"mad24", &lower_24},
};

}  // namespace

std::span<const InstructionRow> multiply_rows() { return integer_multiply_table; }

}  // namespace kiln::emulator
