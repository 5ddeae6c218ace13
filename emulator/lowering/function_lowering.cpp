#include "emulator/lowering/function_lowering.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/core/call_error.hpp"
#include "emulator/core/settings.hpp"
#include "emulator/lowering/code_registry.hpp"
#include "emulator/lowering/constant_pool.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/frame_layout.hpp"
#include "emulator/lowering/group_registers.hpp"
#include "emulator/lowering/immediate.hpp"
#include "emulator/lowering/lowering.hpp"
#include "emulator/lowering/register_places.hpp"
#include "emulator/lowering/special_registers.hpp"
#include "emulator/lowering/target_rules.hpp"
#include "emulator/lowering/unsupported.hpp"
#include "emulator/machine/code_place.hpp"
#include "emulator/ptx/module.hpp"
#include "emulator/ptx/parse.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

namespace kiln::emulator {
namespace {

using OperandKind = ptx::Operand::Kind;

void check_registers(const Step& step, Warp& warp, LaneMask active) {
  if (GroupChecks* const checks = group_checks(warp))
    checks->use(warp, step, active, *static_cast<const RegisterUse*>(step.data));
}

class FunctionLowering final : public Lowering {
 public:
  FunctionLowering(const Image& image, const ImageSymbols& symbols, FormCheck& forms, Code& code)
      : image_(image),
        symbols_(symbols),
        code_(code),
        source_(*code.source),
        constants_(code.constants),
        forms_(forms),
        layout_(lay_out_frame(code)),
        scratch_begin_(layout_.register_end) {
    if (Settings::get().check_race) group_registers_.emplace(source_);
  }

  void lower() {
    lower_instructions();
    for (const auto& [step, label] : labels_)
      steps_[step].value = first_steps_[std::min<std::size_t>(label, first_steps_.size() - 1)];
    code_.steps.assign(steps_.begin(), steps_.end());
    code_.register_bytes = static_cast<std::uint32_t>(layout_.register_end);
    code_.param_bytes = static_cast<std::uint32_t>(aligned(layout_.param_end, 16));
  }

  Slot in(const ptx::Operand& operand, ptx::Type type) override {
    if (operand.kind == OperandKind::reg) require_size(operand, type);
    unsigned size = 0;
    return in_any(operand, type, size);
  }

  Slot in_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) override {
    register_size = static_cast<unsigned>(ptx::size_of(type));
    switch (operand.kind) {
      case OperandKind::reg:
        return source_register(operand, register_size);
      case OperandKind::immediate:
        if (const auto bits = immediate_bits(operand, type)) return value_slot(*bits, type);
        mismatch();
      case OperandKind::special:
        return special(operand, type);
      case OperandKind::variable:
        return variable_address(operand, register_size);
      case OperandKind::function:
        return function_address(operand, register_size);
      default:
        mismatch();
    }
  }

  Slot out(const ptx::Operand& operand, ptx::Type type) override {
    if (operand.kind == OperandKind::reg) require_size(operand, type);
    unsigned size = 0;
    return out_any(operand, type, size);
  }

  Slot out_any(const ptx::Operand& operand, ptx::Type type, unsigned& register_size) override {
    register_size = static_cast<unsigned>(ptx::size_of(type));
    if (operand.kind == OperandKind::sink) return scratch(type == ptx::Type::pred ? 0 : register_size);
    if (operand.kind != OperandKind::reg) mismatch();
    register_size = static_cast<unsigned>(ptx::size_of(operand.type));
    return {code_.registers[operand.index]};
  }

  Slot constant(std::uint64_t bits, unsigned size) override { return constants_.add(bits, size); }

  Slot scratch(unsigned size) override {
    const std::uint64_t place = aligned(scratch_at_, register_alignment);
    scratch_at_ = place + (size == 0 ? sizeof(LaneMask) : std::uint64_t{size} * warp_size);
    layout_.register_end = std::max(layout_.register_end, aligned(scratch_at_, register_alignment));
    return {static_cast<std::uint32_t>(place)};
  }

  Address address(const ptx::Operand& operand) override {
    const ptx::Operand& base = operand.kind == OperandKind::address ? operand.elements.at(0) : operand;
    Address result;
    result.offset = base.offset + (&base == &operand ? 0 : operand.offset);
    if (base.kind == OperandKind::reg) {
      result.has_register = true;
      result.base = source_register(base, result.size);
      if (result.size != 4 && result.size != 8)
        throw Unsupported{"an address in a register of " + std::to_string(8 * result.size) + " bits"};
    } else if (base.kind == OperandKind::variable) {
      result.variable = place(*base.variable);
      result.offset += static_cast<std::int64_t>(result.variable.offset);
    } else if (base.kind == OperandKind::immediate) {
      result.offset += static_cast<std::int64_t>(base.bits);
    } else {
      mismatch();
    }
    return result;
  }

