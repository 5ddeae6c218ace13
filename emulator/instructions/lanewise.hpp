// Handlers that apply d = op(sources...) to each lane, made from a function object and the types of the operands.
#pragma once

#include "emulator/lowering/lowering.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/machine/wide_vectors.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kiln::emulator {

/// An Op that says `is_slow` is applied to the active lanes only; any other one to all where that is faster.
template <class Op>
constexpr bool is_slow = requires {
  requires Op::is_slow;
};

template <class Op, class D, class... S>
void each_value(LaneMask active, D* d, const S*... sources) {
  const auto value = [=](unsigned lane) { return static_cast<D>(Op{}(sources[lane]...)); };
  if constexpr (is_slow<Op>)
    each_lane_apart(active, [=](unsigned lane) { d[lane] = value(lane); });
  else
    assign_lanes(active, d, value);
}

/// operand[0] = Op(operand[1], ...).
template <class Op, class D, class... S>
void lanewise(const Step& step, Warp& warp, LaneMask active) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    each_value<Op>(active, warp.out<D>(step.operand[0]), warp.in<S>(step.operand[I + 1])...);
  }
  (std::index_sequence_for<S...>{});
}

template <class Op, class D, class... S>
Handler lanewise_handler() {
  return for_processor<&lanewise<Op, D, S...>>();
}

/// The handler whose sources and destination all have type T.
template <class Op, std::size_t Sources, class T>
Handler uniform() {
  return []<std::size_t... I>(std::index_sequence<I...>)->Handler {
    return lanewise_handler<Op, T, std::enable_if_t<(I < Sources), T>...>();
  }
  (std::make_index_sequence<Sources>{});
}

/// Selects by integer type: for operations that differ between signed and unsigned values. Null for other types.
template <class Op, std::size_t Sources>
Handler by_integer_type(ptx::Type type) {
  using ptx::Type;
  switch (type) {
    case Type::u16:
      return uniform<Op, Sources, std::uint16_t>();
    case Type::u32:
      return uniform<Op, Sources, std::uint32_t>();
    case Type::u64:
      return uniform<Op, Sources, std::uint64_t>();
    case Type::s16:
      return uniform<Op, Sources, std::int16_t>();
    case Type::s32:
      return uniform<Op, Sources, std::int32_t>();
    case Type::s64:
      return uniform<Op, Sources, std::int64_t>();
    default:
      return nullptr;
  }
}

/// Selects by size: for operations that are the same for signed and unsigned values. They get unsigned ones.
template <class Op, std::size_t Sources>
Handler by_size(ptx::Type type) {
  if (type == ptx::Type::pred) return nullptr;
  switch (ptx::size_of(type)) {
    case 2:
      return uniform<Op, Sources, std::uint16_t>();
    case 4:
      return uniform<Op, Sources, std::uint32_t>();
    case 8:
      return uniform<Op, Sources, std::uint64_t>();
    default:
      return nullptr;
  }
}

/// The unsigned type for adding and multiplying values of type T; never the int that small types are promoted to.
template <class T>
using Modular = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

}  // namespace kiln::emulator
