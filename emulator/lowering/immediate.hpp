// Immediate operands.
#pragma once

#include "emulator/ptx/module.hpp"

#include <bit>
#include <cstdint>
#include <optional>

namespace kiln::emulator {

/// The bits of the number in an instruction of that type; nothing if ptxas refuses such a number there.
inline std::optional<std::uint64_t> immediate_bits(const ptx::Operand& number, ptx::Type type) {
  using ptx::Type;
  const bool is_f32 = number.type == Type::f32, is_f64 = number.type == Type::f64;
  const std::size_t size = ptx::size_of(type);
  if (type == Type::pred) return number.bits != 0 ? 1u : 0u;
  if (type == Type::f32 && is_f64)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
  if (type == Type::f64 && is_f32)
    return std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))});
  if (is_f32 || is_f64) {
    if (ptx::is_integer(type)) return std::nullopt;
    if (size != ptx::size_of(number.type)) return std::nullopt;
    return number.bits;
  }
  if (type == Type::f32 || type == Type::f64) return std::nullopt;
  return size >= 8 ? number.bits : number.bits & ((std::uint64_t{1} << 8 * size) - 1);
}

}  // namespace kiln::emulator
