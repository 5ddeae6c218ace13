#include <kiln/tune_value.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace tune_value_test {

using namespace kiln;

TEST_CASE("a value as a macro's value") {
  CHECK(TuneValue(64).text() == "64");
  CHECK(TuneValue(std::uint8_t{7}).text() == "7");
  CHECK(TuneValue(-3LL).text() == "-3");
  CHECK(TuneValue(true).text() == "true");
  CHECK(TuneValue(0.5).text() == "0.5");
  CHECK(TuneValue(2.0).text() == "2.0");
  CHECK(TuneValue("float4").text() == "float4");
  CHECK(TuneValue(std::numeric_limits<long long>::min()).text() == "(-9223372036854775807 - 1)");
}

TEST_CASE("a value as JSON") {
  CHECK(TuneValue(64).json() == "64");
  CHECK(TuneValue(false).json() == "false");
  CHECK(TuneValue(0.25).json() == "0.25");
  CHECK(TuneValue("a \"b\"").json() == R"("a \"b\"")");
  CHECK(TuneValue(std::numeric_limits<long long>::min()).json() == "-9223372036854775808");
}

TEST_CASE("kinds tell values apart") {
  CHECK(TuneValue(1) == TuneValue(1U));
  CHECK(TuneValue(1) != TuneValue(true));
  CHECK(TuneValue(1) != TuneValue(1.0));
  CHECK(TuneValue("1") != TuneValue(1));
  CHECK(TuneValue("1").is_text());
  CHECK_FALSE(TuneValue(1).is_text());
}

TEST_CASE("numbers without a literal are refused") {
  CHECK_THROWS_AS(TuneValue{std::numeric_limits<double>::infinity()}, ArgumentError);
  CHECK_THROWS_AS(TuneValue{std::numeric_limits<float>::quiet_NaN()}, ArgumentError);
  CHECK_THROWS_AS(TuneValue{std::numeric_limits<unsigned long long>::max()}, ArgumentError);
}

}  // namespace tune_value_test