  VariablePlace place(const ptx::Variable& variable) override {
    VariablePlace result;
    result.space = variable.space;
    result.size = variable.size;
    if (variable.space == ptx::Space::shared) {
      const auto offset = symbols_.shared.offsets.find(&variable);
      result.dynamic_shared = variable.size == 0;
      if (offset != symbols_.shared.offsets.end()) result.offset = offset->second;
    } else if (const auto local = layout_.locals.find(&variable); local != layout_.locals.end()) {
      result.offset = local->second;
    } else if (const auto param = layout_.params.find(&variable); param != layout_.params.end()) {
      result.offset = param->second;
      result.entry_param = source_.is_entry && is_formal(variable);
    } else if (const auto address = symbols_.addresses.find(&variable); address != symbols_.addresses.end()) {
      result.offset = address->second;
    } else {
      throw CallError(CUDA_ERROR_INVALID_PTX,
                      "ptxas fatal   : Unresolved extern variable '" + std::string(variable.name) + "'");
    }
    return result;
  }

  ParamPlace param_room(std::uint32_t size) override {
    ParamPlace room;
    room.size = room.alignment = size;
    room.offset = static_cast<std::uint32_t>(aligned(layout_.param_end, size));
    layout_.param_end = room.offset + size;
    return room;
  }

  Step& emit(Handler handler, StepKind kind = StepKind::plain) override {
    Step& step = steps_.emplace_back();
    step.run = handler;
    step.kind = kind;
    step.instruction = instruction_number_;
    if (instruction_->guard >= 0) {
      step.guard = code_.registers[static_cast<std::uint32_t>(instruction_->guard)];
      step.guard_negated = instruction_->guard_negated;
    }
    return step;
  }

  std::span<const Slot> keep(std::vector<Slot> slots) override {
    return code_.slot_lists.emplace_back(std::move(slots));
  }
  void note_callee(const Code& callee) override { code_.callees.push_back(&callee); }
  const void* keep_data(std::shared_ptr<const void> data) override {
    return code_.data.emplace_back(std::move(data)).get();
  }

  const ptx::Instruction& instruction() const override { return *instruction_; }
  const ptx::Function& function() const override { return source_; }
  const Image& image() const override { return image_; }
  void resolve_label(const ptx::Operand& label, std::size_t step_index) override {
    if (label.kind != OperandKind::label) mismatch();
    labels_.emplace_back(step_index, label.index);
  }
  std::size_t steps_count() const override { return steps_.size(); }

  [[noreturn]] void refuse(const std::string& message) const override {
    throw_line_error(image_.module(), instruction_->line, message, source_places(code_, instruction_number_));
  }

 private:
  [[noreturn]] void mismatch() const {
    refuse("Arguments mismatch for instruction '" + std::string(instruction_->opcode) + "'");
  }

  // The grammar has already checked the operands, so a larger one is allowed here.
  void require_size(const ptx::Operand& operand, ptx::Type type) const {
    const bool is_predicate = operand.type == ptx::Type::pred;
    if (is_predicate != (type == ptx::Type::pred))
      throw Unsupported{std::string(instruction_->opcode) + " with a predicate in place of a value, or a value of one"};
    if (ptx::size_of(operand.type) < ptx::size_of(type)) mismatch();
    if (ptx::size_of(operand.type) > ptx::size_of(type))
      throw Unsupported{std::string(instruction_->opcode) + " with a register that is wider than its type"};
  }

  bool is_formal(const ptx::Variable& variable) const {
    return std::any_of(source_.params.begin(), source_.params.end(),
                       [&](const ptx::Variable& each) { return &each == &variable; });
  }

  void lower_instructions() {
    ptx::Instruction end;
    end.opcode = "ret";
    if (!source_.instructions.empty()) end.line = source_.instructions.back().line;
    instruction_ = &end;
    load_register_params(*this, code_);
    for (const ptx::Instruction& each : source_.instructions) {
      first_steps_.push_back(static_cast<std::uint32_t>(steps_.size()));
      instruction_number_ = static_cast<std::uint32_t>(first_steps_.size() - 1);
      lower_instruction(each);
    }
    first_steps_.push_back(static_cast<std::uint32_t>(steps_.size()));
    lower_instruction(end);
  }

  void lower_instruction(const ptx::Instruction& each) {
    instruction_ = &each;
    scratch_at_ = scratch_begin_;
    if (group_registers_)
      if (auto use = group_registers_->use_of(each)) emit(check_registers).data = keep_data(std::move(use));
    const std::size_t begin = steps_.size();
    const std::size_t labels = labels_.size();
    try {
      lower_known(each);
    } catch (const Unsupported& missing) {
      steps_.resize(begin);
      labels_.resize(labels);
      emit(stop_unsupported).data = keep_data(std::make_shared<std::string>(missing.what));
    }
  }

  // In a text of a newer PTX version, what looks wrong may be right there: such an instruction is unsupported, not an
  // error.
  void lower_known(const ptx::Instruction& each) {
    if (each.opcode.empty()) throw Unsupported{newer(source_.unread.at(instruction_number_))};
    require_target(each);
    try {
      const LowerFunction lower_it = forms_.lowering(each);
      if (lower_it == nullptr) {
        require_known_opcode(each);
        throw Unsupported{std::string(each.opcode)};
      }
      require_plain_registers(each);
      if (const std::string fault = forms_.fault(each); !fault.empty()) refuse(fault);
      lower_it(each, *this);
    } catch (const std::out_of_range&) {  // an operand is missing
      const std::string text = "Arguments mismatch for instruction '" + std::string(each.opcode) + "'";
      if (image_.module().is_newer) throw Unsupported{newer(text)};
      refuse(text);
    } catch (const ptx::ParseError& error) {
      if (!image_.module().is_newer) throw;
      throw Unsupported{newer(error.message())};
    }
  }

