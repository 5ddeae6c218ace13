// Counting and finding bits, and bit fields: popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext.
#include "emulator/instructions/forms.hpp"
#include "emulator/instructions/integer/integer_parts.hpp"
#include "emulator/instructions/lanewise.hpp"

#include <algorithm>
#include <bit>

namespace kiln::emulator {
namespace {

using ptx::Type;

template <class T>
constexpr unsigned type_bits = 8 * sizeof(T);
constexpr std::uint32_t not_found = 0xFFFFFFFFu;

/// A mask of the lowest `count` bits; all bits if `count` is not smaller than the width.
template <class T>
constexpr T low_bits(unsigned count) {
  return count >= type_bits<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
}

struct CountOnes {
  auto operator()(auto a) const { return static_cast<std::uint32_t>(std::popcount(a)); }
};
struct LeadingZeros {
  auto operator()(auto a) const { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};
/// The highest bit that differs from the sign, or the shift that moves it to the top.
template <bool ShiftAmount>
struct FindHighest {
  template <class T>
  std::uint32_t operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    const U bits = static_cast<U>(a < 0 ? ~a : a);
    if (bits == 0) return not_found;
    const auto zeros = static_cast<std::uint32_t>(std::countl_zero(bits));
    return ShiftAmount ? zeros : type_bits<T> - 1 - zeros;
  }
};
struct Reverse {
  template <class T>
  T operator()(T a) const {
    T reversed = 0;
    for (unsigned bit = 0; bit < type_bits<T>; ++bit) {
      reversed = static_cast<T>((Modular<T>{reversed} << 1) | (a & 1u));
      a = static_cast<T>(a >> 1);
    }
    return reversed;
  }
};
/// The n-th set bit of the mask, counted upwards from `base` (n > 0) or downwards.
struct FindNthSet {
  static constexpr bool is_slow = true;
  std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t n) const {
    if (base >= 32) return not_found;
    if (n == 0) return ((mask >> base) & 1u) != 0 ? base : not_found;
    const int direction = n > 0 ? 1 : -1;
    std::uint32_t left = n > 0 ? static_cast<std::uint32_t>(n) : 0u - static_cast<std::uint32_t>(n);
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += direction)
      if (((mask >> at) & 1u) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
    return not_found;
  }
};
struct Extract {
  template <class T>
  T operator()(T a, std::uint32_t position, std::uint32_t length) const {
    using U = std::make_unsigned_t<T>;
    position &= 0xFFu;
    length &= 0xFFu;
    const U bits = static_cast<U>(a);
    const U field = position < type_bits<T> ? (bits >> position) & low_bits<U>(length) : U{0};
    const unsigned top = std::min(position + length - 1, type_bits<T> - 1);
    const bool extend = std::is_signed_v<T> && length != 0 && ((bits >> top) & 1u) != 0;
    if (!extend) return static_cast<T>(field);
    // Bits above the field, and bits of the field beyond the top, are copies of the sign.
    const unsigned had = position < type_bits<T> ? std::min(length, type_bits<T> - position) : 0;
    return static_cast<T>(field | static_cast<U>(~low_bits<U>(had)));
  }
};
struct Insert {
  template <class T>
  T operator()(T a, T b, std::uint32_t position, std::uint32_t length) const {
    position &= 0xFFu;
    length &= 0xFFu;
    if (position >= type_bits<T>) return b;
    const T mask = static_cast<T>(low_bits<T>(length) << position);
    return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
  }
};
template <bool Clamp>
struct MakeMask {
  std::uint32_t operator()(std::uint32_t position, std::uint32_t length) const {
    if (Clamp && position >= 32) return 0;
    position &= 31u;
    if (!Clamp) length &= 31u;
    return low_bits<std::uint32_t>(length) << position;
  }
};
/// Sign- or zero-extends the lowest `length` bits.
template <bool Clamp>
struct ExtendLow {
  template <class T>
  T operator()(T a, std::uint32_t length) const {
    if (Clamp && length >= 32) return a;
    length &= 31u;
    const auto field = static_cast<std::uint32_t>(a) & low_bits<std::uint32_t>(length);
    const bool negative = std::is_signed_v<T> && length != 0 && ((field >> (length - 1)) & 1u) != 0;
    return static_cast<T>(negative ? field | ~low_bits<std::uint32_t>(length) : field);
  }
};

/// d.u32 = op(a) of 32 or 64 bits.
template <class Op>
void lower_count(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  Handler handler = nullptr;
  if (type == Type::b32) handler = lanewise_handler<Op, std::uint32_t, std::uint32_t>();
  if (type == Type::b64) handler = lanewise_handler<Op, std::uint32_t, std::uint64_t>();
  emit_lanewise(lowering, handler, Type::u32, {type});
}

template <class Op>
Handler find_handler(Type type) {
  switch (type) {
    case Type::u32:
      return lanewise_handler<Op, std::uint32_t, std::uint32_t>();
    case Type::s32:
      return lanewise_handler<Op, std::uint32_t, std::int32_t>();
    case Type::u64:
      return lanewise_handler<Op, std::uint32_t, std::uint64_t>();
    case Type::s64:
      return lanewise_handler<Op, std::uint32_t, std::int64_t>();
    default:
      return nullptr;
  }
}
void lower_bfind(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(
      lowering,
      instruction.has("shiftamt") ? find_handler<FindHighest<true>>(type) : find_handler<FindHighest<false>>(type),
      Type::u32, {type});
}

void lower_brev(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, type == Type::b32 || type == Type::b64 ? by_size<Reverse, 1>(type) : nullptr, type, {type});
}

