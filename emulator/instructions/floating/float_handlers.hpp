// Handlers of floating-point instructions: one loop over lanes, around an operation on single values.
#pragma once

#include "emulator/instructions/floating/float_mode.hpp"
#include "emulator/machine/warp.hpp"
#include "emulator/machine/wide_vectors.hpp"
#include "emulator/numbers/exact.hpp"
#include "emulator/numbers/half.hpp"

#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace kiln::emulator {

/// Calls f(index) for the elements of the active lanes, which are side by side.
template <class Function>
void each_element(LaneMask active, unsigned elements, Function f) {
  if (elements == 1) return each_lane_apart(active, f);
  each_lane_apart(active, [&](unsigned lane) {
    f(2 * lane);
    f(2 * lane + 1);
  });
}

/// The exact value in a type of the processor.
template <class F>
auto widened(typename F::Bits bits) {
  if constexpr (std::is_same_v<F, F16>)
    return float_of_half(bits);
  else if constexpr (std::is_same_v<F, Bf16>)
    return float_of_bfloat(bits);
  else
    return std::bit_cast<typename F::Host>(bits);
}

/// The NaN result for these operands: the first NaN among them, or a new one. (Sums and products check b before a, fma
/// b, c, a: as seen on an H200.)
template <class F, class... Operands>
typename F::Bits nan_from(Operands... operands) {
  typename F::Bits result = F::nan;
  if constexpr (F::keeps_payload) {
    bool found = false;
    const auto look = [&](typename F::Bits bits) {
      if (!found && is_nan<F>(bits)) {
        result = bits | F::quiet;
        found = true;
      }
    };
    (look(operands), ...);
  }
  return result;
}
/// The result of the processor, but with the NaN of NVIDIA hardware.
template <class F, class... Operands>
typename F::Bits settled(typename F::Host result, Operands... operands) {
  return std::isnan(result) ? nan_from<F>(operands...) : std::bit_cast<typename F::Bits>(result);
}
template <class F, class... Operands>
typename F::Bits settled(const Exact& result, Rounding rounding, Operands... operands) {
  return result.kind == Exact::Kind::nan ? nan_from<F>(operands...) : rounded<F>(result, rounding);
}

/// Applies .ftz to a result. The exact result decides: one that only rounding makes normal is flushed too (seen on an
/// H200).
template <class Operation, class... Sources>
std::uint32_t flushed_result(std::uint32_t result, Sources... sources) {
  if constexpr (requires { Operation::directed(sources..., Rounding::zero); })
    if (magnitude_of<F32>(result) == F32::min_normal &&
        magnitude_of<F32>(Operation::directed(sources..., Rounding::zero)) < F32::min_normal)
      return result & F32::sign;
  return result;
}

/// Applies the modifiers to a result.
template <class Operation, class Bits, class... Sources>
Bits settled_mode(const FloatMode& mode, Bits result, Sources... sources) {
  if constexpr (std::is_same_v<typename Operation::Format, F32>)
    if (mode.ftz) result = flushed_result<Operation>(result, sources...);
  return finished<typename Operation::Format>(result, mode);
}

/// An operation is a struct with a Format, the number of its sources, nearest(bits...) and, if other rounding modes
/// exist, directed(bits..., rounding).
template <class Operation, std::size_t... source>
void run_arithmetic(const Step& step, Warp& warp, LaneMask active, std::index_sequence<source...>) {
  using F = typename Operation::Format;
  using Bits = typename F::Bits;
  const FloatMode mode = mode_of(step);
  Bits* result = warp.out<Bits>(step.operand[0]);
  const std::array<const Bits*, sizeof...(source)> from = {warp.in<Bits>(step.operand[1 + source])...};
  if (mode.plain()) {
    each_element(active, mode.elements, [=](unsigned i) { result[i] = Operation::nearest(from[source][i]...); });
  } else if (mode.rounding == Rounding::nearest) {
    each_element(active, mode.elements, [=](unsigned i) {
      result[i] = settled_mode<Operation>(mode, Operation::nearest(taken<F>(from[source][i], mode)...),
                                          taken<F>(from[source][i], mode)...);
    });
  } else if constexpr (requires(Bits bits) {
                         Operation::directed((static_cast<void>(source), bits)..., mode.rounding);
                       }) {
    each_element(active, mode.elements, [=](unsigned i) {
      result[i] = settled_mode<Operation>(mode, Operation::directed(taken<F>(from[source][i], mode)..., mode.rounding),
                                          taken<F>(from[source][i], mode)...);
    });
  }
}
template <class Operation>
void arithmetic(const Step& step, Warp& warp, LaneMask active) {
  run_arithmetic<Operation>(step, warp, active, std::make_index_sequence<Operation::sources>());
}

/// Without any modifier, of one element a lane.
template <class Operation, std::size_t... source>
void run_plain(const Step& step, Warp& warp, LaneMask active, std::index_sequence<source...>) {
  using Bits = typename Operation::Format::Bits;
  const std::array<const Bits*, sizeof...(source)> from = {warp.in<Bits>(step.operand[1 + source])...};
  assign_lanes(active, warp.out<Bits>(step.operand[0]),
               [=](unsigned lane) { return Operation::nearest(from[source][lane]...); });
}
template <class Operation>
void plain_arithmetic(const Step& step, Warp& warp, LaneMask active) {
  run_plain<Operation>(step, warp, active, std::make_index_sequence<Operation::sources>());
}
/// Gives the step of an f32 or f64 operation that handler, if it is without modifiers.
template <template <class> class Operation>
void use_plain(Step& step, FloatType type) {
  if (!mode_of(step).plain()) return;
  if (type == FloatType::f32) step.run = for_processor<&plain_arithmetic<Operation<F32>>>();
  if (type == FloatType::f64) step.run = for_processor<&plain_arithmetic<Operation<F64>>>();
}

[[noreturn]] void throw_unsupported(const ptx::Instruction& instruction, std::string_view what);
/// Throws Unsupported for a modifier that is neither a floating-point type nor one of these, and for two types.
void allow_only(const ptx::Instruction& instruction, std::initializer_list<std::string_view> modifiers);
/// A step of one destination and so many sources, all of the same type, with its mode.
Step& emit_floating(const ptx::Instruction& instruction, Lowering& lowering, Handler handler, FloatType type,
                    unsigned sources);

/// The handler of Operation<format> for the type of the instruction.
template <template <class> class Operation>
Handler wide_handler(const ptx::Instruction& instruction, FloatType type) {
  if (type == FloatType::f32) return arithmetic<Operation<F32>>;
  if (type == FloatType::f64) return arithmetic<Operation<F64>>;
  throw_unsupported(instruction, "of a type of 16 bits");
}
template <template <class> class Operation>
Handler handler_of(const ptx::Instruction& instruction, FloatType type) {
  if (type == FloatType::f16 || type == FloatType::f16x2) return arithmetic<Operation<F16>>;
  if (type == FloatType::bf16 || type == FloatType::bf16x2) return arithmetic<Operation<Bf16>>;
  return wide_handler<Operation>(instruction, type);
}

}  // namespace kiln::emulator
