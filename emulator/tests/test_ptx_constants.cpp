#include "emulator/ptx/constants.hpp"
#include "ptx_text.hpp"

#include <bit>

namespace ptx_constants_test {

using namespace kiln::emulator::ptx;

namespace {

Constant value_of(const std::string& text) {
  const std::string whole = text + ";";
  Cursor at(whole);
  const Constant value = constant(at);
  CHECK(at.peek() == ';');
  return value;
}

std::int64_t integer_of(const std::string& text) {
  const Constant value = value_of(text);
  CHECK(value.type == Type::s64);
  return static_cast<std::int64_t>(value.bits);
}

std::uint64_t unsigned_of(const std::string& text) {
  const Constant value = value_of(text);
  CHECK(value.type == Type::u64);
  return value.bits;
}

double double_of(const std::string& text) {
  const Constant value = value_of(text);
  CHECK(value.type == Type::f64);
  return std::bit_cast<double>(value.bits);
}

std::string refusal_of(const std::string& text) {
  return error_of([&] { value_of(text); });
}

}  // namespace

TEST_CASE("integers of every base") {
  CHECK(integer_of("0") == 0);
  CHECK(integer_of("42") == 42);
  CHECK(integer_of("0x1f") == 31);
  CHECK(integer_of("0X1F") == 31);
  CHECK(integer_of("017") == 15);
  CHECK(integer_of("0b101") == 5);
  CHECK(integer_of("-2147483648") == -2147483648LL);
  CHECK(integer_of("WARP_SZ") == 32);
}

TEST_CASE("an integer that s64 lacks, or that ends with U, is unsigned") {
  CHECK(unsigned_of("42U") == 42);
  CHECK(unsigned_of("0xFFFFFFFFFFFFFFFF") == ~std::uint64_t{0});
  CHECK(integer_of("-9223372036854775808") == INT64_MIN);
  CHECK(refusal_of("18446744073709551616") == "1; error   : Constant overflow");
}

TEST_CASE("floating point literals keep their bits") {
  CHECK(value_of("0f3F800000").type == Type::f32);
  CHECK(value_of("0f3F800000").bits == 0x3F800000);
  CHECK(value_of("0FfF800001").bits == 0xFF800001);
  CHECK(value_of("0d3FF0000000000000").type == Type::f64);
  CHECK(value_of("0D7FF0000000000001").bits == 0x7FF0000000000001);
  CHECK(value_of("-0f00000000").bits == 0x80000000);
  CHECK(double_of("1.5") == 1.5);
  CHECK(double_of("1e3") == 1000);
  CHECK(double_of(".5") == 0.5);
  CHECK(double_of("-2.5 + 1") == -1.5);
  CHECK(refusal_of("0f3F80000") == "1; error   : Invalid floating point literal");
  CHECK(refusal_of("0f3F8000000") == "1; error   : Invalid floating point literal");
}

TEST_CASE("operators bind as in C") {
  CHECK(integer_of("1 + 2 * 3") == 7);
  CHECK(integer_of("(1 + 2) * 3") == 9);
  CHECK(integer_of("10 - 4 - 3") == 3);
  CHECK(integer_of("(1 << 3) | 2") == 10);
  CHECK(integer_of("(0xF0 & 0xCC) | 0xAA") == 0xEA);
  CHECK(integer_of("1 | 6 ^ 2 & 3") == 5);
  CHECK(integer_of("7 % 4 == 3 && 2 > 1") == 1);
  CHECK(integer_of("1 < 1 || 1 >= 2") == 0);
  CHECK(integer_of("!0 + !5") == 1);
  CHECK(integer_of("~0") == -1);
  CHECK(integer_of("- -3") == 3);
  CHECK(integer_of("1 ? 2 : 3") == 2);
  CHECK(integer_of("0 ? 2 : 0 ? 4 : 5") == 5);
}

TEST_CASE("signs tell how to divide, compare and shift") {
  CHECK(integer_of("-8 / 3") == -2);
  CHECK(integer_of("-8 % 3") == -2);
  CHECK(integer_of("-8 >> 1") == -4);
  CHECK(integer_of("-1 < 0") == 1);
  CHECK(integer_of("-1 < 0U") == 0);
  CHECK(unsigned_of("(.u64)-8 >> 60") == 15);
  CHECK(integer_of("(.s64)8U") == 8);
  CHECK(integer_of("1 << 64") == 0);
  CHECK(integer_of("-1 >> 100") == -1);
  CHECK(integer_of("(-9223372036854775807 - 1) / -1") == INT64_MIN);
}

TEST_CASE("what is no constant") {
  CHECK(refusal_of("1 / 0") == "1; error   : Division by zero in constant expression");
  CHECK(refusal_of("1 % (2 - 2)") == "1; error   : Division by zero in constant expression");
  CHECK(refusal_of("1.5 & 1") == "1; error   : Integer constant expression expected");
  CHECK(refusal_of("(.f32)1") == "1; error   : Invalid cast in constant expression");
  CHECK(refusal_of("(1") == "1; fatal   : Parsing error near ';': syntax error");
  CHECK(refusal_of("12abc") == "1; fatal   : Parsing error near '12abc': syntax error");
  CHECK(refusal_of("0x") == "1; fatal   : Parsing error near '0x': syntax error");
  CHECK(refusal_of("x") == "1; fatal   : Parsing error near 'x': syntax error");
}

}  // namespace ptx_constants_test
