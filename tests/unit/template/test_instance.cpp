// Names of template instances; that compilers take them is tested in tests/gpu.
#include <kiln/error.hpp>
#include <kiln/instance.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <complex>
#include <cstddef>
#include <string>
#include <string_view>

namespace shapes {

enum Old { old_a, old_b };
enum class Mode { slow, fast };
enum class Small : signed char { low = -3 };
enum class Large : unsigned long { most = ULONG_MAX };
enum class Least : long long { least = LLONG_MIN, number = -5'000'000'000 };

struct Plain {};
struct Base {
  virtual ~Base() = default;
};
template <class T>
struct Derived : Base {};

}  // namespace shapes

namespace instance_test {

using kiln::instance;
using kiln::type;

TEST_CASE("types and values of every kind are spelled") {
  CHECK(instance("scale", type<float>, 4, true, shapes::Mode::fast) == "scale<float, 4, true, (shapes::Mode)1>");
  CHECK(instance("scale") == "scale<>");
  CHECK(instance("f", -4, 4u, 4l, 4ul, 4ll, 4ull) == "f<-4, 4u, 4l, 4ul, 4ll, 4ull>");
  CHECK(instance("f", short{-4}, static_cast<unsigned short>(4)) == "f<(short)-4, (unsigned short)4>");
  CHECK(instance("f", 'a', static_cast<signed char>(-1), static_cast<unsigned char>(200)) ==
        "f<(char)97, (signed char)-1, (unsigned char)200>");
  CHECK(instance("f", L'a', u'b', U'c') == "f<(wchar_t)97, (char16_t)98, (char32_t)99>");
  CHECK(instance("f", false, nullptr, sizeof(double)) == "f<false, nullptr, 8ul>");
  CHECK(instance("f", type<const float*>, type<shapes::Plain&>, type<std::complex<float>>) ==
        "f<float const*, shapes::Plain&, cuda::std::complex<float>>");
}

TEST_CASE("the ends of the integers have literals of their type") {
  CHECK(instance("f", INT_MAX, INT_MIN) == "f<2147483647, (-2147483647 - 1)>");
  CHECK(instance("f", LONG_MIN) == "f<(-9223372036854775807l - 1)>");
  CHECK(instance("f", LLONG_MIN, ULLONG_MAX) == "f<(-9223372036854775807ll - 1), 18446744073709551615ull>");
  CHECK(instance("f", static_cast<short>(SHRT_MIN)) == "f<(short)-32768>");
}

TEST_CASE("enumerations are spelled as demanglers do") {
  CHECK(instance("f", shapes::old_b) == "f<(shapes::Old)1>");
  CHECK(instance("f", shapes::Small::low) == "f<(shapes::Small)-3>");
  CHECK(instance("f", shapes::Large::most) == "f<(shapes::Large)18446744073709551615ull>");
  CHECK(instance("f", shapes::Least::number) == "f<(shapes::Least)-5000000000ll>");
  CHECK(instance("f", shapes::Least::least) == "f<(shapes::Least)(-9223372036854775807ll - 1)>");
}

TEST_CASE("text is put in as it is, so instances nest") {
  CHECK(instance("f", instance("Pair", type<int>, 2u), "&table", std::string_view("Policy")) ==
        "f<Pair<int, 2u>, &table, Policy>");
  const char* const nothing = nullptr;
  CHECK_THROWS_WITH_AS(instance("f", 1, ""), doctest::Contains("template argument 1 of \"f\""), kiln::ArgumentError);
  CHECK_THROWS_AS(instance("f", nothing), kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(instance("", 1), doctest::Contains("the template's name is an empty text"), kiln::ArgumentError);
}

TEST_CASE("an object stands for the type that it was made as") {
  const shapes::Derived<float> derived;
  const shapes::Base& base = derived;
  CHECK(instance("apply", kiln::instance_of(base)) == "apply<shapes::Derived<float>>");
  CHECK(kiln::instance_of(shapes::Base()) == "shapes::Base");
  CHECK(kiln::instance_of(shapes::Plain()) == "shapes::Plain");
  CHECK(kiln::instance_of(2.5f) == "float");
  struct Local : shapes::Base {};
  const Local local;
  const shapes::Base& hidden = local;
  const auto says = doctest::Contains("has no name outside");
  CHECK_THROWS_WITH_AS(kiln::instance_of(hidden), says, kiln::ArgumentError);
  CHECK_THROWS_WITH_AS(instance("f", type<Local>), says, kiln::ArgumentError);
}

}  // namespace instance_test
