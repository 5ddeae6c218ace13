#include "base/environment.hpp"

#include "environment_guard.hpp"

#include <doctest/doctest.h>

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
