#include "base/environment.hpp"

#include "environment_guard.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace environment_test {

using namespace kiln;
using kiln::test::EnvironmentGuard;

TEST_CASE("an empty variable counts as unset") {
  EnvironmentGuard guard({{"KILN_TEST_ONE", "value"}, {"KILN_TEST_TWO", ""}, {"KILN_TEST_THREE", std::nullopt}});
  CHECK(environment("KILN_TEST_ONE") == "value");
  CHECK(environment("KILN_TEST_TWO") == std::nullopt);
  CHECK(environment("KILN_TEST_THREE") == std::nullopt);
}

TEST_CASE("Kiln's spelling comes before PyCUDA's") {
  EnvironmentGuard guard({{"KILN_TEST_ONE", "kiln"}, {"PYCUDA_TEST_ONE", "pycuda"}});
  CHECK(environment("KILN_TEST_ONE", "PYCUDA_TEST_ONE") == "kiln");
  guard.set("KILN_TEST_ONE", "");
  CHECK(environment("KILN_TEST_ONE", "PYCUDA_TEST_ONE") == "pycuda");
  guard.unset("PYCUDA_TEST_ONE");
  CHECK(environment("KILN_TEST_ONE", "PYCUDA_TEST_ONE") == std::nullopt);
}

TEST_CASE("many variables at once: those that begin alike, are short or hold an equals sign are distinguished") {
  EnvironmentGuard guard(
      {{"KILN_TEST_ONE", "a=b"}, {"KILN_TEST_ONE_MORE", "more"}, {"KILN_TEST_TWO", ""}, {"K", "KI"}, {"KI", "LN"}});
  guard.unset("KILN_TEST_THREE");
  const auto values =
      environment_values<5>({"KILN_TEST_THREE", "KILN_TEST_TWO", "KILN_TEST_ONE_MORE", "KILN_TEST_ONE", "KIL"});
  CHECK(values[0] == nullptr);
  CHECK(std::string_view(values[1]) == "");
  CHECK(std::string_view(values[2]) == "more");
  CHECK(std::string_view(values[3]) == "a=b");
  CHECK(values[4] == nullptr);
}

TEST_CASE("the guard restores what was there") {
  EnvironmentGuard outer({{"KILN_TEST_ONE", "before"}, {"KILN_TEST_TWO", std::nullopt}});
  {
    EnvironmentGuard inner;
    inner.set("KILN_TEST_ONE", "first");
    inner.set("KILN_TEST_ONE", "second");
    inner.set("KILN_TEST_TWO", "new");
    CHECK(environment("KILN_TEST_ONE") == "second");
  }
  CHECK(environment("KILN_TEST_ONE") == "before");
  CHECK(environment("KILN_TEST_TWO") == std::nullopt);
}

}  // namespace environment_test
