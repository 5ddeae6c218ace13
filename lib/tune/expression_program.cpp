#include "tune/expression_program.hpp"

#include "base/argument_error.hpp"
#include "base/escaped_text.hpp"
#include "base/similar_name.hpp"
#include "base/source_token.hpp"
#include "base/text_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kiln {

namespace {

using Step = ExpressionStep;

struct BinaryOperator {
  std::string_view sign;
  int level;  // the higher, the closer it binds
  Step step;  // the jump of && and ||
};

constexpr int lowest_level = 1, highest_level = 7;

/// A sign that begins with another one stands before it.
constexpr std::array<BinaryOperator, 15> binary_operators = {{
    {"||", 1, Step::keep_if_not_zero},
    {"&&", 2, Step::keep_if_zero},
    {"==", 3, Step::equal},
    {"!=", 3, Step::not_equal},
    {"<<", 5, Step::shift_left},
    {">>", 5, Step::shift_right},
    {"<=", 4, Step::less_equal},
    {">=", 4, Step::greater_equal},
    {"<", 4, Step::less},
    {">", 4, Step::greater},
    {"+", 6, Step::add},
    {"-", 6, Step::subtract},
    {"*", 7, Step::multiply},
    {"/", 7, Step::divide},
    {"%", 7, Step::remainder},
}};

constexpr std::array<std::pair<std::string_view, Step>, 3> expression_functions = {{
    {"min", Step::smaller},
    {"max", Step::larger},
    {"ceil_div", Step::ceil_div},
}};

/// By descent, a function for each level. For one text.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::vector<ExpressionName>& names, const std::string& subject)
      : text_(text), names_(names), subject_(subject) {}

  ExpressionProgram parse() {
    skip_blanks();
    need_number(conditional());
    if (at_ < text_.size()) fail("an operator or the end");
    return std::move(program_);
  }

 private:
  enum class Type : std::uint8_t { number, text };

  /// Bounds what the text can nest, and so both this parser's stack and the program's.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > expression_stack) parser_.fail("at most 64 expressions within each other");
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  Type conditional() {
    const Nesting nesting(*this);
    const Type type = binary(lowest_level);
    if (!take("?")) return type;
    need_number(type);
    const std::size_t to_second = emit(Step::jump_if_zero);
    --height_;
    need_number(conditional());
    --height_;
    const std::size_t to_end = emit(Step::jump);
    expect(":");
    jump_here(to_second);
    need_number(conditional());
    jump_here(to_end);
    return Type::number;
  }

  Type binary(int level) {
    if (level > highest_level) return unary();
    Type left = binary(level + 1);
    while (const BinaryOperator* const found = operator_at(level)) {
      at_ += found->sign.size();
      skip_blanks();
      level <= 2 ? finish_lazy(*found, left) : finish_binary(*found, left);
      left = Type::number;
    }
    return left;
  }

  void finish_lazy(const BinaryOperator& found, Type left) {
    need_number(left);
    const std::size_t to_end = emit(found.step);
    --height_;
    need_number(binary(found.level + 1));
    jump_here(to_end);
    emit(Step::to_boolean);
  }

  void finish_binary(const BinaryOperator& found, Type left) {
    const Type right = binary(found.level + 1);
    const bool compares = found.step == Step::equal || found.step == Step::not_equal;
    if (left != right) refuse_types(found.sign, left);
    if (left == Type::text && !compares)
      fail("numbers beside '" + std::string(found.sign) + "', as only == and != compare texts");
    Step step = found.step;
    if (left == Type::text) step = step == Step::equal ? Step::equal_texts : Step::not_equal_texts;
    emit(step);
    --height_;
  }

  Type unary() {
    const bool is_inequality = text_.substr(at_, 2) == "!=";
    for (const auto& [sign, step] : {std::pair{"-", Step::negate}, {"!", Step::invert}, {"+", Step::add}}) {
      if (is_inequality || !take(sign)) continue;
      const Nesting nesting(*this);
      need_number(unary());
      if (step != Step::add) emit(step);
      return Type::number;
    }
    return primary();
  }

  Type primary() {
    if (take("(")) {
      const Type type = conditional();
      expect(")");
      return type;
    }
    if (at_ == text_.size()) fail("a value");
    const SourceToken token = source_token(text_, at_);
    const std::string_view text = text_.substr(at_, token.size);
    if (token.kind == SourceTokenKind::number) return number(text);
    if (token.kind == SourceTokenKind::word) return word(text);
    if (token.kind == SourceTokenKind::literal && token.is_closed && text.front() == '"') return literal(text);
    fail("a number, a name or a text in double quotes");
  }

  Type number(std::string_view text) {
    const bool is_hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
    const std::string_view digits = is_hex ? text.substr(2) : text;
    long long value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
    const bool is_octal = text.size() > 1 && text[0] == '0' && !is_hex;  // C would read it so, and others would not
    if (error != std::errc{} || end != digits.data() + digits.size() || is_octal || digits.front() == '-')
      fail("a decimal or hexadecimal integer of 64 bits");
    put(Step::number, value);
    pass(text);
    return Type::number;
  }

  Type literal(std::string_view text) {
    program_.literals.push_back(unescaped(text.substr(1, text.size() - 2)));
    text_name_ = nullptr;
    put(Step::literal, static_cast<long long>(program_.literals.size() - 1));
    pass(text);
    return Type::text;
  }

