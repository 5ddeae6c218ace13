// The interface with which each family of instructions (instructions/) lowers a parsed instruction to steps.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/machine/code.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Thrown for what the emulator does not support: the instruction becomes a step that stops the kernel, naming
/// instruction, line and kernel.
struct Unsupported {
  std::string what;  // "wgmma", "f16 with .approx"
};

/// The place of a variable of any space.
struct VariablePlace {
  ptx::Space space = ptx::Space::none;
  /// global, constant: the address; shared: offset in the block's shared memory; local: offset in the frame's locals;
  /// param of a call or function: offset in the frame's parameter bytes; param of an entry: in the launch's buffer.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool dynamic_shared = false;  // an unsized extern: Block::dynamic_shared_offset()
  bool entry_param = false;
};

class Lowering {
 public:
  virtual ~Lowering() = default;

  /// A source operand of an instruction of that type: a register (whose size must be that of the type; otherwise an
  /// error as from ptxas), an immediate (converted by the rules of PTX: integers truncated, f64 texts rounded to f32,
  /// 0f / 0d bits), a special register, or the address of a variable, function or label in its own space (the offset of
  /// a shared variable, the address of a global one). Type::pred gives a mask; "!%p" is computed.
  virtual Slot in(const ptx::Operand& operand, ptx::Type type) = 0;
  /// As in(), for a register of any size (ld, st and cvt take registers wider than their type). Sets `register_size`;
  /// for immediates to that of the type.
  virtual Slot in_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) = 0;
  /// A destination register of the size of the type. A sink gets scratch registers.
  virtual Slot out(const ptx::Operand& operand, ptx::Type type) = 0;
  virtual Slot out_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) = 0;
  /// A constant: the same value in all lanes.
  virtual Slot constant(std::uint64_t bits, unsigned size) = 0;
  /// Scratch registers of the frame, 32 lanes of `size` bytes each (or one mask, for size 0).
  virtual Slot scratch(unsigned size) = 0;

  /// An address operand "[base + offset]": the base is a slot of 64-bit or 32-bit values (see `size`), or missing. For
  /// a variable at a known place, `variable` says where, and the offset includes it.
  struct Address {
    bool has_register = false;
    Slot base;
    unsigned size = 8;  // bytes of the base register, 4 or 8
    std::int64_t offset = 0;
    VariablePlace variable;  // space none where the base is a register or a number
  };
  virtual Address address(const ptx::Operand& operand) = 0;
  virtual VariablePlace place(const ptx::Variable& variable) = 0;
  /// Allocates parameter bytes of the frame, for an argument of a call that is not a variable.
  virtual ParamPlace param_room(std::uint32_t size) = 0;

  /// Appends a step with the guard and line of the instruction. Call in(), out() and address() before: they may append
  /// steps that must come first. The reference stays valid.
  virtual Step& emit(Handler handler, StepKind kind = StepKind::plain) = 0;
  /// Keeps operands that do not fit in a step, for as long as the code exists.
  virtual std::span<const Slot> keep(std::vector<Slot> slots) = 0;
  virtual const void* keep_data(std::shared_ptr<const void> data) = 0;

  /// Of a call that names its function.
  virtual void note_callee(const Code& callee) = 0;

  virtual const ptx::Instruction& instruction() const = 0;
  virtual const ptx::Function& function() const = 0;
  virtual const Image& image() const = 0;
  /// Sets `value` of the step with that index (steps_count() - 1 after emit) to the index of the label's first step,
  /// when the whole function is lowered.
  virtual void resolve_label(const ptx::Operand& label, std::size_t step_index) = 0;
  virtual std::size_t steps_count() const = 0;

  /// Throws an error of the text, worded as ptxas does: CUDA_ERROR_INVALID_PTX with line and text.
  [[noreturn]] virtual void refuse(const std::string& message) const = 0;
};

/// Lowers an instruction with the opcode of the row.
using LowerFunction = void (*)(const ptx::Instruction&, Lowering&);
struct InstructionRow {
  std::string_view opcode;
  LowerFunction lower;
};
/// Implemented in instructions/table.cpp. Null where no family of instructions has the opcode.
LowerFunction lowering_of(const ptx::Instruction& instruction);

}  // namespace kiln::emulator