void lower_fns(const ptx::Instruction&, Lowering& lowering) {
  emit_lanewise(lowering, lanewise_handler<FindNthSet, std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>(),
                Type::b32, {Type::b32, Type::b32, Type::b32});
}

template <class T>
Handler extract_handler() {
  return lanewise_handler<Extract, T, T, std::uint32_t, std::uint32_t>();
}
void lower_bfe(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  Handler handler = nullptr;
  if (type == Type::u32) handler = extract_handler<std::uint32_t>();
  if (type == Type::s32) handler = extract_handler<std::int32_t>();
  if (type == Type::u64) handler = extract_handler<std::uint64_t>();
  if (type == Type::s64) handler = extract_handler<std::int64_t>();
  emit_lanewise(lowering, handler, type, {type, Type::u32, Type::u32});
}

template <class T>
Handler insert_handler() {
  return lanewise_handler<Insert, T, T, T, std::uint32_t, std::uint32_t>();
}
void lower_bfi(const ptx::Instruction&, Lowering& lowering) {
  const Type type = type_of(lowering);
  Handler handler = nullptr;
  if (type == Type::b32) handler = insert_handler<std::uint32_t>();
  if (type == Type::b64) handler = insert_handler<std::uint64_t>();
  emit_lanewise(lowering, handler, type, {type, type, Type::u32, Type::u32});
}

void lower_bmsk(const ptx::Instruction& instruction, Lowering& lowering) {
  emit_lanewise(lowering,
                instruction.has("clamp") ? uniform<MakeMask<true>, 2, std::uint32_t>()
                                         : uniform<MakeMask<false>, 2, std::uint32_t>(),
                Type::b32, {Type::b32, Type::b32});
}

template <bool Clamp>
Handler extend_handler(Type type) {
  if (type == Type::u32) return lanewise_handler<ExtendLow<Clamp>, std::uint32_t, std::uint32_t, std::uint32_t>();
  if (type == Type::s32) return lanewise_handler<ExtendLow<Clamp>, std::int32_t, std::int32_t, std::uint32_t>();
  return nullptr;
}
void lower_szext(const ptx::Instruction& instruction, Lowering& lowering) {
  const Type type = type_of(lowering);
  emit_lanewise(lowering, instruction.has("clamp") ? extend_handler<true>(type) : extend_handler<false>(type), type,
                {type, Type::u32});
}

constexpr InstructionRow bit_field_table[] = {
    {"popc", &lower_count<CountOnes>},
    {"clz", &lower_count<LeadingZeros>},
    {"bfind", &lower_bfind},
    {"brev", &lower_brev},
    {"fns", &lower_fns},
    {"bfe", &lower_bfe},
    {"bfi", &lower_bfi},
    {"bmsk", &lower_bmsk},
    {"szext", &lower_szext},
};

}  // namespace

std::span<const InstructionRow> bit_field_rows() { return bit_field_table; }

}  // namespace kiln::emulator
