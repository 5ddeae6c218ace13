#include "tune/expression.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace expression_test {

using namespace kiln;

namespace {

const std::string float_text = "float", big_text = "double";
const std::vector<ExpressionName> names = {{"A"}, {"B"}, {"TYPE", true}, {"ZERO"}, {"OTHER", true}, {"BLOCK_X"}};
const std::vector<ExpressionValue> values = {{7}, {-2}, {0, &float_text}, {0}, {0, &big_text}, {32}};

long long value(const std::string& text) { return Expression(text, names).value(values); }

/// What the error of parsing or evaluating says; empty without one.
std::string error_of(const std::string& text) {
  try {
    (void)value(text);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("operators bind as in C") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("100 / 10 / 2") == 5);
  CHECK(value("1 << 2 + 1") == 8);
  CHECK(value("1 < 2 == 1") == 1);
  CHECK(value("2 == 2 && 0 || 1") == 1);
  CHECK(value("1 || 0 && 0") == 1);
  CHECK(value("-2 * -3") == 6);
  CHECK(value("!0 + !5") == 1);
  CHECK(value("- -A") == 7);
  CHECK(value("+A") == 7);
  CHECK(value("A % 4 - B") == 5);
  CHECK(value("-7 / 2") == -3);
  CHECK(value("-7 % 2") == -1);
  CHECK(value("0x1F >> 1") == 15);
  CHECK(value("A != B") == 1);
  CHECK(value("7 <= A && A >= 7 && !(A < 7) && !(A > 7)") == 1);
  CHECK(value("5 && 6") == 1);
  CHECK(value("0 || 6") == 1);
}

TEST_CASE("a condition selects, from the right") {
  CHECK(value("A > 5 ? 1 : 2") == 1);
  CHECK(value("A > 9 ? 1 : B < 0 ? 3 : 4") == 3);
  CHECK(value("(A > 9 ? 1 : 2) + 1") == 3);
  CHECK(value("1 ? 0 ? 5 : 6 : 7") == 6);
}

TEST_CASE("functions") {
  CHECK(value("min(A, B)") == -2);
  CHECK(value("max(A, B) + 1") == 8);
  CHECK(value("ceil_div(A, 2)") == 4);
  CHECK(value("ceil_div(8, 2)") == 4);
  CHECK(value("ceil_div(-7, 2)") == -3);
  CHECK(value("ceil_div(7, -2)") == -3);
  CHECK(value("ceil_div(-7, -2)") == 4);
  CHECK(value("min(max(1, 2), 3 > 2 ? 9 : 8)") == 2);
  CHECK(Expression("min + 1", {{"min"}}).value(std::vector<ExpressionValue>{{4}}) == 5);
}

TEST_CASE("texts are compared") {
  CHECK(value("TYPE == \"float\"") == 1);
  CHECK(value("\"float\" != TYPE") == 0);
  CHECK(value("TYPE == OTHER") == 0);
  CHECK(value("TYPE != OTHER && true") == 1);
  CHECK(value("(TYPE) == \"float\" ? A : B") == 7);
  CHECK(
      error_of("TYPE + 1") ==
      "the expression 'TYPE + 1': expected numbers on both sides of '+', or texts, given a text before it and a number "
      "behind it; texts are in double quotes, and numbers are integers");
  CHECK(error_of("TYPE < OTHER").find("only == and != compare texts") != std::string::npos);
  for (const char* wrong : {"TYPE", "!TYPE", "TYPE && 1", "1 || TYPE", "TYPE ? 1 : 2", "1 ? TYPE : 2", "min(1, TYPE)"})
    CHECK_MESSAGE(error_of(wrong).find("expected a number") != std::string::npos, wrong);
}

TEST_CASE("a text where a number belongs is shown, and errors say what the expression is of") {
  const std::vector<ExpressionName> names = {{"BLOCK", true, true, "64x128"}};
  CHECK_THROWS_WITH_AS(Expression("BLOCK", names, "the grid"),
                       "the grid: expected a number, as texts can be compared by == and != alone, given BLOCK, which "
                       "has texts, such as '64x128'",
                       ArgumentError);
  CHECK_THROWS_WITH_AS(Expression("NONE", names, "the grid"), "the grid has the unknown name NONE; there are: BLOCK",
                       ArgumentError);
  const Expression quotient("1 / BLOCK", {{"BLOCK"}}, "the grid");
  const std::vector<ExpressionValue> zero = {{0, nullptr}};
  CHECK_THROWS_WITH_AS((void)quotient.value(zero), "the grid divides by 0 where BLOCK = 0", ArgumentError);
  long long result = 0;
  CHECK(quotient.evaluate(zero, result) == std::string("divides by 0"));
}

TEST_CASE("what is left out is not evaluated") {
  CHECK(value("ZERO != 0 && A / ZERO > 1") == 0);
  CHECK(value("ZERO == 0 || A / ZERO > 1") == 1);
  CHECK(value("ZERO ? A / ZERO : 3") == 3);
}

TEST_CASE("faults of values name the expression and the values") {
  CHECK(error_of("A / ZERO") == "the expression 'A / ZERO' divides by 0 where A = 7, ZERO = 0");
  CHECK(error_of("A % (B + 2)").find("divides by 0") != std::string::npos);
  CHECK(error_of("ceil_div(A, ZERO)").find("divides by 0") != std::string::npos);
  const std::string least = "(-9223372036854775807 - 1)";
  for (const char* large : {"9223372036854775807 + 1", "9223372036854775807 * 2", "1 << 63", "A << 62"})
    CHECK_MESSAGE(error_of(large).find("does not fit 64 bits") != std::string::npos, large);
  for (const std::string& large : {"-" + least, least + " / -1", least + " % -1", least + " - 1"})
    CHECK_MESSAGE(error_of(large).find("does not fit 64 bits") != std::string::npos, large);
  CHECK(error_of("1 << 64").find("more than 63") != std::string::npos);
  CHECK(error_of("1 >> B").find("less than 0") != std::string::npos);
  CHECK(value("-1 << 63") == std::stoll("-9223372036854775808"));
}

TEST_CASE("what is no expression is refused with the place") {
  CHECK(error_of("A +") == "the expression 'A +': expected a value, given its end");
  CHECK(error_of("A B") == "the expression 'A B': expected an operator or the end, given 'B'");
  CHECK(error_of("(A").find("expected ')', given its end") != std::string::npos);
  CHECK(error_of("A ? B").find("expected ':'") != std::string::npos);
  CHECK(error_of("min(A)").find("expected ','") != std::string::npos);
  for (const char* wrong : {"", " ", "1.5", "10u", "010", "0x", "0x-1", "9223372036854775808", "A = 1", "A & B", "~A",
                            "'a' == 1", "\"open", "A $ 1", "* 2", "A //1", "(A))", "min(1, 2, 3)"})
    CHECK_MESSAGE(!error_of(wrong).empty(), wrong);
}

TEST_CASE("an unknown function is refused with those that there are") {
  CHECK_THROWS_WITH_AS(
      Expression("cdiv(BLOCK, 2)", {{"BLOCK"}}, "the grid"),
      doctest::Contains("the unknown name cdiv; there are: BLOCK; the functions are: min max ceil_div"), ArgumentError);
}

TEST_CASE("an unknown name is refused with those that there are") {
  CHECK(error_of("BLOK_X > 1") ==
        "the expression 'BLOK_X > 1' has the unknown name BLOK_X; did you mean BLOCK_X? There "
        "are: A, B, TYPE, ZERO, OTHER, BLOCK_X");
  CHECK(error_of("ceildiv(A, 2)").find("did you mean ceil_div?") != std::string::npos);
  std::vector<ExpressionName> many;
  for (int i = 0; i < 100; ++i) many.push_back({"name_" + std::to_string(i)});
  CHECK_THROWS_WITH_AS(Expression("other", many), doctest::Contains("name_15 and 84 more"), ArgumentError);
  many.push_back({"BLOCK", false, true});
  many.push_back({"problem_x"});
  CHECK_THROWS_WITH_AS(Expression("other", many),
                       doctest::Contains("; there are: BLOCK, problem_x and 100 more, which are the device's"),
                       ArgumentError);
}

TEST_CASE("nesting has a limit, and length has none") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  CHECK(value(nested(60)) == 1);
  CHECK(!error_of(nested(70)).empty());
  CHECK(!error_of(nested(1000000)).empty());
  CHECK(!error_of(std::string(1000000, '-') + "1").empty());
  std::string right, left = "1", choice;
  for (int i = 0; i < 1000; ++i) left += " + 1", right += "1 + (", choice += "0 ? 1 : ";
  CHECK(value(left) == 1001);
  CHECK(!error_of(right + "1" + std::string(1000, ')')).empty());
  CHECK(!error_of(choice + "1").empty());
}

TEST_CASE("an expression says which names it uses") {
  CHECK(Expression("BLOCK_X * A < BLOCK_X", names).used() == std::vector<std::size_t>{0, 5});
  CHECK(Expression("1", names).used().empty());
}

}  // namespace expression_test
