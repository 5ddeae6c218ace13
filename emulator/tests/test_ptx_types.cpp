#include "emulator/ptx/module.hpp"

#include <doctest/doctest.h>

namespace ptx_types_test {

using namespace kiln::emulator::ptx;

TEST_CASE("types that only instructions have are their bits") {
  CHECK(type_named("f16x2") == Type::f16x2);
  CHECK(type_named("bf16") == Type::b16);
  CHECK(type_named("bf16x2") == Type::b32);
  CHECK(type_named("tf32") == Type::b32);
  CHECK(type_named("e4m3") == Type::b8);
  CHECK(type_named("u64") == Type::u64);
  CHECK(type_named("b128") == Type::b128);
  CHECK(type_named("v4") == Type::none);
  CHECK(type_named("") == Type::none);
}

TEST_CASE("sizes of types") {
  CHECK(size_of(Type::none) == 0);
  CHECK(size_of(Type::s8) == 1);
  CHECK(size_of(Type::f16) == 2);
  CHECK(size_of(Type::pred) == 4);
  CHECK(size_of(Type::f64) == 8);
  CHECK(size_of(Type::b128) == 16);
  CHECK(size_of(Type::texref) == 8);
}

}  // namespace ptx_types_test
