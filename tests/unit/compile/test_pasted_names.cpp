#include "worker/dependencies/pasted_names.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace pasted_names_test {

using namespace kiln;

namespace {

PastedNames names_of(std::initializer_list<const char*> texts) {
  PastedNames names;
  for (const char* text : texts) names.read(text);
  return names;
}

}  // namespace

TEST_CASE("names that two or three identifiers make are found, also in several texts") {
  CHECK(names_of({"#define CAT(a, b) a##b\n", "char when[] = CAT(__TI, ME__);\n"}).tell_time());
  CHECK(names_of({"char when[] = CAT3(__, DATE, __);\n"}).tell_time());
  CHECK(names_of({"#define T __TIME\n", "#define E STAMP__\n"}).tell_time());
  CHECK(names_of({"char where[] = CAT(__FI, LE__);\n"}).use_own_path());
  CHECK(names_of({"#if CAT(__has, _include)(<a.h>)\n"}).ask_for_headers());
  CHECK(names_of({"#if CAT(__has_include, _next)(<a.h>)\n"}).ask_for_headers());
  CHECK(names_of({"char when[] = CAT(__T\\\nI, ME__);\n"}).tell_time());
}

TEST_CASE("the names as they are, and what only looks like their parts, are none") {
  const PastedNames names = names_of({"char a[] = __TIME__; // __TI ME__\n", "#ifdef __has_include\n#include <a.h>\n",
                                      "const char* text = \"__TI ME__\";\n", "int _, TIME, T, I, FILE;\n"});
  CHECK_FALSE(names.tell_time());
  CHECK_FALSE(names.use_own_path());
  CHECK_FALSE(names.ask_for_headers());
}

}  // namespace pasted_names_test
