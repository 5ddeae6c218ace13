#include "tune/tune_outputs.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace element_difference_test {

using namespace kiln;

namespace {

template <class T>
std::optional<std::string> difference(const std::vector<T>& given, const std::vector<T>& wanted, double tolerance) {
  const auto bytes_of = [](const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  return element_difference(bytes_of(given), bytes_of(wanted), detail::pointee_of<T*>(), tolerance);
}

struct Pair {
  short a, b;
};

}  // namespace

TEST_CASE("floating elements may differ by the tolerance, absolute and relative") {
  CHECK_FALSE(difference<float>({1000.0F, 0.0F}, {1000.5F, 0.0005F}, 1e-3));
  CHECK(difference<float>({1002.0F}, {1000.0F}, 1e-3));
  CHECK(difference<double>({0.0}, {0.002}, 1e-3));
  CHECK_FALSE(difference<double>({1.5}, {1.5}, 0));
  CHECK(difference<double>({1.5}, {1.5000000000000002}, 0));
}

TEST_CASE("NaN is NaN, and infinity is no other number, whatever the tolerance") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(difference<double>({nan, infinity}, {nan, infinity}, 1e-3));
  CHECK(difference<double>({1}, {nan}, 1));
  CHECK(difference<double>({nan}, {1}, 1));
  CHECK(difference<double>({1}, {infinity}, 1));
  CHECK(difference<double>({infinity}, {1}, 1));
  CHECK(difference<double>({-infinity}, {infinity}, 1));
}

TEST_CASE("all other elements must be equal") {
  CHECK_FALSE(difference<int>({1, 2}, {1, 2}, 1));
  CHECK(difference<int>({1, 2}, {1, 3}, 10));
  CHECK_FALSE(difference<Pair>({{1, 2}}, {{1, 2}}, 1));
  CHECK(difference<Pair>({{1, 2}}, {{1, 3}}, 10));
  CHECK_FALSE(difference<int>({}, {}, 0));
}

TEST_CASE("the first difference and their number are reported") {
  CHECK(difference<float>({1, 2, 3, 4}, {1, 2, 4, 5}, 0) == "element 2: 3.000000 is not 4.000000; 2 of 4 differ");
  CHECK(difference<int>({1, 2}, {0, 2}, 0) == "element 0: other bytes; 1 of 2 differ");
}

}  // namespace element_difference_test
