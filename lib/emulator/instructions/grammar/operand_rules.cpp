#include "emulator/instructions/grammar/operand_rules.hpp"

#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/immediate.hpp"
#include "emulator/lowering/special_registers.hpp"
#include "emulator/ptx/cursor.hpp"
#include "emulator/ptx/variables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
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
      const std::string_view space = modifier.substr(0, modifier.find(':'));
      if (ptx::space_named(space) != ptx::Space::none) space_ = ptx::space_named(space);
      has_layer_ = has_layer_ || modifier == "a1d" || modifier == "a2d" || modifier == "acube" || modifier == "a2dms";
      if (modifier == "v2" || modifier == "v4" || modifier == "v8")
        vector_ = static_cast<std::uint8_t>(modifier[1] - '0');
    }
  }

  OperandRules rules(std::string_view form) const {
    OperandRules made;
    bool is_odd_form = false;
    while (!form.empty()) {
      const std::string_view word = next_word(form, ' ');
      if (word == "!")
        is_odd_form = true;
      else if (word != "H")
        made.push_back(rule(word));
      else if (has_hint_)
        made.push_back(rule("u64"));
    }
    if (!made.empty()) made.front().is_odd_form = is_odd_form;
    return made;
  }

 private:
  OperandRule rule(std::string_view word) const {
    using Kind = OperandRule::Kind;
    OperandRule made;
    made.may_be_missing = take_end(word, "?");
    made.may_be_odd = take_end(word, "~");
    made.may_be_pair = take_end(word, "|p");
    if (const std::size_t hash = word.find('#'); hash != word.npos) {
      made.numbers = word.substr(hash + 1);
      word = word.substr(0, hash);
      if (word.empty()) made.kind = Kind::number;
    }
    if (made.kind == Kind::number) return made;
    made.is_destination = word.front() == '>';
    if (made.is_destination) word.remove_prefix(1);
    constexpr std::pair<std::string_view, Kind> letters[] = {
        {"*", Kind::anything},       {"_", Kind::sink},
        {"A", Kind::address},        {"Aw", Kind::wide_address},
        {"F", Kind::named_address},  {"R", Kind::handle},
        {"Q", Kind::handle_address}, {"O", Kind::offset},
        {"{}", Kind::vector},        {"W", Kind::video_register},
        {"V", Kind::video_value},    {"M", Kind::video_value},
        {"S", Kind::mov_source},     {"N", Kind::variable_or_value}};
    if (word.front() == 'T') {
      made.kind = Kind::texture;
      made.has_layer = has_layer_;
      set_type(word == "T" ? "s32" : named_type(word.substr(1)), made);
    }
    if (word == "Aw") made.may_be_odd = true;
    if (word == "Sv") made.count = vector_;
    if (word == "Sv") word = "S";
    for (const auto& [letter, kind] : letters)
      if (word == letter) made.kind = kind;
    made.may_be_negated = word == "M";
    if (made.kind == Kind::video_value && made.is_destination) made.kind = Kind::video_register;
    if (word == "N") made.space = space_;
    if (made.kind == Kind::value || made.kind == Kind::mov_source || made.kind == Kind::variable_or_value)
      value(made.kind == Kind::value ? word : "0", made);
    return made;
  }

  void value(std::string_view word, OperandRule& made) const {
    if (word.front() == '{') {
      made.count = static_cast<std::uint8_t>(word[word.size() - 2] - '0');
      word = word.substr(1, word.find('*') - 1);
    }
    made.may_be_sink = take_end(word, "_");
    if (take_end(word, "v") && vector_ != 1) made.count = vector_;
    if (take_end(word, "s")) made.kind = OperandRule::Kind::converted;
    made.may_be_wider = take_end(word, "w");
    const bool is_double = word.size() == 2 && take_end(word, "d");
    set_type(is_double ? double_of(named_type(word)) : named_type(word), made);
    if (made.may_be_odd) made.registers &= ~bit_of(ptx::Type::b128);
    // ptxas takes .f16x2 where the instruction's own type is an integer or a predicate, not for its further operands.
    const bool has_own_type = word.size() == 1 && ptx::is_digit(word.front());
    if (word == "c" || word == "u32" || word == "s32") made.registers &= ~bit_of(ptx::Type::f16x2);
    if (has_own_type && made.type == ptx::Type::pred) made.registers |= bit_of(ptx::Type::f16x2);
    if (word == "P" || (word == "b32" && made.may_be_odd)) made.has_constants = false;
  }

  static constexpr std::uint32_t bit_of(ptx::Type type) { return 1u << static_cast<unsigned>(type); }

  static void set_type(std::string_view type, OperandRule& made) {
    made.type = ptx::type_named(type);
    made.may_be_negated = type == "pred" && !made.is_destination;
    made.has_constants = has_constants(type);
    for (unsigned each = 0; each <= static_cast<unsigned>(ptx::Type::surfref); ++each)
      if (register_has(static_cast<ptx::Type>(each), type, made.may_be_wider))
        made.registers |= bit_of(static_cast<ptx::Type>(each));
  }

  // Of the floating-point types only f32 and f64 have constants.
  static bool has_constants(std::string_view type) {
    return type == "f32" || type == "f64" ||
           (type.front() != 'f' && !type.starts_with("bf") && type.front() != 't' && !type.ends_with("x2"));
  }

  std::string_view named_type(std::string_view word) const {
    if (word == "p" || word == "P") return "pred";
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
  bool has_layer_ = false;
  std::uint8_t vector_ = 1;
  ptx::Space space_ = ptx::Space::shared;  // of a variable: that of mapa and getctarank, which may not say it
  bool has_hint_ = false;
};

