// setp, set, selp and slct of integers.
#include "instruction_runs.hpp"

namespace comparison_test {

using namespace kiln::emulator;

namespace {

template <class T>
bool compared(const std::string& op, T a, T b) {
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  if (op == "lt" || op == "lo") return a < b;
  if (op == "le" || op == "ls") return a <= b;
  if (op == "gt" || op == "hi") return a > b;
  return a >= b;
}

template <class T>
void check_type(const std::string& type, const std::vector<std::string>& operators) {
  CAPTURE(type);
  const std::string bits = std::to_string(8 * sizeof(T));
  for (const std::string& op : operators)
    check<T>("setp." + op + "." + type + " %p1, A, B; selp.b" + bits + " D, 5, 9, %p1;",
             [=](T a, T b) { return compared(op, a, b) ? 5 : 9; });
}

const std::vector<std::string> of_signed = {"eq", "ne", "lt", "le", "gt", "ge"};
const std::vector<std::string> of_unsigned = {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};

}  // namespace

TEST_CASE("setp of every integer type and operator") {
  check_type<std::uint16_t>("u16", of_unsigned);
  check_type<std::int16_t>("s16", of_signed);
  check_type<std::uint32_t>("u32", of_unsigned);
  check_type<std::int32_t>("s32", of_signed);
  check_type<std::uint64_t>("u64", of_unsigned);
  check_type<std::int64_t>("s64", of_signed);
  check_type<std::uint16_t>("b16", {"eq", "ne"});
  check_type<std::uint32_t>("b32", {"eq", "ne"});
  check_type<std::uint64_t>("b64", {"eq", "ne"});
}

TEST_CASE("setp with a predicate, and both results") {
  const auto cases = usual_words();
  for (const std::string op : {"and", "or", "xor"}) {
    const auto together = [=](bool a, bool b) { return op == "and" ? a && b : op == "or" ? a || b : a != b; };
    check_words("setp.ne.u32 %p1, %r3, 0; setp.lt." + op +
                    ".s32 %p2|%p3, %r1, %r2, !%p1;\n"
                    "selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 1, 0, %p3;",
                cases, [=](const Words& w) {
                  const bool less = static_cast<std::int32_t>(w[0]) < static_cast<std::int32_t>(w[1]), c = w[2] == 0;
                  return std::uint64_t{together(!less, c)} << 32 | std::uint64_t{together(less, c)};
                });
  }
  check_words("setp.ge.u32 %p2|%p3, %r1, %r2; selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 1, 0, %p3;", cases,
              [](const Words& w) { return w[0] >= w[1] ? std::uint64_t{1} : std::uint64_t{1} << 32; });
}

TEST_CASE("a predicate may be source and destination") {
  check_words(
      "setp.ne.u32 %p1, %r3, 0; setp.eq.xor.u32 %p1|%p2, %r1, %r2, %p1;\n"
      "selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 1, 0, %p2;",
      usual_words(), [](const Words& w) {
        const bool equal = w[0] == w[1], c = w[2] != 0;
        return std::uint64_t{!equal != c} << 32 | std::uint64_t{equal != c};
      });
}

TEST_CASE("lanes that are not active keep their predicate") {
  check_words(
      "setp.ne.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r3, 0; @%p2 setp.eq.u32 %p1, %r2, 0; selp.u32 %r5, 1, 0, %p1;",
      usual_words(), [](const Words& w) { return w[2] == 0 ? w[1] == 0 : w[0] != 0; });
}

TEST_CASE("set gives ones or a float") {
  const auto cases = usual_words();
  check_words("set.hi.u32.u32 %r5, %r1, %r2; set.lt.f32.s32 %f1, %r1, %r2; mov.b32 %r6, %f1;", cases,
              [](const Words& w) {
                const bool less = static_cast<std::int32_t>(w[0]) < static_cast<std::int32_t>(w[1]);
                return std::uint64_t{less ? 0x3F800000u : 0u} << 32 | (w[0] > w[1] ? 0xFFFFFFFFu : 0u);
              });
  check_words("setp.ne.u32 %p1, %r3, 0; set.eq.and.s32.b64 %r5, %d1, %d2, %p1;", cases,
              [](const Words& w) { return w[0] == w[2] && w[1] == w[3] && w[2] != 0 ? 0xFFFFFFFFu : 0u; });
}

TEST_CASE("selp and slct choose bits of any type") {
  const auto cases = usual_words();
  check_words(
      "setp.ne.u32 %p1, %r3, 0; mov.b32 %f1, %r1; mov.b32 %f2, %r2; selp.f32 %f3, %f1, %f2, %p1;\n"
      "mov.b32 %r5, %f3; selp.f32 %f3, 0f3F800000, 2.0, !%p1; mov.b32 %r6, %f3;",
      cases, [](const Words& w) {
        return std::uint64_t{w[2] == 0 ? 0x3F800000u : 0x40000000u} << 32 | (w[2] != 0 ? w[0] : w[1]);
      });
  check_words(
      "setp.ne.u32 %p1, %r3, 0; mov.b64 %e1, %d1; mov.b64 %e2, %d2; selp.f64 %e3, %e1, %e2, %p1;\n"
      "mov.b64 {%r5, %r6}, %e3;",
      cases,
      [](const Words& w) { return w[2] != 0 ? std::uint64_t{w[1]} << 32 | w[0] : std::uint64_t{w[3]} << 32 | w[2]; });
  check_words("slct.u32.s32 %r5, %r1, %r2, %r3;", cases,
              [](const Words& w) { return (w[2] >> 31) == 0 ? w[0] : w[1]; });
  // -0, a negative subnormal number and NaN among the signs.
  const auto signs = words_with({0, 0x80000000u, 0x80000001u, 0x3F800000u, 0xBF800000u, 0x7FC00000u, 0xFFC00000u}, {0});
  check_words("mov.b32 %f1, %r3; slct.b32.f32 %r5, %r1, %r2, %f1; slct.ftz.b32.f32 %r6, %r1, %r2, %f1;", signs,
              [](const Words& w) {
                const bool exact = w[2] == 0x80000000u || w[2] <= 0x7F800000u, flushed = exact || w[2] == 0x80000001u;
                return std::uint64_t{flushed ? w[0] : w[1]} << 32 | (exact ? w[0] : w[1]);
              });
}

TEST_CASE("comparisons that PTX does not have are errors of the text") {
  for (const char* text : {"setp.lo.s32 %p1, %r1, %r2;", "setp.lt.b32 %p1, %r1, %r2;", "setp.s32 %p1, %r1, %r2;",
                           "setp.eq.and.s32 %p1, %r1, %r2;", "setp.eq.s32 %r1, %r1, %r2;",
                           "set.eq.u64.u32 %d1, %r1, %r2;", "selp.pred %p1, %p2, %p3, %p4;"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(TestModule(elementwise(text, 4)), ptx::ParseError);
  }
}

}  // namespace comparison_test
