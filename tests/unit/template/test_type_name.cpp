#include <kiln/error.hpp>
#include <kiln/type_name.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

namespace physics {

enum class Kind { hot, cold };
struct Incomplete;
template <class T, int n>
struct Particle {};
template <Kind kind>
struct Of {};
template <bool yes, char c>
struct Flags {};

}  // namespace physics

namespace {

struct Unnamed {};

}  // namespace

using kiln::type_name;

extern "C" std::string kiln_test_plain_function() {
  struct Local {};
  return type_name<Local*>();
}

TEST_CASE("builtin types, pointers, references and const") {
  CHECK(type_name<float>() == "float");
  CHECK(type_name<std::uint64_t>() == "unsigned long");
  CHECK(type_name<signed char>() == "signed char");
  CHECK(type_name<bool>() == "bool");
  CHECK(type_name<void>() == "void");
  CHECK(type_name<const float*>() == "float const*");
  CHECK(type_name<const float* const>() == "float const* const");
  CHECK(type_name<const double>() == "double const");
  CHECK(type_name<int&>() == "int&");
  CHECK(type_name<int(&)[3]>() == "int (&) [3]");
  CHECK(type_name<void (*)(int)>() == "void (*)(int)");
}

TEST_CASE("classes and templates") {
  CHECK(type_name<physics::Incomplete>() == "physics::Incomplete");
  CHECK(type_name<physics::Particle<double, 3>*>() == "physics::Particle<double, 3>*");
  CHECK(type_name<physics::Particle<physics::Particle<int, 1>, 2>>() ==
        "physics::Particle<physics::Particle<int, 1>, 2>");
  CHECK(type_name<physics::Of<physics::Kind::cold>>() == "physics::Of<(physics::Kind)1>");
  CHECK(type_name<physics::Flags<true, 'a'>>() == "physics::Flags<true, (char)97>");
}

TEST_CASE("std::complex is what CUDA code has for it") {
  CHECK(type_name<std::complex<float>>() == "cuda::std::complex<float>");
  CHECK(type_name<const std::complex<double>*>() == "cuda::std::complex<double> const*");
  CHECK(type_name<physics::Particle<std::complex<float>, 2>>().find("Particle<cuda::std::complex<float>") == 9);
}

TEST_CASE("a type without a name elsewhere is refused") {
  struct Local {};
  const auto lambda = [](int) {};
  const auto says = doctest::Contains("has no name outside");
  CHECK_THROWS_WITH_AS(type_name<Unnamed>(), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(type_name<Local>(), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(kiln_test_plain_function(), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(type_name<decltype(lambda)>(), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS((type_name<physics::Particle<Unnamed, 1>>()), says, kiln::ArgumentError);
}
