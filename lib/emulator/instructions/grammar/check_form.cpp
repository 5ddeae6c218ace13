// Compares an instruction with the forms that its opcode has.
#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/immediate.hpp"
#include "emulator/ptx/cursor.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace kiln::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Words = std::span<const std::string_view>;

constexpr std::size_t most_words = 16;

std::string_view next_word(std::string_view& words, char between) {
  const std::size_t end = words.find(between);
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(end == words.npos ? words.size() : end + 1);
  return word;
}

bool take_end(std::string_view& word, std::string_view end) {
  if (!word.ends_with(end)) return false;
  word.remove_suffix(end.size());
  return true;
}

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

// Whether a word of a form stands for types, which have an order.
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

// The modifiers behind the form's name; nothing if the instruction has another one.
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

// All but the types: each word of the form once, in any order. ptxas takes some twice, too.
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

/// The operands of an instruction against the words of a form.
class OperandCheck {
 public:
  explicit OperandCheck(const Instruction& instruction) : instruction_(instruction) {
    for (const std::string_view modifier : instruction.modifiers) {
      if (is_type_word(modifier) && type_count_ < types_.size()) types_[type_count_++] = modifier;
      has_hint_ = has_hint_ || modifier == "L2::cache_hint";
      if (modifier == "v2" || modifier == "v4" || modifier == "v8")
        vector_ = static_cast<std::size_t>(modifier[1] - '0');
    }
  }

  bool fits(std::string_view form) const {
    std::size_t i = 0;
    for (; !form.empty(); ++i) {
      std::string_view word = next_word(form, ' ');
      const bool optional = take_end(word, "?");
      if (word == "H") {
        if (!has_hint_) {
          --i;
          continue;
        }
        word = "u64";
      }
      if (i == instruction_.operands.size()) return optional;
      if (!one_fits(word, instruction_.operands[i])) return false;
    }
    return i == instruction_.operands.size();
  }

 private:
  bool one_fits(std::string_view word, const Operand& operand) const {
    if (word == "*") return true;
    if (word == "_") return is_sink(operand);
    if (word == "A") return operand.kind == Operand::Kind::address && is_place(operand.elements.at(0));
    if (word == "{}") return operand.kind == Operand::Kind::vector;
    if (word == ">V" || word == "W") return is_video_register(operand) && !operand.negated;
    if (word == "V" || word == "M")
      return (is_video_register(operand) && (word == "M" || !operand.negated)) ||
             (operand.kind == Operand::Kind::immediate && !is_floating(operand));
    if (word == "S") return is_named(operand) || value_fits("0", operand, false);
    if (word == "N") return operand.kind == Operand::Kind::variable || value_fits("0", operand, false);
    if (word.front() == '#')
      return operand.kind == Operand::Kind::immediate && !is_floating(operand) &&
             (word.size() == 1 || is_among(std::to_string(operand.bits), word.substr(1)));
    const bool may_be_pair = take_end(word, "|p");
    const bool is_destination = word.starts_with('>');
    if (is_destination) word.remove_prefix(1);
    if (operand.kind == Operand::Kind::pair) {
      if (!may_be_pair) return false;
      return is_sink_or(word, operand.elements[0], is_destination) && is_sink_or("p", operand.elements[1], true);
    }
    return value_fits(word, operand, is_destination);
  }

  static bool is_place(const Operand& base) {
    return base.kind != Operand::Kind::reg || (base.name.empty() && !is_floating_type(base.type));
  }

  static bool is_named(const Operand& operand) {
    return operand.kind == Operand::Kind::special || operand.kind == Operand::Kind::variable ||
           operand.kind == Operand::Kind::function || operand.kind == Operand::Kind::label;
  }

  static bool is_video_register(const Operand& operand) {
    return operand.kind == Operand::Kind::reg && register_has(operand.type, "u32", false);
  }

  bool is_sink_or(std::string_view word, const Operand& operand, bool is_destination) const {
    return operand.kind == Operand::Kind::sink || value_fits(word, operand, is_destination);
  }

