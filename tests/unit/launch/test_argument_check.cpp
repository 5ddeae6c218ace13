#include "launch/argument_check.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace argument_check_test {

using kiln::ArgumentError;
using kiln::Parameter;
using kiln::ParameterKind;
using kiln::detail::signature;

namespace {

struct Point {
  float x, y, z;
};
enum class Mode { fast, slow };

Parameter pointer_to(const std::string& type) { return {0, 8, ParameterKind::pointer, type}; }
Parameter integer(const std::string& type, std::size_t size) { return {0, size, ParameterKind::integer, type}; }
Parameter floating(const std::string& type, std::size_t size) { return {0, size, ParameterKind::floating, type}; }
Parameter untyped(std::size_t size) { return {0, size, ParameterKind::other, ""}; }

/// What the check throws for a kernel of these parameters that is called with these types.
template <class... Args>
ArgumentError refusal(const std::vector<Parameter>& parameters) {
  try {
    kiln::check_arguments("f", parameters, signature<Args...>);
  } catch (const ArgumentError& error) {
    return error;
  }
  FAIL("the arguments passed the check");
  throw;
}

template <class... Args>
bool passes(const std::vector<Parameter>& parameters) {
  try {
    kiln::check_arguments("f", parameters, signature<Args...>);
    return true;
  } catch (const ArgumentError&) {
    return false;
  }
}

template <class... Args>
bool passes_typed(const std::vector<Parameter>& parameters) {
  try {
    kiln::check_argument_types("f", parameters, signature<Args...>);
    return true;
  } catch (const ArgumentError&) {
    return false;
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel's reference is named as one, with what to pass") {
  Parameter parameter{0, 8, ParameterKind::pointer};
  parameter.type = "P&";
  CHECK(refusal<int>({parameter}).expected() ==
        "P& (reference, 8 bytes: pass a pointer to device memory, or declare the parameter without &)");
}

TEST_CASE("arguments that fit pass") {
  CHECK(passes<>({}));
  CHECK(passes<float*, int>({pointer_to("float const*"), integer("int", 4)}));
  CHECK(passes<unsigned>({integer("int", 4)}));
  CHECK(passes<Mode>({integer("int", 4)}));
  CHECK(passes<void*>({pointer_to("float*")}));
  CHECK(passes<Point>({untyped(12)}));
  CHECK(passes<std::array<float, 4>>({untyped(16)}));
  CHECK(passes<double>({untyped(8)}));
  CHECK(passes<Point>({integer("int", 12)}));
}

TEST_CASE("CUdeviceptr may stand for a pointer, other integers may not") {
  CHECK(passes<CUdeviceptr>({pointer_to("float*")}));
  CHECK(passes<CUdeviceptr>({integer("unsigned long long", 8)}));
  CHECK_FALSE(passes<long long>({pointer_to("float*")}));
  CHECK_FALSE(passes<unsigned long>({pointer_to("float*")}));
}

TEST_CASE("other kinds are refused") {
  CHECK_FALSE(passes<float*>({integer("unsigned long long", 8)}));
  CHECK_FALSE(passes<float>({integer("int", 4)}));
  CHECK_FALSE(passes<int>({floating("float", 4)}));
  CHECK_FALSE(passes<double>({pointer_to("float*")}));
  CHECK_FALSE(passes<float*>({floating("double", 8)}));
  CHECK_FALSE(passes<short>({untyped(4)}));
}

TEST_CASE("a refused argument tells kernel, index, expected and given") {
  const auto error = refusal<int, double>({integer("int", 4), pointer_to("float const*")});
  CHECK(error.kernel() == "f");
  CHECK(error.index() == 1);
  CHECK(error.expected() == "float const* (pointer, 8 bytes)");
  CHECK(error.given() == "double (floating, 8 bytes)");
  CHECK(contains(error.what(),
                 "kernel f: argument 1 (counted from 0): expected float const* (pointer, 8 bytes), "
                 "given double (floating, 8 bytes)"));
}

TEST_CASE("a parameter without a name shows its size") {
  CHECK(refusal<int>({untyped(8)}).expected() == "8 bytes");
  CHECK(refusal<int>({untyped(1)}).expected() == "1 byte");
}

TEST_CASE("a usual slip gets a hint") {
  CHECK(contains(refusal<int>({integer("long", 8)}).what(), "0LL"));
  CHECK(contains(refusal<int>({untyped(8)}).what(), "0LL"));
  CHECK(contains(refusal<double>({floating("float", 4)}).what(), "0.5f"));
  CHECK(contains(refusal<float>({floating("double", 8)}).what(), "cast it to double"));
  CHECK(contains(refusal<float>({untyped(8)}).what(), "cast it to double"));
  const std::string of_class = refusal<float>({{0, 8, ParameterKind::other, "complex<float>"}}).what();
  CHECK(contains(of_class, "cast it to the kernel's type"));
  CHECK_FALSE(contains(of_class, "double"));
  CHECK(contains(refusal<int>({floating("float", 4)}).what(), "1.0f"));
  CHECK(contains(refusal<unsigned long>({pointer_to("int*")}).what(), "CUdeviceptr"));
  CHECK(
      contains(refusal<int>({pointer_to("int*")}).what(), "; an address kept in an integer is passed as CUdeviceptr"));
}

TEST_CASE("a container of the host as a parameter is named as a source writes it, with what to take instead") {
  const std::string text =
      refusal<float>({{0, 32, ParameterKind::other, "thrust::THRUST_300001_SM_900_NS::device_vector<float>"}}).what();
  CHECK(contains(text, "expected thrust::device_vector<float> (32 bytes), given float"));
  CHECK(contains(text, "a kernel takes no containers of the host: let it take a pointer and the number of elements"));
  CHECK(contains(refusal<float>({{0, 24, ParameterKind::other, "std::vector<int>"}}).what(), "a pointer and the"));
}

TEST_CASE("a wrong count tells both counts and the kernel's parameters") {
  const auto error = refusal<int, int, int>({pointer_to("float*"), integer("int", 4)});
  CHECK(error.index() == ArgumentError::no_index);
  CHECK(error.expected() == "2 arguments");
  CHECK(error.given() == "3 arguments");
  CHECK(contains(error.what(), "takes 2 arguments: float* (pointer, 8 bytes), int (integer, 4 bytes); given 3"));
  kiln::Parameter by_ptx = integer("int", 4);
  by_ptx.type.clear();
  CHECK(contains(refusal<>({untyped(8), by_ptx}).what(), "takes 2 arguments: (8 bytes), (integer, 4 bytes); given no"));
  CHECK(refusal<int>({}).expected() == "no arguments");
  CHECK(refusal<>({integer("int", 4)}).given() == "no arguments");
}

TEST_CASE("a typed function compares types too") {
  CHECK(passes_typed<float*, int>({pointer_to("float const*"), integer("int", 4)}));
  CHECK_FALSE(passes_typed<double*, int>({pointer_to("float const*"), integer("int", 4)}));
  CHECK_FALSE(passes_typed<float*, unsigned>({pointer_to("float const*"), integer("int", 4)}));
  CHECK(passes_typed<CUdeviceptr>({pointer_to("float*")}));
  CHECK(passes_typed<void*>({pointer_to("float*")}));
  CHECK(passes_typed<Point>({{0, 12, ParameterKind::other, "float3"}}));
  CHECK(passes_typed<Point*>({pointer_to("float3*")}));
  CHECK_FALSE(passes_typed<float*>({pointer_to("float3*")}));
  CHECK(passes_typed<float*>({untyped(8)}));
  CHECK_FALSE(passes_typed<float*>({}));
  CHECK_FALSE(passes_typed<int>({integer("long", 8)}));
}

}  // namespace argument_check_test
