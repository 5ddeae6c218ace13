// What only nvcc takes, found in texts that NVRTC refused.
#include "worker/nvrtc/gnu_extension.hpp"

#include <doctest/doctest.h>

namespace gnu_extension_test {

using kiln::gnu_extension;

TEST_CASE("extensions of GNU compilers that a text uses") {
  CHECK(gnu_extension("__typeof__(a) b = a;") == "__typeof__");
  CHECK(gnu_extension("__asm__ volatile(\"\");") == "__asm__");
  CHECK(gnu_extension("register int i;") == "register");
  CHECK(gnu_extension("int a$b;") == "'$' in identifiers");
  CHECK(gnu_extension("float \u0394t;") == "identifiers with letters outside ASCII");
  CHECK(gnu_extension("x = \u03b1 * 2;") == "identifiers with letters outside ASCII");
  for (const char* const text :
       {"#define M(a) ({ int b = a; b; })", "x = ({ 1; });", "f(({ 1; }))", "return ({ 1; });"})
    CHECK_MESSAGE(gnu_extension(text) == "statement expressions, ({ ... })", text);
  CHECK(gnu_extension("case 1 ... 5: break;") == "ranges of cases, case a ... b");
  CHECK(gnu_extension("case 'a' ... 'z':") == "ranges of cases, case a ... b");
  CHECK(gnu_extension("x = y ?: 7;") == "an omitted operand, x ?: y");
  for (const char* const text : {"P p = {.a = 1};", "P p = {1, .b = 2};", "int a[2] = {[0] = 1};", "P p = {a: 1};"})
    CHECK_MESSAGE(gnu_extension(text) == "designated initialisers, {.name = value}", text);
  for (const char* const text : {"f((P){1, 2});", "x = (float4){1};", "return (int[]){1, 2};", "g(a, (struct P){1})"})
    CHECK_MESSAGE(gnu_extension(text) == "compound literals, (type){...}", text);
}

TEST_CASE("what looks alike and is C++") {
  for (const char* const text : {"f({1, 2});",
                                 "std::min({a, b});",
                                 "void f(int a) { }",
                                 "if (a) { }",
                                 "[](int a) { }",
                                 "g([&](P p) { })",
                                 "template <class... T> void f(T... t);",
                                 "x = a ? ::b : c;",
                                 "a ? b : c",
                                 "case A: f(); break;",
                                 "case N::A:",
                                 "a[i] = 1;",
                                 "f(x, [=] { });",
                                 "{ p.a = 1; }",
                                 "{label: x = 1; }",
                                 "struct A : B { };",
                                 "for (int x : v) { }",
                                 "\"\u03b1\" // \u03b1 ({ ?: __typeof__",
                                 "x\u00a0= 1;",
                                 "x = 1 \u2212 2;",
                                 "\xff\xfe",
                                 "\xce",
                                 ""})
    CHECK_MESSAGE(gnu_extension(text).empty(), text);
}

}  // namespace gnu_extension_test
