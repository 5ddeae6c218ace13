// atom and red on integers and bits.
#include "emulator/instructions/memory/atomic_update.hpp"

#include <algorithm>
#include <type_traits>

namespace kiln::emulator {
namespace {

struct AtomicAdd {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return static_cast<T>(old + b);
  }
};
struct Increment {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old == 0 || old > b ? b : old - 1;
  }
};
struct AtomicMinimum {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return std::min(old, b);
  }
};
struct AtomicMaximum {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return std::max(old, b);
  }
};
struct AtomicAnd {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old & b;
  }
};
struct AtomicOr {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old | b;
  }
};
struct AtomicXor {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old ^ b;
  }
};
struct Exchange {
  template <class T>
  static T apply(T, T b, T, bool) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T apply(T old, T b, T c, bool) {
    return old == b ? c : old;
  }
};

}  // namespace

std::span<const AtomicRow> atomic_integer_rows() {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using s32 = std::int32_t;
  using s64 = std::int64_t;
  static constexpr AtomicRow rows[] = {
      atomic_row<u32, AtomicAdd>("add", "u32"),
      atomic_row<u32, AtomicAdd>("add", "s32"),
      atomic_row<u64, AtomicAdd>("add", "u64"),
      atomic_row<u64, AtomicAdd>("add", "s64"),
      atomic_row<u32, Increment>("inc", "u32"),
      atomic_row<u32, Decrement>("dec", "u32"),
      atomic_row<u32, AtomicMinimum>("min", "u32"),
      atomic_row<s32, AtomicMinimum>("min", "s32"),
      atomic_row<u64, AtomicMinimum>("min", "u64"),
      atomic_row<s64, AtomicMinimum>("min", "s64"),
      atomic_row<u32, AtomicMaximum>("max", "u32"),
      atomic_row<s32, AtomicMaximum>("max", "s32"),
      atomic_row<u64, AtomicMaximum>("max", "u64"),
      atomic_row<s64, AtomicMaximum>("max", "s64"),
      atomic_row<u32, AtomicAnd>("and", "b32"),
      atomic_row<u64, AtomicAnd>("and", "b64"),
      atomic_row<u32, AtomicOr>("or", "b32"),
      atomic_row<u64, AtomicOr>("or", "b64"),
      atomic_row<u32, AtomicXor>("xor", "b32"),
      atomic_row<u64, AtomicXor>("xor", "b64"),
      atomic_row<u32, Exchange>("exch", "b32"),
      atomic_row<u64, Exchange>("exch", "b64"),
      atomic_row<Bits128, Exchange>("exch", "b128"),
      atomic_row<u16, CompareAndSwap>("cas", "b16"),
      atomic_row<u32, CompareAndSwap>("cas", "b32"),
      atomic_row<u64, CompareAndSwap>("cas", "b64"),
      atomic_row<Bits128, CompareAndSwap>("cas", "b128"),
  };
  return rows;
}

}  // namespace kiln::emulator
