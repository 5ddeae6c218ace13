// The kinds of cvt; conversion.cpp selects one.
#pragma once

#include "emulator/instructions/floating/float_mode.hpp"
#include "emulator/lowering/lowering.hpp"

#include <string_view>

namespace kiln::emulator {

/// An integer type. Its members are single bytes.
struct IntegerType {
  std::uint8_t bits = 32;
  bool is_signed = false;
};

/// A cvt instruction: its types and other modifiers.
struct Conversion {
  const ptx::Instruction& instruction;
  std::string_view to, from;
  FloatMode mode;
  bool only_finite = false;  // .satfinite
  bool to_integral = false;  // rounds a float to an integral float
};

/// False if it is not an integer type.
bool read_integer_type(std::string_view spelling, IntegerType& type);

// Each returns false for types that it does not handle.
bool lower_integer_conversion(const Conversion& conversion, Lowering& lowering);        // convert_integer.cpp
bool lower_integer_float_conversion(const Conversion& conversion, Lowering& lowering);  // convert_integer_float.cpp
bool lower_float_conversion(const Conversion& conversion, Lowering& lowering);          // convert_handlers.cpp
bool lower_small_float_conversion(const Conversion& conversion, Lowering& lowering);    // convert_small_float.cpp
void lower_cvt_pack(const ptx::Instruction& instruction, Lowering& lowering);           // convert_pack.cpp

/// The operand in registers of exactly `size` bytes. For a wider register a step copies it.
Slot in_of_size(Lowering& lowering, const ptx::Operand& operand, ptx::Type type);
/// The same for a destination: call `finish` after the step that writes the slot.
class OutOfSize {
 public:
  OutOfSize(Lowering& lowering, const ptx::Operand& operand, ptx::Type type);
  Slot slot() const { return slot_; }
  void finish(Lowering& lowering) const;

 private:
  unsigned size_, register_size_ = 0;
  Slot register_, slot_;
};

}  // namespace kiln::emulator
