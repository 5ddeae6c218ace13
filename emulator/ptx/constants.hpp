// Constant expressions: "12", "0x1Fu", "0f3F800000", "-1.5", "(1 << 3) | 2", "(.s64)x", "a ? b : c".
#pragma once

#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/module.hpp"

namespace kiln::emulator::ptx {

struct Constant {
  Type type = Type::s64;  // s64, u64, f32 or f64
  std::uint64_t bits = 0;

  bool is_float() const { return type == Type::f32 || type == Type::f64; }
  /// Of f32 and f64.
  double as_double() const;
};

/// Reads the whole expression.
Constant constant(Cursor& at);
/// Reads an expression without operators weaker than *: the next summand of an offset.
Constant summand(Cursor& at);
/// Reads an offset such as "+4-8" after a name; 0 if no sign follows.
std::int64_t offset(Cursor& at);
/// Reads an expression that must be an integer and not negative.
std::uint64_t count(Cursor& at);

}  // namespace kiln::emulator::ptx