bool is_sink(const Operand& operand) { return operand.kind == Operand::Kind::sink; }
bool is_floating(ptx::Type type) {
  return type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f16x2 || type == ptx::Type::f64;
}
bool is_integer_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && !is_floating(operand.type);
}
bool is_place(const Operand& base, std::size_t least) {
  if (base.kind != Operand::Kind::reg) return true;
  const std::size_t size = ptx::size_of(base.type);
  return base.name.empty() && !is_floating(base.type) && base.type != ptx::Type::pred && least <= size && size <= 8;
}

// "16", "0-15", "1-", "%32" (multiples), "+16" (multiples from 0 on).
bool is_of_numbers(std::string_view numbers, std::uint64_t number) {
  const char kind = numbers.front();
  if (!ptx::is_digit(kind)) numbers.remove_prefix(1);
  const char* const end = numbers.data() + numbers.size();
  std::uint64_t first = 0;
  auto last = static_cast<std::uint64_t>(INT64_MAX);
  const char* const rest = std::from_chars(numbers.data(), end, first).ptr;
  if (kind == '%') return number % first == 0;
  if (kind == '+') return number <= last && number % first == 0;
  if (rest == end) return number == first;
  std::from_chars(rest + 1, end, last);
  return first <= number && number <= last;
}

bool is_one_of(std::string_view numbers, std::uint64_t number) {
  if (numbers.empty()) return true;
  while (!numbers.empty())
    if (is_of_numbers(next_word(numbers, '|'), number)) return true;
  return false;
}

bool is_allowed(const OperandRule& rule, const Operand& number) {
  if (rule.numbers == "0f") return number.type == ptx::Type::f32;
  if (rule.numbers != "unit") return is_one_of(rule.numbers, number.bits);
  const auto bits = static_cast<std::uint32_t>(*immediate_bits(number, ptx::Type::f32));
  return std::bit_cast<float>(bits) > 0 && std::bit_cast<float>(bits) <= 1;
}

bool one_fits(const OperandRule& rule, const Operand& operand) {
  if (operand.kind == Operand::Kind::reg)
    return (!operand.negated || rule.may_be_negated) && operand.name.empty() && operand.offset == 0 &&
           ((rule.registers >> static_cast<unsigned>(operand.type)) & 1) != 0;
  return operand.kind == Operand::Kind::immediate && !rule.is_destination && rule.has_constants &&
         (rule.type != ptx::Type::pred || !is_floating(operand.type)) &&
         immediate_bits(operand, rule.type).has_value() && is_allowed(rule, operand);
}

// %tid and the like, which lowering knows: mov takes those of its size, and some of 16 bits, too.
bool special_fits(const OperandRule& rule, const Operand& operand) {
  const SpecialRegister* const found = special_register(operand.name.substr(1));
  if (found == nullptr) return true;
  if (rule.kind == OperandRule::Kind::converted) return found->size >= ptx::size_of(rule.type);
  if (is_floating(rule.type)) return false;
  const std::size_t size = rule.type == ptx::Type::pred ? 0 : ptx::size_of(rule.type);
  if (size == found->size) return true;
  const std::string_view name = found->name.substr(0, found->name.find('.'));
  if (name == "gridid") return size == 2 || size == 4;
  return size == 2 && (name == "tid" || name == "ntid" || name == "ctaid" || name == "nctaid");
}

// Addresses of variables in global memory have 64 bits.
bool takes_address_of(const OperandRule& rule, const ptx::Variable& variable) {
  if (is_floating(rule.type) || rule.type == ptx::Type::pred) return false;
  const bool is_global = variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
  return !is_global || ptx::size_of(rule.type) >= 8;
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

bool is_handle(const Operand& operand) {
  return operand.kind == Operand::Kind::variable ||
         (operand.kind == Operand::Kind::reg && operand.offset == 0 && register_has(operand.type, "u64", false));
}

// "[texture, {x, y}]", "[texture, sampler, {x, y}]". How many coordinates there must be, lowering knows.
bool texture_fits(const OperandRule& rule, const Operand& operand) {
  const std::vector<Operand>& parts = operand.elements;
  if (operand.kind != Operand::Kind::texture || parts.size() > 3) return false;
  if (!std::all_of(parts.begin(), parts.end() - 1, is_handle)) return false;
  const Operand& last = parts.back();
  if (last.kind != Operand::Kind::vector) return one_fits(rule, last);
  const std::size_t count = last.elements.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& each = last.elements[i];
    const bool is_layer = rule.has_layer && i == 0 && each.kind == Operand::Kind::reg;
    if (is_layer ? !register_has(each.type, "u32", false) : !one_fits(rule, each)) return false;
  }
  return count == 1 || count == 2 || count == 4;
}

