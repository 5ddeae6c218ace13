#include "tune/measure_rounds.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace measure_rounds_test {

using namespace kiln;

namespace {

constexpr double none_yet = std::numeric_limits<double>::infinity();

bool never() { return false; }

TuneOptions options_of(std::size_t least, std::size_t most) {
  TuneOptions options;
  options.min_repetitions = least;
  options.max_repetitions = most;
  return options;
}

}  // namespace

TEST_CASE("the median's interval is known from six samples on, and is as wide as the order statistics say") {
  CHECK(std::isinf(median_half_width({1, 2, 3, 4, 5})));
  CHECK(median_half_width({6, 2, 3, 4, 5, 1}) == doctest::Approx(2.5 / 3.5));  // from the first to the last
  CHECK(median_half_width({9, 8, 7, 6, 5, 4, 3, 2, 1}) ==
        doctest::Approx(3.0 / 5));  // from the second to the last but one
  CHECK(median_half_width(std::vector<double>(7, 0.25)) == 0);
  CHECK(median_half_width(std::vector<double>(7, 0.0)) == 0);
}

TEST_CASE("candidates are launched in turn") {
  std::vector<std::size_t> launched;
  std::vector<RepeatedTimes> all(3);
  all[1].is_done = true;
  const auto time = [&](std::size_t i) -> std::optional<double> {
    launched.push_back(i);
    return 1.0;
  };
  measure_in_rounds(all, time, options_of(2, 2), none_yet, never);
  CHECK(launched == std::vector<std::size_t>{0, 2, 0, 2});
  CHECK(all[0].seconds == std::vector<double>{1, 1});
  CHECK(all[1].seconds.empty());
}

TEST_CASE("launches end when the median is known well enough, at most at max_repetitions") {
  std::vector<RepeatedTimes> all(2);
  const auto time = [&](std::size_t i) -> std::optional<double> {
    if (i == 0) return 1.0;
    return all[1].seconds.size() % 2 == 0 ? 1.0 : 1.5;  // the median stays between the two
  };
  measure_in_rounds(all, time, options_of(7, 20), none_yet, never);
  CHECK(all[0].seconds.size() == 7);
  CHECK(all[1].seconds.size() == 20);
  CHECK_FALSE(all[1].given_up);
}

TEST_CASE("what was slower by the factor three times is launched no more") {
  std::vector<RepeatedTimes> all(4);
  const auto time = [&](std::size_t i) -> std::optional<double> {
    const bool is_first = all[i].seconds.empty();
    const double steady[] = {1.0, 2.1, 2.0, 5.0};
    return i == 3 && is_first ? 1.5 : steady[i];  // one good launch saves it
  };
  measure_in_rounds(all, time, options_of(5, 5), none_yet, never);
  CHECK(all[0].seconds.size() == 5);
  CHECK(all[1].seconds.size() == 3);
  CHECK(all[1].given_up);
  CHECK(all[2].seconds.size() == 5);
  CHECK(all[3].seconds.size() == 5);

  std::vector<RepeatedTimes> later(1);
  measure_in_rounds(
      later, [](std::size_t) { return 1.0; }, options_of(5, 5), 0.4, never);
  CHECK(later[0].given_up);
}

TEST_CASE("an objective of one's own and an infinite factor give nothing up") {
  TuneOptions by_objective = options_of(5, 5), by_factor = options_of(5, 5);
  by_objective.objective = [](const TuneConfiguration&, double seconds) { return seconds; };
  by_factor.give_up_factor = std::numeric_limits<double>::infinity();
  for (const TuneOptions& options : {by_objective, by_factor}) {
    std::vector<RepeatedTimes> all(2);
    measure_in_rounds(
        all, [](std::size_t i) { return i == 0 ? 1.0 : 100.0; }, options, none_yet, never);
    CHECK(all[1].seconds.size() == 5);
  }
}

TEST_CASE("a launch that fails is the candidate's last, and an end is looked for before each launch") {
  std::vector<RepeatedTimes> all(2);
  int launches = 0;
  const auto time = [&](std::size_t i) -> std::optional<double> {
    ++launches;
    if (i == 0) return std::nullopt;
    return 1.0;
  };
  measure_in_rounds(all, time, options_of(50, 50), none_yet, [&] { return launches == 4; });
  CHECK(launches == 4);
  CHECK(all[0].is_done);
  CHECK(all[0].seconds.empty());
  CHECK(all[1].seconds.size() == 3);
  CHECK_FALSE(all[1].is_done);
}

}  // namespace measure_rounds_test
