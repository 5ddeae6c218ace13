#include "template/balance.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace balance_test {

using namespace kiln;

namespace {

std::string fault(std::string_view text) {
  try {
    check_balance(text, "preamble 1");
    return {};
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("texts that are complete") {
  for (const char* text :
       {"", "f(a[1]) { }", "\"(\" '(' R\"(()\" /* ( */ // (", "1'000", "#define BEGIN {\n#define END }\n",
        "#error don't\n", "#if A\nvoid f(int x) {\n#else\nvoid f() {\n#endif\n}", "#if 0\n don't ( \"\n#endif",
        "#ifdef A\nextern \"C\" {\n#endif\n#ifdef A\n}\n#endif\n", "#if 0\n{\n#elif B\n{\n#else\n{\n#endif\n}",
        "#if 0\n#if 1\n(\n#else\n(\n#endif\n'\n#endif", "#ifdef NOTES\ndon't\n#endif",
        "#ifdef A\nif (a) {\n#endif\n#ifndef A\nif (b) {\n#endif\n}", "#if A\n#else\n{\n#endif\n#if !A\n}\n#endif",
        "#if A\n#elif B\n{\n#endif\n}", "#define A \\\n ( \\\n {\nx", "a \\\n b"}) {
    CAPTURE(text);
    CHECK(fault(text).empty());
  }
}

TEST_CASE("what is not closed, or closes nothing") {
  CHECK(
      fault("a\n  f({1);") ==
      "preamble 1: at line 2, column 7 a ')' closes a '{' of line 2, column 5; each part has to be complete in itself");
  CHECK(has(fault("{\n("), "at line 2, column 1 a '(' is not closed"));
  CHECK(has(fault("x}"), "at line 1, column 2 a '}' closes nothing"));
  CHECK(has(fault("[)"), "a ')' closes a '['"));
  CHECK(has(fault("\n\"abc\n\""), "at line 2, column 1 a '\"' is not closed"));
  CHECK(has(fault("don't"), "column 4 a ''' is not closed"));
  CHECK(has(fault("R\"x(abc)\""), "is not closed"));
  CHECK(has(fault("a /* b"), "a '/*' is not closed"));
  CHECK(has(fault("#define A /* b\n"), "a '/*' is not closed"));
  CHECK(has(fault("a\n #if B\n"), "at line 2, column 2 a '#if' is not closed by #endif"));
  CHECK(has(fault("#endif"), "a '#endif' belongs to no #if"));
  CHECK(has(fault("#if A\n#endif\n#else"), "at line 3, column 1 a '#else' belongs to no #if"));
  CHECK(has(fault("#if A\n{\n#else\n{\n#endif\n"), "at line 2, column 1 a '{' is not closed"));
  CHECK(has(fault("#if A\nf()\n#endif\n}"), "at line 4, column 1 a '}' closes nothing"));
  CHECK(has(fault("#define A R\"("), "a 'R' is not closed"));
  CHECK(has(fault("a \\"), "a '\\' would join the next line"));
  CHECK(has(fault("a \\\n"), "would join the next line"));
}

TEST_CASE("within a line") {
  CHECK_THROWS_AS(check_inline_balance("#if A\n#endif\n", "x"), ArgumentError);
  CHECK_NOTHROW(check_inline_balance("int a, // first\n int b", "x"));
  CHECK_THROWS_WITH_AS(check_inline_balance("int a // last", "x"), doctest::Contains("ends in a line comment"),
                       ArgumentError);
  CHECK_THROWS_WITH_AS(check_inline_balance("int a\n#if B\n#endif\n", "x"),
                       doctest::Contains("line 2, column 1 a directive"), ArgumentError);
}

}  // namespace balance_test
