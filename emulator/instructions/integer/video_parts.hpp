// Shared by the video instructions. They are rare, so one handler of each kind interprets a description of the form.
#pragma once

#include "emulator/lowering/lowering.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace kiln::emulator {

enum class VideoOp : std::uint8_t {
  add,
  subtract,
  average,
  difference,
  minimum,
  maximum,
  left,
  right,
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal
};
/// The operation, by the opcode without "v" and the element count, and for vset the comparison.
VideoOp video_op_of(const Lowering& lowering);
std::int64_t video_result(VideoOp op, std::int64_t a, std::int64_t b);

/// Extracts `bits` bits from bit `first` of the word, and extends them.
inline std::int64_t video_part(std::uint64_t word, unsigned first, unsigned bits, bool is_signed) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1, part = (word >> first) & mask;
  const bool negative = is_signed && ((part >> (bits - 1)) & 1u) != 0;
  return static_cast<std::int64_t>(negative ? part | ~mask : part);
}
inline std::int64_t video_saturated(std::int64_t value, unsigned bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return std::clamp(value, is_signed ? -most - 1 : std::int64_t{0}, most);
}

/// The digits after the letter of a selector ("h10": 0, 1), the last one first; `otherwise` without a selector.
std::vector<std::uint8_t> video_selector(const ptx::Operand& operand, std::vector<std::uint8_t> otherwise);
/// The register without selector and sign.
ptx::Operand video_register(const ptx::Operand& operand);

std::span<const InstructionRow> video_simd_rows();  // video_simd.cpp: vadd2 ... vset4

}  // namespace kiln::emulator