  Type word(std::string_view word) {
    const std::size_t begin = at_;
    const auto* const function = std::find_if(expression_functions.begin(), expression_functions.end(),
                                              [&](const auto& one) { return one.first == word; });
    pass(word);
    if (function != expression_functions.end() && take("(")) return call(function->second);
    const auto found = std::find_if(names_.begin(), names_.end(), [&](const auto& one) { return one.name == word; });
    const bool is_boolean = word == "true" || word == "false";
    if (found == names_.end() && !is_boolean) at_ = begin, refuse_name(word);
    if (found == names_.end())
      put(Step::number, word == "true" ? 1 : 0);
    else
      put(Step::name, found - names_.begin());
    if (found == names_.end() || !found->is_text) return Type::number;
    text_name_ = &*found;
    return Type::text;
  }

  Type call(Step step) {
    need_number(conditional());
    expect(",");
    need_number(conditional());
    expect(")");
    emit(step);
    --height_;
    return Type::number;
  }

  const BinaryOperator* operator_at(int level) const {
    const auto* const found =
        std::find_if(binary_operators.begin(), binary_operators.end(),
                     [&](const BinaryOperator& one) { return text_.substr(at_, one.sign.size()) == one.sign; });
    return found != binary_operators.end() && found->level == level ? found : nullptr;
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  void pass(std::string_view token) {
    at_ += token.size();
    skip_blanks();
  }

  bool take(std::string_view sign) {
    if (text_.substr(at_, sign.size()) != sign) return false;
    pass(sign);
    return true;
  }

  void expect(std::string_view sign) {
    if (!take(sign)) fail("'" + std::string(sign) + "'");
  }

  void need_number(Type type) const {
    if (type != Type::text) return;
    if (text_name_ == nullptr) fail("a number before this place, as texts can be compared by == and != alone");
    refuse(subject_, "a number, as texts can be compared by == and != alone",
           text_name_->name + ", which has texts, such as '" + text_name_->example + "'");
  }

  std::size_t emit(Step step, long long operand = 0) {
    program_.instructions.push_back({step, operand});
    return program_.instructions.size() - 1;
  }

  void put(Step step, long long operand) {
    if (++height_ > expression_stack) fail("fewer values that wait for others: use parentheses less");
    emit(step, operand);
  }

  void jump_here(std::size_t from) {
    program_.instructions[from].operand = static_cast<long long>(program_.instructions.size());
  }

  [[noreturn]] void refuse_types(std::string_view sign, Type left) const {
    refuse(subject_, "numbers on both sides of '" + std::string(sign) + "', or texts",
           left == Type::text ? "a text before it and a number behind it" : "a number before it and a text behind it",
           "; texts are in double quotes, and numbers are integers");
  }

  [[noreturn]] void refuse_name(std::string_view word) const {
    std::vector<std::string> known;
    for (const ExpressionName& name : names_) known.push_back(name.name);
    for (const auto& function : expression_functions) known.emplace_back(function.first);
    std::string list = known_names();
    const std::string similar = suggestion(similar_name(word, known));
    if (!similar.empty() && !list.empty()) list.replace(0, 3, " T");  // behind a question mark
    const auto end = static_cast<std::size_t>(word.data() - text_.data()) + word.size();
    std::string functions = trimmed(text_.substr(end)).starts_with('(') ? "; the functions are:" : "";
    if (!functions.empty())
      for (const auto& function : expression_functions) functions.append(" ").append(function.first);
    const std::string message = subject_ + " has the unknown name " + std::string(word) + similar + list + functions;
    throw_argument_error(message, list, std::string(word));
  }

  /// "; there are: ...": of a tuning its parameters and the problem's sizes; the device's attributes are some 150.
  std::string known_names() const {
    constexpr std::size_t most_listed = 16;
    const auto is_own = [](const ExpressionName& name) {
      return name.is_parameter || name.name.starts_with("problem_");
    };
    const bool lists_own = names_.size() > most_listed && std::any_of(names_.begin(), names_.end(), is_own);
    std::string list;
    std::size_t listed = 0;
    for (const ExpressionName& name : names_)
      if (listed < most_listed && (!lists_own || is_own(name)))
        list.append(listed++ == 0 ? "; there are: " : ", ").append(name.name);
    if (listed < names_.size()) list += " and " + std::to_string(names_.size() - listed) + " more";
    return list + (lists_own ? ", which are the device's attributes, such as max_threads_per_block" : "");
  }

  std::string suggestion(const std::string& similar) const {
    if (similar.empty()) return {};
    const bool is_parameter = std::any_of(names_.begin(), names_.end(), [&](const ExpressionName& name) {
      return name.is_parameter && name.name == similar;
    });
    return "; did you mean " + similar + (is_parameter ? ", or is " + similar + " the misspelt one?" : "?");
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string given = at_ < text_.size() ? "'" + std::string(text_.substr(at_)) + "'" : "its end";
    refuse(subject_, expected, given);
  }

  std::string_view text_;
  const std::vector<ExpressionName>& names_;
  const std::string& subject_;
  const ExpressionName* text_name_ = nullptr;  // the text that was read last; null: a literal
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::size_t height_ = 0;  // of the program's stack
  ExpressionProgram program_;
};

}  // namespace

ExpressionProgram parse_expression(std::string_view text, const std::vector<ExpressionName>& names,
                                   const std::string& subject) {
  return ExpressionParser(text, names, subject).parse();
}

}  // namespace kiln
