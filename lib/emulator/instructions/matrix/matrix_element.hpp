// Elements of matrices: their storage in registers, and their values. A double represents each value exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kiln::emulator {

enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

std::optional<Element> element_named(std::string_view name);
unsigned bits_of(Element element);  // in registers and memory
inline bool is_integer(Element element) { return element >= Element::s32; }

double element_value(Element element, std::uint64_t bits);
/// Rounds once. Integers wrap or saturate.
std::uint64_t element_bits(Element element, double value, bool saturate);

}  // namespace kiln::emulator
