#include "launch/types_fit.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>

namespace types_fit_test {

namespace {

struct Unknown;
struct Point {
  float x, y;
};
struct Half {
  unsigned short bits;
};
enum class Mode : int { fast };

/// Whether a pointer of the host's type is taken for the kernel's.
template <class Host>
bool takes(const char* kernel_type) {
  return kiln::pointee_fits(kernel_type, kiln::detail::argument_info<Host>().pointee);
}

}  // namespace

TEST_CASE("types_fit: builtin scalars must be the same") {
  using kiln::types_fit;
  CHECK(types_fit("int", "int"));
  CHECK(types_fit("unsigned long long", "unsigned long long"));
  CHECK_FALSE(types_fit("int", "unsigned int"));
  CHECK_FALSE(types_fit("long", "long long"));
  CHECK_FALSE(types_fit("float", "int"));
  CHECK_FALSE(types_fit("char", "signed char"));
}

TEST_CASE("types_fit: pointers to builtins must point to the same, qualifiers apart") {
  using kiln::types_fit;
  CHECK(types_fit("float const*", "float*"));
  CHECK(types_fit("float*", "float const*"));
  CHECK(types_fit("float const* __restrict", "float volatile*"));
  CHECK_FALSE(types_fit("float*", "double*"));
  CHECK_FALSE(types_fit("float*", "float**"));
  CHECK_FALSE(types_fit("float*", "float"));
  CHECK(types_fit("float const* const*", "float**"));
}

TEST_CASE("types_fit: void* fits every pointer, and only pointers") {
  using kiln::types_fit;
  CHECK(types_fit("void*", "float const*"));
  CHECK(types_fit("float*", "void const*"));
  CHECK(types_fit("ns::Point*", "void*"));
  CHECK(types_fit("float**", "void*"));
  CHECK_FALSE(types_fit("void*", "long"));
  CHECK_FALSE(types_fit("void**", "float*"));
}

TEST_CASE("types_fit: classes may have other names on the host") {
  using kiln::types_fit;
  CHECK(types_fit("float4", "Vector"));
  CHECK(types_fit("__half", "unsigned short"));
  CHECK(types_fit("__half*", "ns::Half*"));
  CHECK(types_fit("ns::Pair<float, int*>", "Pair"));
  CHECK_FALSE(types_fit("ns::Point*", "float*"));
  CHECK_FALSE(types_fit("float*", "ns::Point*"));
  CHECK_FALSE(types_fit("ns::Point*", "ns::Point"));
  CHECK_FALSE(types_fit("ns::Point*", "ns::Point**"));
}

TEST_CASE("pointee_fits: scalars of one kind and size, whatever their names, signs and qualifiers") {
  CHECK(takes<float*>("float*"));
  CHECK(takes<const float*>("float*"));
  CHECK(takes<float*>("float const* __restrict"));
  CHECK_FALSE(takes<double*>("float*"));
  CHECK_FALSE(takes<float*>("double*"));
  CHECK_FALSE(takes<int*>("float*"));
  CHECK_FALSE(takes<float*>("int const*"));
  CHECK(takes<int*>("unsigned int*"));
  CHECK(takes<unsigned long*>("unsigned long long*"));
  CHECK(takes<long long*>("long*"));
  CHECK(takes<Mode*>("int*"));
  CHECK_FALSE(takes<Mode*>("float*"));
  CHECK_FALSE(takes<int*>("long*"));
  CHECK_FALSE(takes<short*>("int*"));
  CHECK(takes<bool*>("signed char*"));
  CHECK_FALSE(takes<signed char*>("float*"));
}

TEST_CASE("pointee_fits: void and bytes stand for everything") {
  for (const char* kernel : {"float*", "ns::Point*", "float**", "void*", "int const*"}) {
    CAPTURE(kernel);
    CHECK(takes<void*>(kernel));
    CHECK(takes<const void*>(kernel));
    CHECK(takes<char*>(kernel));
    CHECK(takes<const unsigned char*>(kernel));
    CHECK(takes<std::byte*>(kernel));
  }
  for (const char* kernel : {"void*", "char*", "unsigned char const*", "std::byte*"}) {
    CAPTURE(kernel);
    CHECK(takes<float*>(kernel));
    CHECK(takes<Point*>(kernel));
    CHECK(takes<float**>(kernel));
  }
}

TEST_CASE("pointee_fits: classes, which may have other names on the host") {
  CHECK(takes<Point*>("ns::Point*"));
  CHECK(takes<unsigned short*>("__half*"));
  CHECK(takes<float*>("float4 const*"));
  CHECK(takes<int*>("Mode*"));
  CHECK(takes<std::complex<float>*>("float*"));
  CHECK(takes<Point*>("float*"));
  CHECK_FALSE(takes<Half*>("float*"));
  CHECK(takes<Unknown*>("float*"));
}

TEST_CASE("pointee_fits: pointers to pointers, and addresses kept as integers") {
  CHECK(takes<float**>("float**"));
  CHECK(takes<const float* const*>("float**"));
  CHECK_FALSE(takes<double**>("float**"));
  CHECK_FALSE(takes<float*>("float**"));
  CHECK_FALSE(takes<float**>("float*"));
  CHECK(takes<unsigned long long*>("float**"));
  CHECK(takes<float**>("unsigned long*"));
  CHECK_FALSE(takes<unsigned*>("float**"));
  CHECK(takes<void**>("float**"));
  CHECK_FALSE(takes<void**>("float*"));
}

TEST_CASE("pointee_fits: what is not taken apart, or no pointer, is for others to judge") {
  CHECK(takes<float*>("void (*)(int)"));
  CHECK(takes<float*>("int"));
  CHECK(takes<int>("float*"));
  CHECK(takes<void (*)(int)>("float*"));
}

TEST_CASE("pointee_fits: a reference is passed as an address, and must be to what a pointer must be to") {
  for (const char* kernel : {"double const&", "double&", "double&&", "double volatile&", "double* __restrict"}) {
    CAPTURE(kernel);
    CHECK(takes<double*>(kernel));
    CHECK(takes<const volatile double*>(kernel));
    CHECK(takes<void*>(kernel));
    CHECK_FALSE(takes<int*>(kernel));
    CHECK_FALSE(takes<long*>(kernel));
    CHECK_FALSE(takes<double**>(kernel));
  }
  CHECK(takes<float**>("float* const&"));
  CHECK_FALSE(takes<float*>("float* const&"));
  CHECK(takes<int*>("ns::Point const&"));
  CHECK(takes<Point*>("float&"));
}

TEST_CASE("pointee_fits: a pointer or a reference to an array counts as one to its elements") {
  for (const char* kernel : {"float (*) [3]", "float (&) [3]", "float const (&) [3]", "float (&&) [3]",
                             "float (*) [3][4]", "float const (* const) [3]"}) {
    CAPTURE(kernel);
    CHECK(takes<float*>(kernel));
    CHECK(takes<float(*)[3]>(kernel));
    CHECK_FALSE(takes<int*>(kernel));
    CHECK_FALSE(takes<double*>(kernel));
    CHECK_FALSE(takes<int(*)[3]>(kernel));
  }
  CHECK(takes<float**>("float* (*) [3]"));
  CHECK(takes<float*(*)[3]>("float* (&) [3]"));
  CHECK_FALSE(takes<float*>("float* (*) [3]"));
  CHECK(takes<float(*)[3]>("float*"));
  CHECK_FALSE(takes<float(*)[3]>("int*"));
}

TEST_CASE("types_fit: a reference of the kernel is stated as a pointer") {
  using kiln::types_fit;
  CHECK(types_fit("double const&", "double const*"));
  CHECK(types_fit("double&&", "double*"));
  CHECK_FALSE(types_fit("double const&", "int*"));
  CHECK_FALSE(types_fit("double const&", "double"));
  CHECK(types_fit("float (&) [3]", "float*"));
  CHECK(types_fit("float (&) [3]", "float (*) [3]"));
  CHECK_FALSE(types_fit("float (&) [3]", "int*"));
}

}  // namespace types_fit_test
