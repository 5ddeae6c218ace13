// Compares an instruction with the forms that its opcode has.
#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/instructions/grammar/operand_rules.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/ptx/cursor.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::emulator {
namespace {

using ptx::Instruction;
using Words = std::span<const std::string_view>;

constexpr std::size_t most_words = 16;

std::string_view alternatives_of(std::string_view set) {
  static const auto sets = [] {
    std::unordered_map<std::string_view, std::string_view> made;
    for (const FormSet& each : form_sets()) made.emplace(each.name, each.alternatives);
    return made;
  }();
  return sets.at(set);
}

bool is_among(std::string_view modifier, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const std::string_view one = next_word(alternatives, '|');
    if (one.front() == '$' ? is_among(modifier, alternatives_of(one)) : one == modifier) return true;
    if (one.back() == '*' && modifier.starts_with(one.substr(0, one.size() - 1))) return true;
  }
  return false;
}

// Whether a word of a form stands for types, whose order matters.
bool is_of_types(std::string_view word) {
  take_end(word, "?");
  const std::string_view first = next_word(word, '|');
  if (first.front() != '$') return is_type_word(first);
  std::string_view alternatives = alternatives_of(first);
  return is_type_word(next_word(alternatives, '|'));
}

const std::unordered_map<std::string_view, std::vector<const InstructionForm*>>& forms_by_opcode() {
  static const auto forms = [] {
    std::unordered_map<std::string_view, std::vector<const InstructionForm*>> made;
    for (const auto part :
         {arithmetic_forms(), memory_forms(), copy_forms(), thread_forms(), matrix_forms(), texture_forms()})
      for (const InstructionForm& form : part) made[form.name.substr(0, form.name.find('.'))].push_back(&form);
    return made;
  }();
  return forms;
}

// The modifiers after the form's name; nothing if the instruction has another name.
std::optional<Words> behind_name(std::string_view name, Words modifiers) {
  next_word(name, '.');
  for (; !name.empty(); modifiers = modifiers.subspan(1))
    if (modifiers.empty() || modifiers.front() != next_word(name, '.')) return std::nullopt;
  return modifiers;
}

bool takes_types(std::string_view form, Words modifiers) {
  auto next = modifiers.begin();
  const auto find_type = [&] { next = std::find_if(next, modifiers.end(), is_type_word); };
  while (!form.empty()) {
    const std::string_view word = next_word(form, ' ');
    if (!is_of_types(word)) continue;
    find_type();
    if (next == modifiers.end() || !is_among(*next++, word)) return false;
  }
  find_type();
  return next == modifiers.end();
}

// All but the types: each word of the form once, in any order. ptxas accepts some twice.
bool takes_others(std::string_view form, Words modifiers) {
  std::array<bool, most_words> used{};
  for (const std::string_view modifier : modifiers) {
    if (is_type_word(modifier)) continue;
    bool is_taken = false;
    std::size_t i = 0;
    for (std::string_view rest = form; !rest.empty() && !is_taken; ++i) {
      std::string_view word = next_word(rest, ' ');
      take_end(word, "?");
      if (is_of_types(word) || !is_among(modifier, word)) continue;
      if (used[i] && !is_among(modifier, "sat|relu|sync|approx|NaN|cc")) continue;
      is_taken = used[i] = true;
    }
    if (!is_taken) return false;
  }
  for (std::size_t i = 0; !form.empty(); ++i) {
    const std::string_view word = next_word(form, ' ');
    if (!used[i] && !word.ends_with('?') && !is_of_types(word)) return false;
  }
  return true;
}

std::string listed(const Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers) text.append(".").append(modifier);
  return text;
}

bool some_form_has(const std::vector<const InstructionForm*>& forms, std::string_view modifier) {
  return std::any_of(forms.begin(), forms.end(), [&](const InstructionForm* form) {
    std::string_view name = form->name, words = form->modifiers;
    for (next_word(name, '.'); !name.empty();)
      if (next_word(name, '.') == modifier) return true;
    while (!words.empty()) {
      std::string_view word = next_word(words, ' ');
      take_end(word, "?");
      if (is_among(modifier, word)) return true;
    }
    return false;
  });
}

std::string modifier_fault(const Instruction& instruction, const std::vector<const InstructionForm*>& forms) {
  const std::string opcode = "'" + std::string(instruction.opcode) + "'";
  for (const std::string_view modifier : instruction.modifiers)
    if (!is_type_word(modifier) && !some_form_has(forms, modifier))
      return "Illegal modifier '." + std::string(modifier) + "' for instruction " + opcode;
  return "Unexpected instruction types specified for " + opcode + ": '" + listed(instruction) + "'";
}

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
  if (is_bits(wanted)) return first == 'b' && type[1] != 'f';
  return is_float(declared) == is_float(wanted) && (!is_float(wanted) || size == least);
}

// "b32", "u16x2", "bf16", "e4m3x2", "ue8m0x2", but not "f4e" of prmt.
bool is_type_word(std::string_view modifier) {
  if (modifier == "pred") return true;
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
  for (const std::string_view modifier : instruction.modifiers)
    kept.modifiers.push_back(made.words.emplace_back(modifier));
  for (const InstructionForm* form : forms_by_opcode().at(instruction.opcode)) {
    const auto modifiers = behind_name(form->name, instruction.modifiers);
    if (modifiers && takes_types(form->modifiers, *modifiers) && takes_others(form->modifiers, *modifiers))
      made.forms.push_back(operand_rules(form->operands, kept));
  }
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

}  // namespace

std::string FormCheck::fault(const Instruction& instruction) {
  // All are views of one text: from the opcode to the end of the last modifier.
  std::string_view spelled = instruction.opcode;
  if (!instruction.modifiers.empty()) {
    const std::string_view last = instruction.modifiers.back();
    spelled = {spelled.data(), static_cast<std::size_t>(last.data() + last.size() - spelled.data())};
  }
  const auto [entry, is_new] = known_.try_emplace(spelled);
  if (is_new) {
    const auto& all = forms_by_opcode();
    if (all.find(instruction.opcode) == all.end()) return {};
    entry->second = spelled_forms(spelled, instruction);
  }
  const SpelledForms* const forms = entry->second;
  if (forms == nullptr) {
    const auto found = forms_by_opcode().find(instruction.opcode);
    return found == forms_by_opcode().end() ? std::string() : modifier_fault(instruction, found->second);
  }
  for (const OperandRules& rules : forms->forms)
    if (fit(rules, instruction.operands)) return {};
  return "Arguments mismatch for instruction '" + std::string(instruction.opcode) + "'";
}

}  // namespace kiln::emulator
