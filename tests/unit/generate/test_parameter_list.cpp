#include "generate/parameter_list.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace parameter_list_test {

using namespace kiln;

namespace {

GeneratedParameter parsed(std::string_view text) { return parse_parameters(text, "test").at(0); }

std::string fault(std::string_view text) {
  try {
    (void)parse_parameters(text, "ElementwiseKernel k: arguments");
    return {};
  } catch (const ArgumentError& error) {
    return error.what();
  }
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a list's parameters, in their own spelling") {
  const auto all = parse_parameters("float a, const float* x,Pair<int, 3> *y, long *__restrict__ z", "test");
  REQUIRE(all.size() == 4);
  CHECK(all[0].text == "float a");
  CHECK(!all[0].is_vector);
  CHECK(all[1].name == "x");
  CHECK(all[1].is_vector);
  CHECK(all[2].text == "Pair<int, 3> *y");
  CHECK(all[3].name == "z");
  CHECK(parameters_text(all) == "float a, const float* x, Pair<int, 3> *y, long *__restrict__ z");
}

TEST_CASE("what a vector's elements are") {
  for (const char* text : {"const float* x", "float const *x", "const float *__restrict__ x", "const float* const x",
                           "float* const* x", "const Pair<int*, 2>* x"}) {
    CAPTURE(text);
    CHECK(parsed(text).is_const);
  }
  // The pointer is const, or what its elements point to, or an argument of a template.
  for (const char* text : {"float* x", "float* const x", "const float** x", "Pair<const int, 2>* x"}) {
    CAPTURE(text);
    CHECK(!parsed(text).is_const);
  }
  CHECK(parsed("volatile int* x").is_volatile);
  CHECK(!parsed("int* volatile x").is_volatile);
}

TEST_CASE("vectors of bytes") {
  for (const char* text : {"unsigned char* x", "const bool* x", "std::byte* x", "uint8_t* x"}) {
    CAPTURE(text);
    CHECK(parsed(text).is_of_bytes);
  }
  for (const char* text : {"char** x", "Pair<char, 2>* x", "char x", "short* x"}) {
    CAPTURE(text);
    CHECK(!parsed(text).is_of_bytes);
  }
}

TEST_CASE("what is no parameter list names the kernel and the way out") {
  CHECK(has(fault(""), "ElementwiseKernel k: arguments"));
  CHECK(has(fault("float"), "a type and a name for each argument"));
  CHECK(has(fault("unsigned int"), "a type and a name for each argument"));
  CHECK(has(fault("const float*"), "a type and a name for each argument"));
  CHECK(has(fault("float x[]"), "write \"float* x\""));
  CHECK(has(fault("float* x, "), "a C parameter list"));
  CHECK(has(fault("float* x, int* x"), "\"x\" twice"));
  CHECK(has(fault("float* i"), "means something else in a generated kernel"));
}

}  // namespace parameter_list_test
