#include "emulator/instructions/grammar/operand_rules.hpp"

#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/immediate.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace kiln::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// Makes rules of a form's words.
class RuleMaker {
 public:
  explicit RuleMaker(const Instruction& instruction) {
    for (const std::string_view modifier : instruction.modifiers) {
      if (is_type_word(modifier) && type_count_ < types_.size()) types_[type_count_++] = modifier;
      has_hint_ = has_hint_ || modifier == "L2::cache_hint";
      if (modifier == "v2" || modifier == "v4" || modifier == "v8")
        vector_ = static_cast<std::uint8_t>(modifier[1] - '0');
    }
  }

  OperandRules rules(std::string_view form) const {
    OperandRules made;
    while (!form.empty()) {
      const std::string_view word = next_word(form, ' ');
      if (word != "H")
        made.push_back(rule(word));
      else if (has_hint_)
        made.push_back(rule("u64"));
    }
    return made;
  }

 private:
  OperandRule rule(std::string_view word) const {
    using Kind = OperandRule::Kind;
    OperandRule made;
    made.may_be_missing = take_end(word, "?");
    made.may_be_pair = take_end(word, "|p");
    made.is_destination = word.front() == '>';
    if (made.is_destination) word.remove_prefix(1);
    constexpr std::pair<std::string_view, Kind> letters[] = {
        {"*", Kind::anything},    {"_", Kind::sink},           {"A", Kind::address},
        {"{}", Kind::vector},     {"W", Kind::video_register}, {"V", Kind::video_value},
        {"M", Kind::video_value}, {"S", Kind::mov_source},     {"N", Kind::variable_or_value}};
    for (const auto& [letter, kind] : letters)
      if (word == letter) made.kind = kind;
    made.may_be_negated = word == "M";
    if (made.kind == Kind::video_value && made.is_destination) made.kind = Kind::video_register;
    if (word.front() == '#') {
      made.kind = Kind::number;
      made.numbers = word.substr(1);
    } else if (made.kind == Kind::value || made.kind == Kind::mov_source || made.kind == Kind::variable_or_value) {
      value(made.kind == Kind::value ? word : "0", made);
    }
    return made;
  }

  void value(std::string_view word, OperandRule& made) const {
    if (word.front() == '{') {
      made.count = static_cast<std::uint8_t>(word[word.size() - 2] - '0');
      return set_type(word.substr(1, word.find('*') - 1), made);
    }
    made.may_be_sink = take_end(word, "_");
    if (take_end(word, "v") && vector_ != 1) made.count = vector_;
    made.may_be_wider = take_end(word, "w");
    const bool is_double = word.size() == 2 && take_end(word, "d");
    set_type(is_double ? double_of(named_type(word)) : named_type(word), made);
  }

  static void set_type(std::string_view type, OperandRule& made) {
    made.type = ptx::type_named(type);
    made.may_be_negated = type == "pred" && !made.is_destination;
    made.has_constants = has_constants(type);
    for (unsigned each = 0; each <= static_cast<unsigned>(ptx::Type::surfref); ++each)
      if (register_has(static_cast<ptx::Type>(each), type, made.may_be_wider)) made.registers |= 1u << each;
  }

  // Of the floating-point types only f32 and f64 have constants.
  static bool has_constants(std::string_view type) {
    return type == "f32" || type == "f64" ||
           (type.front() != 'f' && !type.starts_with("bf") && type.front() != 't' && !type.ends_with("x2"));
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

  std::array<std::string_view, 8> types_{};
  std::size_t type_count_ = 0;
  std::uint8_t vector_ = 1;
  bool has_hint_ = false;
};

bool is_sink(const Operand& operand) { return operand.kind == Operand::Kind::sink; }
bool is_floating(ptx::Type type) { return type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f64; }
bool is_integer_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && !is_floating(operand.type);
}
bool is_place(const Operand& base) {
  return base.kind != Operand::Kind::reg ||
         (base.name.empty() && !is_floating(base.type) && base.type != ptx::Type::pred);
}

bool one_fits(const OperandRule& rule, const Operand& operand) {
  if (operand.kind == Operand::Kind::reg)
    return (!operand.negated || rule.may_be_negated) && operand.name.empty() && operand.offset == 0 &&
           ((rule.registers >> static_cast<unsigned>(operand.type)) & 1) != 0;
  return operand.kind == Operand::Kind::immediate && !rule.is_destination && rule.has_constants &&
         (rule.type != ptx::Type::pred || !is_floating(operand.type)) && immediate_bits(operand, rule.type).has_value();
}

bool value_fits(const OperandRule& rule, const Operand& operand) {
  if (rule.count == 0) return one_fits(rule, operand);
  return operand.kind == Operand::Kind::vector && operand.elements.size() == rule.count &&
         std::all_of(operand.elements.begin(), operand.elements.end(),
                     [&](const Operand& element) { return is_sink(element) || one_fits(rule, element); });
}

bool pair_fits(const OperandRule& rule, const Operand& pair) {
  const auto is_predicate = [](const Operand& operand) {
    return operand.kind == Operand::Kind::reg && operand.type == ptx::Type::pred && !operand.negated;
  };
  return rule.may_be_pair && (is_sink(pair.elements[0]) || value_fits(rule, pair.elements[0])) &&
         (is_sink(pair.elements[1]) || is_predicate(pair.elements[1]));
}

bool is_video_register(const OperandRule& rule, const Operand& operand) {
  return operand.kind == Operand::Kind::reg && (!operand.negated || rule.may_be_negated) &&
         register_has(operand.type, "u32", false);
}

bool is_one_of(std::string_view numbers, std::uint64_t number) {
  while (!numbers.empty())
    if (next_word(numbers, '|') == std::to_string(number)) return true;
  return false;
}

bool fits(const OperandRule& rule, const Operand& operand) {
  using Kind = OperandRule::Kind;
  switch (rule.kind) {
    case Kind::anything:
      return true;
    case Kind::sink:
      return is_sink(operand);
    case Kind::address:
      return operand.kind == Operand::Kind::address && is_place(operand.elements.at(0));
    case Kind::number:
      return is_integer_number(operand) && (rule.numbers.empty() || is_one_of(rule.numbers, operand.bits));
    case Kind::vector:
      return operand.kind == Operand::Kind::vector;
    case Kind::video_register:
      return is_video_register(rule, operand);
    case Kind::video_value:
      return is_video_register(rule, operand) || is_integer_number(operand);
    case Kind::mov_source:
      if (operand.kind == Operand::Kind::special || operand.kind == Operand::Kind::function ||
          operand.kind == Operand::Kind::label)
        return true;
      [[fallthrough]];
    case Kind::variable_or_value:
      return operand.kind == Operand::Kind::variable || value_fits(rule, operand);
    case Kind::value:
      break;
  }
  if (operand.kind == Operand::Kind::pair) return pair_fits(rule, operand);
  return (rule.may_be_sink && is_sink(operand)) || value_fits(rule, operand);
}

}  // namespace

OperandRules operand_rules(std::string_view operands, const Instruction& instruction) {
  return RuleMaker(instruction).rules(operands);
}

bool fit(const OperandRules& rules, const std::vector<Operand>& operands) {
  if (operands.size() > rules.size()) return false;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i == operands.size()) return rules[i].may_be_missing;
    if (!fits(rules[i], operands[i])) return false;
  }
  return true;
}

}  // namespace kiln::emulator
