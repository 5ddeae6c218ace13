#include "base/default_float_environment.hpp"

#include "base/signal_masked_thread.hpp"
#include "host_float_environment.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace default_float_environment_test {

using namespace kiln;
using namespace kiln::test;

namespace {

// Values that each environment changes, or by which it ends the process; long double is the x87 unit's on x86-64.
std::vector<double> results() {
  volatile double one = 1, three = 3, zero = 0, huge = 1e308, tiny = std::numeric_limits<double>::denorm_min();
  volatile float least = std::numeric_limits<float>::denorm_min();
  volatile long double long_one = 1, long_three = 3;
  return {one / three,
          -one / three,
          one / zero,
          huge * huge,
          tiny * one,
          static_cast<double>(least * 2.0F),
          std::nearbyint(2.5 + zero),
          static_cast<double>((long_one / long_three - 1.0L / 3) * 0x1p70L)};
}

bool are_default(const std::vector<double>& values) {
  return values == std::vector<double>{0x1.5555555555555p-2,
                                       -0x1.5555555555555p-2,
                                       std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::denorm_min(),
                                       0x1p-148,
                                       2,
                                       0};
}

}  // namespace

TEST_CASE("whatever the thread has, it computes by the default, and has its own back with its flags") {
  for (const std::string& name : HostFloatEnvironment::names()) {
    CAPTURE(name);
    std::vector<double> values;
    FloatState before, after;
    {
      const HostFloatEnvironment host(name);
      before = FloatState();
      {
        const DefaultFloatEnvironment environment;
        values = results();
      }
      after = FloatState();
    }
    CHECK(are_default(values));
    CHECK(after == before);
  }
}

TEST_CASE("what the work itself sets ends with it") {
  const FloatState before;
  {
    const DefaultFloatEnvironment environment;
    std::fesetround(FE_UPWARD);
    ::feenableexcept(FE_DIVBYZERO);
    std::feraiseexcept(FE_INEXACT);
  }
  CHECK(FloatState() == before);
}

TEST_CASE("one in another") {
  const HostFloatEnvironment host("upward");
  const FloatState before;
  std::vector<double> values;
  {
    const DefaultFloatEnvironment outer;
    { const DefaultFloatEnvironment inner; }
    values = results();
  }
  const FloatState after;
  CHECK(after == before);
  CHECK(are_default(values));
}

TEST_CASE("Kiln's own threads inherit no environment") {
  for (const std::string& name : HostFloatEnvironment::names()) {
    CAPTURE(name);
    std::vector<double> values;
    {
      const HostFloatEnvironment host(name);
      start_signal_masked_thread([&] { values = results(); }).join();
    }
    CHECK(are_default(values));
  }
}

}  // namespace default_float_environment_test
