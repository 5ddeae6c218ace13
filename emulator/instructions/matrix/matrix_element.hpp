// Elements of matrices: their storage in registers, and their values. A double represents each value exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kiln::emulator {

enum class MatrixElement : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

std::optional<MatrixElement> element_named(std::string_view name);
unsigned element_width(MatrixElement element);  // in registers and memory
inline bool is_integer(MatrixElement element) { return element >= MatrixElement::s32; }

double element_value(MatrixElement element, std::uint64_t bits);
/// Rounds once. Integers wrap or saturate.
std::uint64_t element_bits(MatrixElement element, double value, bool saturate);

}  // namespace kiln::emulator
