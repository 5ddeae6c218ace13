// From a parsed instruction to steps: what each family of instructions (instructions/) is given to do it.
#pragma once

#include "emulator/lowering/image.hpp"
#include "emulator/machine/code.hpp"
#include "emulator/ptx/module.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// Thrown by a family for what the emulator does not do: the instruction becomes a step that stops the kernel, naming
/// instruction, line and kernel.
struct NotDone {
  std::string what;  // "wgmma", "f16 with .approx"
};

/// Where a variable of any space lies.
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

  /// A source operand of an instruction of that type: a register (whose size must be the type's; else an error as of
  /// ptxas), an immediate (converted as PTX says: integers truncated, f64 texts rounded to f32, 0f / 0d bits), a
  /// special register, an address of a variable, a function or a label (of the space's own kind: a shared variable's
  /// offset, a global one's address). Type::pred gives a mask; "!%p" is materialised.
  virtual Slot in(const ptx::Operand& operand, ptx::Type type) = 0;
  /// As in(), of whatever size the register has (ld, st and cvt take registers wider than their type): the size goes to
  /// `register_size`; immediates take the type's.
  virtual Slot in_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) = 0;
  /// A destination register of that type's size; a sink gives scratch room.
  virtual Slot out(const ptx::Operand& operand, ptx::Type type) = 0;
  virtual Slot out_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) = 0;
  /// The same value in all lanes.
  virtual Slot constant(std::uint64_t bits, unsigned size) = 0;
  /// Scratch registers of the frame, 32 lanes of `size` bytes each (or one mask, for size 0).
  virtual Slot scratch(unsigned size) = 0;

  /// An address operand "[base + offset]": the base as 64-bit (or 32-bit, see `size`) lane values in the slot, or none
  /// (a variable whose place is known: then `variable` says where, and the offset includes it).
  struct Address {
    bool has_register = false;
    Slot base;
    unsigned size = 8;  // bytes of the base register, 4 or 8
    std::int64_t offset = 0;
    VariablePlace variable;  // space none where the base is a register or a number
  };
  virtual Address address(const ptx::Operand& operand) = 0;
  virtual VariablePlace place(const ptx::Variable& variable) = 0;
  /// Room in the frame's parameter bytes, for an argument of a call that is no variable.
  virtual ParamPlace param_room(std::uint32_t size) = 0;

  /// Appends a step with the instruction's guard, line and so on. in(), out() and address() may append steps of their
  /// own, which have to come first: call them before. The reference stays good.
  virtual Step& emit(Handler handler, StepKind kind = StepKind::plain) = 0;
  /// The instruction being lowered has more operands than a step: keeps them as long as the code.
  virtual std::span<const Slot> keep(std::vector<Slot> slots) = 0;
  virtual const void* keep_data(std::shared_ptr<const void> data) = 0;

  virtual const ptx::Instruction& instruction() const = 0;
  virtual const ptx::Function& function() const = 0;
  virtual const Image& image() const = 0;
  /// Index of the step where the label's instruction begins: known after the whole function is lowered, so it is
  /// written to `step.value` then. `step_index` is the step's index (steps_count() - 1 after emit).
  virtual void resolve_label(const ptx::Operand& label, std::size_t step_index) = 0;
  virtual std::size_t steps_count() const = 0;

  /// An error of the text, as ptxas tells it: CUDA_ERROR_INVALID_PTX with line and text.
  [[noreturn]] virtual void refuse(const std::string& message) const = 0;
};

/// Lowers one instruction, whose opcode is the row's.
using LowerFunction = void (*)(const ptx::Instruction&, Lowering&);
struct InstructionRow {
  std::string_view opcode;
  LowerFunction lower;
};
/// Implemented in instructions/table.cpp. Null where no family of instructions has the opcode.
LowerFunction lowering_of(const ptx::Instruction& instruction);

}  // namespace kiln::emulator
