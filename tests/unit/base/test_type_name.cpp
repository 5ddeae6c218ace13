#include "base/type_name.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace type_name_test {

namespace {

struct Point {
  float x, y;
};

}  // namespace

TEST_CASE("type_name spells types as demangled symbols do") {
  CHECK(kiln::type_name(typeid(int)) == "int");
  CHECK(kiln::type_name(typeid(const float*)) == "float const*");
  CHECK(kiln::type_name(typeid(std::size_t)) == "unsigned long");
  CHECK(kiln::type_name(typeid(Point)).find("Point") != std::string::npos);
}

}  // namespace type_name_test
