// What an expression's text becomes: instructions for a stack of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A name that an expression may use. Its values are integers (booleans are 0 and 1), or texts, which only == and !=
/// can compare.
struct ExpressionName {
  std::string name;
  bool is_text = false;
  bool is_parameter = false;  // of a tuning, whose name may be what is misspelt
  std::string example = {};   // one of its texts
};

enum class ExpressionStep : std::uint8_t {
  number,  // puts one on the stack; so do the next two
  literal,
  name,
  negate,
  invert,
  to_boolean,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  equal_texts,
  not_equal_texts,
  smaller,
  larger,
  ceil_div,
  jump,
  jump_if_zero,  // takes the value
  keep_if_zero,  // jumps with it, or takes it
  keep_if_not_zero,
};

struct ExpressionInstruction {
  ExpressionStep step;
  long long operand = 0;  // a number, or the index of a literal, a name or an instruction
};

struct ExpressionProgram {
  std::vector<ExpressionInstruction> instructions;
  std::vector<std::string> literals;
};

/// How many values the stack of a program may hold at most.
inline constexpr std::size_t expression_stack = 64;

/// Throws ArgumentError for what is no expression; `subject` is what the error calls it.
ExpressionProgram parse_expression(std::string_view text, const std::vector<ExpressionName>& names,
                                   const std::string& subject);

}  // namespace kiln
