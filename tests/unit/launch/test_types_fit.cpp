#include "launch/types_fit.hpp"

#include <doctest/doctest.h>

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
