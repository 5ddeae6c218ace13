#include "tune/expression.hpp"

#include "base/argument_error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace kiln {

namespace {

using Step = ExpressionStep;

constexpr const char* overflow = "does not fit 64 bits";
constexpr const char* zero_divisor = "divides by 0";

/// What is wrong with a quotient; null where nothing is.
const char* division_fault(long long a, long long b) {
  if (b == 0) return zero_divisor;
  return b == -1 && a == std::numeric_limits<long long>::min() ? overflow : nullptr;
}

const char* divide(Step step, long long& a, long long b) {
  if (const char* const fault = division_fault(a, b)) return fault;
  const long long rest = a % b;
  if (step == Step::remainder) return a = rest, nullptr;
  a /= b;
  if (step == Step::ceil_div && rest != 0 && (rest < 0) == (b < 0)) ++a;
  return nullptr;
}

const char* shift(Step step, long long& a, long long b) {
  if (b < 0 || b > 63) return "shifts by less than 0 or more than 63";
  if (step == Step::shift_right) return a >>= b, nullptr;
  const long long shifted = static_cast<long long>(static_cast<unsigned long long>(a) << b);
  if (shifted >> b != a) return overflow;
  return a = shifted, nullptr;
}

/// a becomes a and b by the operator; what is wrong with it, or null.
const char* combine(Step step, long long& a, long long b) {
  switch (step) {
    case Step::multiply:
      return __builtin_mul_overflow(a, b, &a) ? overflow : nullptr;
    case Step::add:
      return __builtin_add_overflow(a, b, &a) ? overflow : nullptr;
    case Step::subtract:
      return __builtin_sub_overflow(a, b, &a) ? overflow : nullptr;
    case Step::divide:
    case Step::remainder:
    case Step::ceil_div:
      return divide(step, a, b);
    case Step::shift_left:
    case Step::shift_right:
      return shift(step, a, b);
    case Step::less:
      return a = a < b, nullptr;
    case Step::less_equal:
      return a = a <= b, nullptr;
    case Step::greater:
      return a = a > b, nullptr;
    case Step::greater_equal:
      return a = a >= b, nullptr;
    case Step::equal:
      return a = a == b, nullptr;
    case Step::not_equal:
      return a = a != b, nullptr;
    case Step::smaller:
      return a = std::min(a, b), nullptr;
    default:
      return a = std::max(a, b), nullptr;
  }
}

/// The parser saw to it that both are texts.
bool are_equal_texts(const ExpressionValue& a, const ExpressionValue& b) {
  return a.text && b.text && *a.text == *b.text;
}

}  // namespace

Expression::Expression(std::string_view text, const std::vector<ExpressionName>& names, std::string subject)
    : text_(text),
      subject_(subject.empty() ? "the expression '" + text_ + "'" : std::move(subject)),
      program_(parse_expression(text, names, subject_)) {
  for (const ExpressionInstruction& instruction : program_.instructions)
    if (instruction.step == Step::name) used_.push_back(static_cast<std::size_t>(instruction.operand));
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  for (const std::size_t index : used_) used_names_.push_back(names[index].name);
}

long long Expression::value(std::span<const ExpressionValue> values) const {
  long long result = 0;
  if (const char* const fault = evaluate(values, result))
    throw_argument_error(fault_text(fault, values), "an integer of 64 bits", given(values));
  return result;
}

const char* Expression::evaluate(std::span<const ExpressionValue> values, long long& result) const noexcept {
  std::array<ExpressionValue, expression_stack + 1> stack;  // the parser bounded the height
  std::size_t top = 0;                                      // stack[0] lies below the values
  const std::vector<ExpressionInstruction>& instructions = program_.instructions;
  for (std::size_t at = 0; at < instructions.size(); ++at) {
    const auto [step, operand] = instructions[at];
    const auto index = static_cast<std::size_t>(operand);
    switch (step) {
      case Step::number:
        stack[++top] = {operand, nullptr};
        break;
      case Step::literal:
        stack[++top] = {0, &program_.literals[index]};
        break;
      case Step::name:
        stack[++top] = values[index];
        break;
      case Step::invert:
        stack[top].number = stack[top].number == 0;
        break;
      case Step::to_boolean:
        stack[top].number = stack[top].number != 0;
        break;
      case Step::negate:
        if (__builtin_sub_overflow(0LL, stack[top].number, &stack[top].number)) return overflow;
        break;
      case Step::jump:
        at = index - 1;
        break;
      case Step::jump_if_zero:
        if (stack[top--].number == 0) at = index - 1;
        break;
      case Step::keep_if_zero:
      case Step::keep_if_not_zero:
        if ((stack[top].number == 0) == (step == Step::keep_if_zero))
          at = index - 1;
        else
          --top;
        break;
      case Step::equal_texts:
      case Step::not_equal_texts:
        --top;
        stack[top] = {are_equal_texts(stack[top], stack[top + 1]) == (step == Step::equal_texts), nullptr};
        break;
      default:
        --top;
        if (const char* const fault = combine(step, stack[top].number, stack[top + 1].number)) return fault;
    }
  }
  result = stack[top].number;
  return nullptr;
}

std::string Expression::given(std::span<const ExpressionValue> values) const {
  std::string given;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const ExpressionValue& value = values[used_[i]];
    given.append(given.empty() ? "" : ", ").append(used_names_[i]).append(" = ");
    given += value.text ? *value.text : std::to_string(value.number);
  }
  return given;
}

std::string Expression::fault_text(const std::string& what, std::span<const ExpressionValue> values) const {
  const std::string where = given(values);
  return subject_ + " " + what + (where.empty() ? "" : " where " + where);
}

}  // namespace kiln