  bool value_fits(std::string_view word, const Operand& operand, bool is_destination) const {
    if (word.starts_with('{')) return vector_fits(word.substr(1, word.size() - 2), operand, is_destination);
    if (take_end(word, "_") && is_sink(operand)) return true;
    const bool is_vector = take_end(word, "v");
    const bool may_be_wider = take_end(word, "w");
    const bool is_double = word.size() == 2 && take_end(word, "d");
    const std::string_view type = named_type(word);
    if (is_vector && vector_ != 1)
      return elements_fit(operand, vector_, [&](const Operand& element) {
        return is_sink(element) || register_fits(type, element, may_be_wider, is_destination);
      });
    return register_fits(is_double ? double_of(type) : type, operand, may_be_wider, is_destination);
  }

  bool vector_fits(std::string_view word, const Operand& operand, bool is_destination) const {
    const std::string_view type = next_word(word, '*');
    const std::size_t count = static_cast<std::size_t>(word[0] - '0');
    return elements_fit(operand, count,
                        [&](const Operand& element) { return register_fits(type, element, false, is_destination); });
  }

  template <class F>
  static bool elements_fit(const Operand& operand, std::size_t count, F fits) {
    return operand.kind == Operand::Kind::vector && operand.elements.size() == count &&
           std::all_of(operand.elements.begin(), operand.elements.end(), fits);
  }

  std::string_view named_type(std::string_view word) const {
    if (word == "p") return "pred";
    if (word == "c") return types_[0] == "u32" && types_[1] == "u32" ? "u32" : "s32";
    if (word.size() == 1) return types_[static_cast<std::size_t>(word[0] - '0')];
    return word;
  }

  static std::string_view double_of(std::string_view type) {
    if (type == "u16") return "u32";
    if (type == "s16") return "s32";
    return type == "u32" ? "u64" : "s64";
  }

  static bool is_sink(const Operand& operand) { return operand.kind == Operand::Kind::sink; }
  static bool is_floating(const Operand& operand) {
    return operand.type == ptx::Type::f32 || operand.type == ptx::Type::f64;
  }
  static bool is_floating_type(ptx::Type type) {
    return type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f64 || type == ptx::Type::pred;
  }

  static bool register_fits(std::string_view type, const Operand& operand, bool may_be_wider, bool is_destination) {
    if (operand.kind == Operand::Kind::reg)
      return (!operand.negated || (!is_destination && type == "pred")) && operand.name.empty() && operand.offset == 0 &&
             register_has(operand.type, type, may_be_wider);
    return operand.kind == Operand::Kind::immediate && !is_destination && has_immediates(type) &&
           (type != "pred" || !is_floating(operand)) && immediate_bits(operand, ptx::type_named(type)).has_value();
  }

  // Of the floating-point types f32 and f64 alone have constants.
  static bool has_immediates(std::string_view type) {
    return type == "f32" || type == "f64" ||
           (type.front() != 'f' && !type.starts_with("bf") && type.front() != 't' && !type.ends_with("x2"));
  }

  const Instruction& instruction_;
  std::array<std::string_view, 8> types_{};
  std::size_t type_count_ = 0, vector_ = 1;
  bool has_hint_ = false;
};

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

std::string FormCheck::fault(const Instruction& instruction) {
  const auto found = forms_by_opcode().find(instruction.opcode);
  if (found == forms_by_opcode().end()) return {};
  const std::vector<const InstructionForm*>& forms = forms_of(instruction, found->second);
  if (forms.empty()) return modifier_fault(instruction, found->second);
  const OperandCheck operands(instruction);
  for (const InstructionForm* form : forms)
    if (operands.fits(form->operands)) return {};
  return "Arguments mismatch for instruction '" + std::string(instruction.opcode) + "'";
}

const std::vector<const InstructionForm*>& FormCheck::forms_of(const Instruction& instruction,
                                                               const std::vector<const InstructionForm*>& all) {
  // All are views of one text: from the opcode to the end of the last modifier.
  std::string_view spelled = instruction.opcode;
  if (!instruction.modifiers.empty()) {
    const std::string_view last = instruction.modifiers.back();
    spelled = {spelled.data(), static_cast<std::size_t>(last.data() + last.size() - spelled.data())};
  }
  const auto [entry, is_new] = known_.try_emplace(spelled);
  if (!is_new) return entry->second;
  for (const InstructionForm* form : all) {
    const auto modifiers = behind_name(form->name, instruction.modifiers);
    if (modifiers && takes_types(form->modifiers, *modifiers) && takes_others(form->modifiers, *modifiers))
      entry->second.push_back(form);
  }
  return entry->second;
}

}  // namespace kiln::emulator