  std::string newer(const std::string& message) const {
    const ptx::Module& module = image_.module();
    if (std::pair(module.version_major, module.version_minor) <= ptx::newest_known)
      return "all of PTX for " + std::string(module.target) + ": " + message;
    return "all of PTX " + std::to_string(module.version_major) + "." + std::to_string(module.version_minor) +
           " (it knows " + std::string(ptx::newest_known_text) + "): " + message;
  }

  void require_target(const ptx::Instruction& each) const {
    const ptx::Module& module = image_.module();
    const std::string fault = forms_.target_fault(each);
    if (fault.empty()) return;
    // A newer version of PTX may have given the instruction to more targets.
    if (std::pair(module.version_major, module.version_minor) > ptx::newest_known) throw Unsupported{newer(fault)};
    refuse(fault);
  }

  void require_plain_registers(const ptx::Instruction& each) const {
    for (const ptx::Operand& operand : each.operands)
      if (operand.kind == OperandKind::reg && operand.offset != 0)
        throw Unsupported{"a register plus a number as an operand"};
  }

  void require_known_opcode(const ptx::Instruction& each) const {
    if (!is_known_opcode(each.opcode))
      refuse("Not a name of any known instruction: '" + std::string(each.opcode) + "'");
  }

  Slot source_register(const ptx::Operand& operand, unsigned& size) {
    size = static_cast<unsigned>(ptx::size_of(operand.type));
    const Slot slot{code_.registers[operand.index]};
    if (!operand.negated) return slot;
    if (operand.type != ptx::Type::pred) mismatch();
    const Slot negated = scratch(0);
    Step& step = emit(negate_predicate);
    step.operand[0] = negated;
    step.operand[1] = slot;
    return negated;
  }

  Slot value_slot(std::uint64_t bits, ptx::Type type) {
    if (type == ptx::Type::pred) return constants_.add_mask(bits != 0);
    return constant(bits, static_cast<unsigned>(ptx::size_of(type)));
  }

  Slot special(const ptx::Operand& operand, ptx::Type type) {
    const SpecialRegister* const found = special_register(operand.name.substr(1));
    if (found == nullptr) throw Unsupported{"the special register " + std::string(operand.name)};
    const unsigned size = type == ptx::Type::pred ? 0 : static_cast<unsigned>(ptx::size_of(type));
    if ((size == 0) != (found->size == 0)) mismatch();
    const Slot slot = scratch(size);
    Step& step = emit(nullptr);
    step.operand[0] = slot;
    read_special(*found, size, step);
    return slot;
  }

  // The address in the space itself: for shared, local and parameter variables the offset.
  Slot variable_address(const ptx::Operand& operand, unsigned size) {
    const VariablePlace where = place(*operand.variable);
    const std::uint64_t value = where.offset + static_cast<std::uint64_t>(operand.offset);
    if (size != 4 && size != 8) throw Unsupported{"an address of " + std::to_string(8 * size) + " bits"};
    if (!where.dynamic_shared && where.space != ptx::Space::local) return constant(value, size);
    const Slot slot = scratch(size);
    Step& step = emit(where.dynamic_shared ? add_dynamic_shared : add_local_base);
    step.operand[0] = slot;
    step.small[0] = static_cast<std::uint8_t>(size);
    step.value = static_cast<std::int64_t>(value);
    return slot;
  }

  Slot function_address(const ptx::Operand& operand, unsigned size) {
    const Code* const named = image_.code(operand.name);
    if (named == nullptr)
      throw CallError(CUDA_ERROR_INVALID_PTX,
                      "ptxas fatal   : Unresolved extern function '" + std::string(operand.name) + "'");
    if (size != 8) throw Unsupported{"the address of a function in " + std::to_string(8 * size) + " bits"};
    return constant(address_of(*named), size);
  }

  const Image& image_;
  const ImageSymbols& symbols_;
  Code& code_;
  const ptx::Function& source_;
  ConstantPool constants_;
  FormCheck& forms_;
  FrameLayout layout_;
  const std::uint64_t scratch_begin_;
  std::uint64_t scratch_at_ = scratch_begin_;
  const ptx::Instruction* instruction_ = nullptr;
  std::uint32_t instruction_number_ = 0;
  std::optional<GroupRegisters> group_registers_;  // null unless races are checked
  std::deque<Step> steps_;
  std::vector<std::uint32_t> first_steps_;                     // of each instruction, and of the end
  std::vector<std::pair<std::size_t, std::uint32_t>> labels_;  // step, instruction
};

}  // namespace

void lower_function(const Image& image, const ImageSymbols& symbols, FormCheck& forms, Code& code) {
  FunctionLowering(image, symbols, forms, code).lower();
}

}  // namespace kiln::emulator
