#include "base/range.hpp"

#include "environment_guard.hpp"
#include "recorded_ranges.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace range_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("ranges lie within each other, and end with their objects") {
  const RecordedRanges ranges;
  {
    const Range outer("compile", "a.cu");
    mark_in_range("miss");
    const Range inner("stage", "NVRTC");
  }
  mark_in_range("hit", "disk");
  CHECK(ranges.text() == "(compile: a.cu<miss>(stage: NVRTC))<hit: disk>");
}

TEST_CASE("a range ends where it began, also where nobody listens any more") {
  const RecordedRanges ranges;
  {
    const Range range("load");
    set_range_sink(nullptr);
    const Range unheard("compile");
    mark_in_range("hit");
  }
  CHECK(ranges.text() == "(load)");
}

TEST_CASE("launches have ranges only where the variable says so, and somebody listens") {
  const RecordedRanges ranges;
  const std::vector<std::pair<std::string, bool>> choices = {
      {"", false}, {"on", false}, {"off", false}, {"launches", true}};
  for (const auto& [value, expected] : choices) {
    const EnvironmentGuard guard({{"KILN_NVTX", value}});
    CHECK(launches_have_ranges() == expected);
  }
  set_range_sink(nullptr);
  const EnvironmentGuard guard({{"KILN_NVTX", "launches"}});
  CHECK_FALSE(launches_have_ranges());
}

}  // namespace range_test