bool fits(const OperandRule& rule, const Operand& operand) {
  using Kind = OperandRule::Kind;
  switch (rule.kind) {
    case Kind::anything:
      return true;
    case Kind::sink:
      return is_sink(operand);
    case Kind::address:
      return operand.kind == Operand::Kind::address && is_place(operand.elements.at(0), 1);
    case Kind::wide_address:
      return operand.kind == Operand::Kind::address && is_place(operand.elements.at(0), 8);
    case Kind::handle:
      return is_handle(operand) || is_integer_number(operand);
    case Kind::handle_address:
      return operand.kind == Operand::Kind::variable ||
             (operand.kind == Operand::Kind::address && is_handle(operand.elements.at(0)));
    case Kind::texture:
      return texture_fits(rule, operand);
    case Kind::offset:
      return operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::immediate ||
             (operand.kind == Operand::Kind::reg && register_has(operand.type, "b32", false));
    case Kind::named_address:
      return operand.kind == Operand::Kind::address && operand.elements.at(0).kind == Operand::Kind::variable;
    case Kind::number:
      return is_integer_number(operand) && is_one_of(rule.numbers, operand.bits);
    case Kind::vector:
      return operand.kind == Operand::Kind::vector;
    case Kind::video_register:
      return is_video_register(rule, operand);
    case Kind::video_value:
      return is_video_register(rule, operand) || is_integer_number(operand);
    case Kind::converted:
      return operand.kind == Operand::Kind::special ? special_fits(rule, operand) : value_fits(rule, operand);
    case Kind::mov_source:
      if (operand.kind == Operand::Kind::special) return special_fits(rule, operand);
      if (operand.kind == Operand::Kind::variable) return takes_address_of(rule, *operand.variable);
      return operand.kind == Operand::Kind::function || operand.kind == Operand::Kind::label ||
             value_fits(rule, operand) || (rule.count != 0 && one_fits(rule, operand));
    case Kind::variable_or_value:
      if (operand.kind == Operand::Kind::variable) return operand.variable->space == rule.space;
      return value_fits(rule, operand);
    case Kind::value:
      break;
  }
  if (operand.kind == Operand::Kind::pair) return pair_fits(rule, operand);
  return (rule.may_be_sink && is_sink(operand)) || value_fits(rule, operand);
}

// What ptxas takes there, too, and no manual describes: values as addresses, predicates as 32 bits, vectors and "_" as
// values.
bool is_odd(const OperandRule& rule, const Operand& operand) {
  const Operand::Kind kind = operand.kind;
  const std::vector<Operand>& elements = operand.elements;
  const bool is_register = kind == Operand::Kind::reg;
  if (rule.kind == OperandRule::Kind::wide_address)
    return kind == Operand::Kind::address && is_place(operand.elements.at(0), 1);
  if (rule.kind == OperandRule::Kind::address && kind == Operand::Kind::immediate) return true;
  if (kind == Operand::Kind::immediate) return rule.numbers.empty() && !is_integer_number(operand);
  if (kind == Operand::Kind::sink) return true;
  if (rule.kind == OperandRule::Kind::address)
    return kind == Operand::Kind::variable || (is_register && is_floating(operand.type));
  if (kind != Operand::Kind::vector)
    return is_register && (operand.type == ptx::Type::pred || operand.type == ptx::Type::b128);
  return rule.count == 0 ||
         (elements.size() == rule.count && std::all_of(elements.begin(), elements.end(), [&](const Operand& element) {
            return element.kind == Operand::Kind::reg && ptx::size_of(element.type) == ptx::size_of(rule.type);
          }));
}

}  // namespace

OperandRules operand_rules(std::string_view operands, const Instruction& instruction) {
  return RuleMaker(instruction).rules(operands);
}

Fit fit(const OperandRules& rules, const std::vector<Operand>& operands) {
  if (operands.size() > rules.size()) return Fit::no;
  Fit all = !rules.empty() && rules.front().is_odd_form ? Fit::odd : Fit::yes;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i == operands.size()) return !rules[i].may_be_missing ? Fit::no : rules[i].may_be_odd ? Fit::odd : all;
    if (fits(rules[i], operands[i])) continue;
    if (!rules[i].may_be_odd || !is_odd(rules[i], operands[i])) return Fit::no;
    all = Fit::odd;
  }
  return all;
}

}  // namespace kiln::emulator
