#include <kiln/error.hpp>
#include <kiln/instance.hpp>
#include <kiln/type_name.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
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

struct std_byte {};
namespace __v4 {
struct Own {};
}  // namespace __v4

}  // namespace physics

namespace cuda::std {
inline namespace __4 {
template <class T>
struct complex {};
}  // namespace __4
}  // namespace cuda::std
namespace thrust {
inline namespace THRUST_200400_520_NS {
template <class T>
struct complex {};
}  // namespace THRUST_200400_520_NS
inline namespace _V_300500_SM_900 {
struct newer {};
}  // namespace _V_300500_SM_900
}  // namespace thrust

namespace {

struct Unnamed {};

}  // namespace

namespace {

struct Renamed {};
template <int n>
struct Vector {};

}  // namespace

template <>
struct kiln::TypeName<Renamed> {
  static std::string get() { return "physics::Pair"; }
};
template <int n>
struct kiln::TypeName<Vector<n>> {
  static std::string get() { return "float" + std::to_string(n); }
};

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

TEST_CASE("namespaces of CCCL's versions are left out") {
  CHECK(type_name<cuda::std::complex<float>>() == "cuda::std::complex<float>");
  CHECK(type_name<const cuda::std::__4::complex<cuda::std::complex<float>>*>() ==
        "cuda::std::complex<cuda::std::complex<float> > const*");
  CHECK(type_name<thrust::complex<double>>() == "thrust::complex<double>");
  CHECK(type_name<thrust::newer*>() == "thrust::newer*");
  CHECK(type_name<physics::__v4::Own>() == "physics::__v4::Own");
  CHECK(type_name<std::byte>() == "cuda::std::byte");
  CHECK(type_name<physics::Particle<const std::byte*, 1>>() == "physics::Particle<cuda::std::byte const*, 1>");
  CHECK(type_name<physics::std_byte>() == "physics::std_byte");
}

TEST_CASE("names that the program gives") {
  CHECK(type_name<Renamed>() == "physics::Pair");
  CHECK(type_name<const Renamed>() == "physics::Pair const");
  CHECK(type_name<volatile Renamed>() == "physics::Pair volatile");
  CHECK(type_name<const Renamed*>() == "physics::Pair const*");
  CHECK(type_name<Renamed* const*&>() == "physics::Pair* const*&");
  CHECK(type_name<Vector<3>>() == "float3");
  CHECK(kiln::instance("scale", kiln::type<Renamed>, kiln::type<Vector<2>*>) == "scale<physics::Pair, float2*>");
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
