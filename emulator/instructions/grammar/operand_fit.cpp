// Whether the operands of an instruction are those of a form.
#include "emulator/instructions/grammar/forms_of.hpp"
#include "emulator/instructions/grammar/operand_rules.hpp"
#include "emulator/lowering/form_fault.hpp"
#include "emulator/lowering/immediate.hpp"
#include "emulator/lowering/special_registers.hpp"
#include "emulator/ptx/cursor.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace kiln::emulator {
namespace {

using ptx::Operand;

bool is_sink(const Operand& operand) { return operand.kind == Operand::Kind::sink; }
bool is_floating(ptx::Type type) {
  return type == ptx::Type::f16 || type == ptx::Type::f32 || type == ptx::Type::f16x2 || type == ptx::Type::f64;
}
bool is_integer_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && !is_floating(operand.type);
}
bool is_of_space(const ptx::Variable& variable, ptx::Space space) {
  if (space != ptx::Space::generic) return variable.space == space;
  return variable.space == ptx::Space::global || variable.space == ptx::Space::shared ||
         variable.space == ptx::Space::local;
}

bool is_place(const OperandRule& rule, const Operand& base, std::size_t least) {
  if (base.kind == Operand::Kind::variable) return is_of_space(*base.variable, rule.space);
  if (base.kind == Operand::Kind::immediate) return rule.space == ptx::Space::local;
  const std::size_t size = ptx::size_of(base.type);
  return base.name.empty() && !is_floating(base.type) && base.type != ptx::Type::pred && least <= size && size <= 8;
}

// "16", "0-15", "1-", "%32" (multiples but 0), "+16" (multiples from 0 on).
bool is_of_numbers(std::string_view numbers, std::uint64_t number) {
  const char kind = numbers.front();
  if (!ptx::is_digit(kind)) numbers.remove_prefix(1);
  const char* const end = numbers.data() + numbers.size();
  std::uint64_t first = 0;
  auto last = static_cast<std::uint64_t>(INT64_MAX);
  const char* const rest = std::from_chars(numbers.data(), end, first).ptr;
  if (kind == '%') return number != 0 && number % first == 0;
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

bool is_offset(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate ||
         (operand.kind == Operand::Kind::reg && register_has(operand.type, "s32", false));
}
bool is_depth(const Operand& operand) {
  return operand.kind == Operand::Kind::reg && register_has(operand.type, "f32", false);
}

bool fits(const OperandRule& rule, const Operand& operand) {
  using Kind = OperandRule::Kind;
  switch (rule.kind) {
    case Kind::anything:
      return true;
    case Kind::sink:
      return is_sink(operand);
    case Kind::address:
      return operand.kind == Operand::Kind::address && is_place(rule, operand.elements.at(0), 1);
    case Kind::wide_address:
      return operand.kind == Operand::Kind::address && is_place(rule, operand.elements.at(0), 8);
    case Kind::handle:
      return is_handle(operand) || is_integer_number(operand);
    case Kind::handle_address:
      return operand.kind == Operand::Kind::variable ||
             (operand.kind == Operand::Kind::address && is_handle(operand.elements.at(0)));
    case Kind::texture:
      return texture_fits(rule, operand);
    case Kind::offset:
      return operand.kind == Operand::Kind::vector
                 ? std::all_of(operand.elements.begin(), operand.elements.end(), is_offset)
                 : is_offset(operand) || is_depth(operand);
    case Kind::named_address:
      return operand.kind == Operand::Kind::address && operand.elements.at(0).kind == Operand::Kind::variable &&
             operand.elements.at(0).variable->space == ptx::Space::param;
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

// What ptxas takes there, too, and no manual describes: names of functions as values, values as addresses, predicates
// as 32 bits, vectors and "_" as values.
bool is_odd(const OperandRule& rule, const Operand& operand) {
  const Operand::Kind kind = operand.kind;
  if (kind == Operand::Kind::function) return !rule.is_destination;
  if (!rule.may_be_odd) return false;
  const std::vector<Operand>& elements = operand.elements;
  const bool is_register = kind == Operand::Kind::reg;
  if (rule.kind == OperandRule::Kind::wide_address)
    return kind == Operand::Kind::address && operand.elements.at(0).kind == Operand::Kind::reg;
  if (rule.kind == OperandRule::Kind::address && kind == Operand::Kind::immediate) return true;
  if (kind == Operand::Kind::immediate)
    return rule.kind == OperandRule::Kind::number || (rule.numbers.empty() && !is_integer_number(operand));
  if (kind == Operand::Kind::sink) return true;
  if (rule.kind == OperandRule::Kind::address) return kind == Operand::Kind::variable || is_register;
  if (kind != Operand::Kind::vector)
    return is_register && (operand.type == ptx::Type::pred || operand.type == ptx::Type::b128);
  return rule.count == 0 || rule.may_be_wider ||
         (elements.size() == rule.count && std::all_of(elements.begin(), elements.end(), [&](const Operand& element) {
            return element.kind == Operand::Kind::reg && ptx::size_of(element.type) == ptx::size_of(rule.type);
          }));
}

}  // namespace

std::size_t fitting_operands(const OperandRules& rules, const std::vector<Operand>& operands) {
  std::size_t i = 0;
  while (i < operands.size() && i < rules.size() && fits(rules[i], operands[i])) ++i;
  return i;
}

namespace {

// "0 or 1", "multiple of 16".
std::string numbers_text(std::string_view numbers) {
  std::string text;
  while (!numbers.empty()) {
    std::string_view one = next_word(numbers, '|');
    const bool is_multiple = !ptx::is_digit(one.front());
    if (is_multiple) one.remove_prefix(1);
    text.append(text.empty() ? "" : " or ").append(is_multiple ? "multiple of " : "").append(one);
  }
  return text;
}

}  // namespace

std::string operand_fault(const OperandRule& rule, const Operand& operand) {
  const Operand* const base = operand.kind == Operand::Kind::address ? &operand.elements.at(0) : nullptr;
  if (base != nullptr && base->kind == Operand::Kind::immediate)
    return "immediate addresses allowed only for .local state space";
  if (base != nullptr && base->kind == Operand::Kind::variable)
    return "state space mismatch between instruction and address '" + std::string(base->name) + "'";
  if (rule.numbers.empty() || !is_integer_number(operand)) return {};
  const std::string value = "value '" + std::to_string(static_cast<std::int64_t>(operand.bits)) + "'";
  const std::size_t dash = rule.numbers.find('-');
  if (dash == rule.numbers.npos) return "unexpected " + value + ", expected to be " + numbers_text(rule.numbers);
  const std::string_view last = rule.numbers.substr(dash + 1);
  if (last.empty()) return value + " expected to be at least " + std::string(rule.numbers.substr(0, dash));
  return value + " out of range, expected to be in range [" + std::string(rule.numbers.substr(0, dash)) + ".." +
         std::string(last) + "]";
}

Fit fit(const OperandRules& rules, const std::vector<Operand>& operands) {
  if (operands.size() > rules.size()) return Fit::no;
  Fit all = !rules.empty() && rules.front().is_odd_form ? Fit::odd : Fit::yes;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i == operands.size()) return rules[i].may_be_missing ? all : Fit::no;
    if (fits(rules[i], operands[i])) continue;
    if (!is_odd(rules[i], operands[i])) return Fit::no;
    all = Fit::odd;
  }
  return all;
}

}  // namespace kiln::emulator
