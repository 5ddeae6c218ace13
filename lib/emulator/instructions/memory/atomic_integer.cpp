// atom and red on integers and bits.
#include "emulator/instructions/memory/atomic_update.hpp"

#include <algorithm>
#include <type_traits>

namespace kiln::emulator {
namespace {

struct Add {
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
struct Minimum {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return std::min(old, b);
  }
};
struct Maximum {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return std::max(old, b);
  }
};
struct And {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old & b;
  }
};
struct Or {
  template <class T>
  static T apply(T old, T b, T, bool) {
    return old | b;
  }
};
struct Xor {
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
      {"add", "u32", atomic<u32, Add>},
      {"add", "s32", atomic<u32, Add>},
      {"add", "u64", atomic<u64, Add>},
      {"add", "s64", atomic<u64, Add>},
      {"inc", "u32", atomic<u32, Increment>},
      {"dec", "u32", atomic<u32, Decrement>},
      {"min", "u32", atomic<u32, Minimum>},
      {"min", "s32", atomic<s32, Minimum>},
      {"min", "u64", atomic<u64, Minimum>},
      {"min", "s64", atomic<s64, Minimum>},
      {"max", "u32", atomic<u32, Maximum>},
      {"max", "s32", atomic<s32, Maximum>},
      {"max", "u64", atomic<u64, Maximum>},
      {"max", "s64", atomic<s64, Maximum>},
      {"and", "b32", atomic<u32, And>},
      {"and", "b64", atomic<u64, And>},
      {"or", "b32", atomic<u32, Or>},
      {"or", "b64", atomic<u64, Or>},
      {"xor", "b32", atomic<u32, Xor>},
      {"xor", "b64", atomic<u64, Xor>},
      {"exch", "b32", atomic<u32, Exchange>},
      {"exch", "b64", atomic<u64, Exchange>},
      {"exch", "b128", atomic<Bits128, Exchange>},
      {"cas", "b16", atomic<u16, CompareAndSwap>},
      {"cas", "b32", atomic<u32, CompareAndSwap>},
      {"cas", "b64", atomic<u64, CompareAndSwap>},
      {"cas", "b128", atomic<Bits128, CompareAndSwap>},
  };
  return rows;
}

}  // namespace kiln::emulator
