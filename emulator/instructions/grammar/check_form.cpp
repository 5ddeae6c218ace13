// Compares an instruction with the forms that its opcode has.
#include "emulator/instructions/grammar/form_modifiers.hpp"
#include "emulator/instructions/grammar/operand_rules.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/lowering.hpp"
#include "emulator/lowering/target_rules.hpp"
#include "emulator/ptx/cursor.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Instruction;

}  // namespace

bool register_has(ptx::Type declared, std::string_view type, bool may_be_wider) {
  using ptx::Type;
  const Type wanted = ptx::type_named(type);
  const std::size_t size = ptx::size_of(declared), least = ptx::size_of(wanted);
  if ((declared == Type::pred) != (wanted == Type::pred)) return false;
  if (size != least && !(may_be_wider && size > least)) return false;
  const auto is_bits = [](Type each) {
    return each == Type::b8 || each == Type::b16 || each == Type::b32 || each == Type::b64 || each == Type::b128;
  };
  const auto is_float = [](Type each) { return each == Type::f16 || each == Type::f32 || each == Type::f64; };
  if (declared == wanted || is_bits(declared)) return true;
  const char first = type.front();
  const bool is_packed_integers = (first == 'u' || first == 's') && type.ends_with("x2");
  if (declared == Type::f16x2 && is_packed_integers) return true;
  if (is_bits(wanted)) return first == 'b' && type[1] != 'f';
  if (wanted == Type::f16x2) return false;
  return is_float(declared) == is_float(wanted) && (!is_float(wanted) || size == least);
}

// "b32", "u16x2", "bf16", "e4m3x2", "ue8m0x2", but not "f4e" of prmt.
bool is_type_word(std::string_view modifier) {
  if (modifier.empty() || !ptx::is_digit(modifier.back())) return modifier == "pred";
  for (const std::string_view first : {"bf", "tf", "ue", "b", "u", "s", "f", "e"}) {
    if (!modifier.starts_with(first)) continue;
    modifier.remove_prefix(first.size());
    return !modifier.empty() && ptx::is_digit(modifier.front()) &&
           modifier.find_first_not_of("0123456789mx") == modifier.npos;
  }
  return false;
}

struct SpelledForms {
  std::deque<std::string> words;  // what the rules refer to: outlives the module's text
  std::vector<OperandRules> forms;
};

namespace {

SpelledForms forms_of(const Instruction& instruction) {
  SpelledForms made;
  Instruction kept;
  kept.opcode = instruction.opcode;
  for (const std::string_view modifier : instruction.modifiers)
    kept.modifiers.push_back(made.words.emplace_back(modifier));
  for (const InstructionForm* form : forms_of_opcode(instruction.opcode))
    if (takes_modifiers(*form, instruction)) made.forms.push_back(operand_rules(form->operands, kept));
  return made;
}

// The forms of each valid spelling in any module: there are few. Invalid ones are not kept.
const SpelledForms* spelled_forms(std::string_view spelled, const Instruction& instruction) {
  static std::mutex mutex;
  static std::map<std::string, SpelledForms, std::less<>> known;
  const std::scoped_lock lock(mutex);
  const auto found = known.find(spelled);
  if (found != known.end()) return &found->second;
  SpelledForms made = forms_of(instruction);
  return made.forms.empty() ? nullptr : &known.emplace(spelled, std::move(made)).first->second;
}

// By the form that takes most of the operands.
std::string mismatch(const Instruction& instruction, const std::vector<OperandRules>& forms) {
  const std::vector<ptx::Operand>& operands = instruction.operands;
  std::size_t most = 0;
  const OperandRules* closest = nullptr;
  for (const OperandRules& rules : forms) {
    const std::size_t fitting = fitting_operands(rules, operands);
    if (fitting >= operands.size() || fitting >= rules.size() || (closest != nullptr && fitting <= most)) continue;
    most = fitting;
    closest = &rules;
  }
  const std::string name = "'" + std::string(instruction.opcode) + "'",
                    text = "Arguments mismatch for instruction " + name;
  if (closest == nullptr) return text;
  const std::string why = operand_fault((*closest)[most], operands[most]), argument = std::to_string(most);
  return why.empty() ? text + ": argument " + argument
                     : "Argument " + argument + " of instruction " + name + ": " + why;
}

}  // namespace

const FormCheck::Spelling& FormCheck::spelling(const Instruction& instruction) {
  if (last_ == &instruction) return *last_spelling_;
  // All are views of one text: from the opcode to the end of the last modifier.
  std::string_view spelled = instruction.opcode;
  if (!instruction.modifiers.empty()) {
    const std::string_view last = instruction.modifiers.back();
    spelled = {spelled.data(), static_cast<std::size_t>(last.data() + last.size() - spelled.data())};
  }
  const auto [entry, is_new] = known_.try_emplace(spelled);
  if (is_new) {
    entry->second = {lowering_of(instruction), nullptr, may_lack_target(instruction, module_)};
    if (!forms_of_opcode(instruction.opcode).empty()) entry->second.forms = spelled_forms(spelled, instruction);
  }
  last_ = &instruction;
  last_spelling_ = &entry->second;
  return entry->second;
}

std::string FormCheck::target_fault(const Instruction& instruction) {
  return spelling(instruction).may_lack_target ? emulator::target_fault(instruction, module_) : std::string();
}

std::string FormCheck::fault(const Instruction& instruction) {
  const SpelledForms* const forms = spelling(instruction).forms;
  if (forms == nullptr)
    return forms_of_opcode(instruction.opcode).empty() ? std::string() : modifier_fault(instruction);
  bool is_odd = false;
  for (const OperandRules& rules : forms->forms) {
    const Fit found = fit(rules, instruction.operands);
    if (found == Fit::yes) return {};
    is_odd = is_odd || found == Fit::odd;
  }
  if (is_odd) throw Unsupported{"operands of " + std::string(instruction.opcode) + " like these"};
  return mismatch(instruction, forms->forms);
}

}  // namespace kiln::emulator
