// The table of floating-point instructions, and what their lowering functions share.
#include "emulator/instructions/floating/floating.hpp"

#include "emulator/instructions/families.hpp"
#include "emulator/instructions/floating/float_handlers.hpp"

#include <algorithm>

namespace kiln::emulator {

void throw_unsupported(const ptx::Instruction& instruction, std::string_view what) {
  throw Unsupported{std::string(instruction.opcode) + " " + std::string(what)};
}

void allow_only(const ptx::Instruction& instruction, std::initializer_list<std::string_view> modifiers) {
  unsigned types = 0;
  for (const std::string_view modifier : instruction.modifiers) {
    FloatType type;
    if (read_float_type(modifier, type)) {
      if (++types > 1) throw_unsupported(instruction, "of mixed types");
    } else if (std::find(modifiers.begin(), modifiers.end(), modifier) == modifiers.end()) {
      throw_unsupported(instruction, "with ." + std::string(modifier));
    }
  }
}

Step& emit_floating(const ptx::Instruction& instruction, Lowering& lowering, Handler handler, FloatType type,
                    unsigned sources) {
  if (instruction.operands.size() != sources + 1)
    lowering.refuse("Arguments mismatch for instruction '" + std::string(instruction.opcode) + "'");
  Slot slots[4];
  for (unsigned i = 1; i <= sources; ++i) slots[i] = lowering.in(instruction.operands[i], register_type(type));
  slots[0] = lowering.out(instruction.operands[0], register_type(type));
  Step& step = lowering.emit(handler);
  std::copy_n(slots, sources + 1, step.operand);
  set_small(step, float_mode(instruction, type));
  return step;
}

std::span<const InstructionRow> float_rows() {
  static constexpr InstructionRow rows[] = {
      {"add", lower_float_add},     {"sub", lower_float_sub},   {"mul", lower_float_mul},
      {"fma", lower_float_fma},     {"mad", lower_float_fma},   {"div", lower_div},
      {"rcp", lower_rcp},           {"sqrt", lower_sqrt},       {"neg", lower_float_neg},
      {"abs", lower_float_abs},     {"min", lower_float_min},   {"max", lower_float_max},
      {"set", lower_float_set},     {"setp", lower_float_setp}, {"testp", lower_testp},
      {"copysign", lower_copysign}, {"sin", lower_approximate}, {"cos", lower_approximate},
      {"lg2", lower_approximate},   {"ex2", lower_approximate}, {"tanh", lower_approximate},
      {"rsqrt", lower_approximate},
  };
  return rows;
}

}  // namespace kiln::emulator
