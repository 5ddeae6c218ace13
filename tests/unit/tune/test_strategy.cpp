#include "tune/strategy.hpp"

#include "tune/random_numbers.hpp"
#include "tune/untried.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace strategy_test {

using namespace kiln;

namespace {

using Maker = std::unique_ptr<Strategy> (*)(const ValidConfigurations&, std::uint64_t);

std::unique_ptr<Strategy> exhaustive(const ValidConfigurations& valid, std::uint64_t /*seed*/) {
  return exhaustive_strategy(valid);
}

constexpr std::array<Maker, 3> all_strategies = {exhaustive, random_strategy, annealing_strategy};
constexpr std::array<Maker, 2> seeded_strategies = {random_strategy, annealing_strategy};

SearchSpace test_space() {
  const std::vector<TuneValue> values = {1, 2, 3, 4, 5, 6, 7, 8};
  return {{{"A", values}, {"B", values}, {"C", values}, {"D", {false, true}}}, {"A + B <= 12", "!D || C > 2"}};
}

/// Slower with each step from one configuration, with a failure beside it.
std::optional<double> seconds_of(const Configuration& one) {
  if (one == Configuration{5, 1, 4, 1}) return std::nullopt;
  const auto distance = [](double a, double b) { return (a - b) * (a - b); };
  return 1 + distance(one[0], 5) + distance(one[1], 2) + distance(one[2], 4) + (one[3] == 0 ? 0.5 : 0);
}

/// All that the strategy gives, some of it given before the first is reported.
std::vector<Configuration> played(Strategy& strategy, std::size_t ahead) {
  std::vector<Configuration> given;
  std::size_t reported = 0;
  while (true) {
    while (given.size() < reported + ahead) {
      std::optional<Configuration> one = strategy.next();
      if (!one) break;
      given.push_back(*one);
    }
    if (reported == given.size()) return given;
    strategy.tell(given[reported], seconds_of(given[reported]));
    ++reported;
  }
}

}  // namespace

TEST_CASE("every strategy gives each valid configuration once, and then nothing") {
  const SearchSpace space = test_space();
  const ValidConfigurations valid(space);
  for (const Maker make : all_strategies)
    for (const std::size_t ahead : {std::size_t{1}, std::size_t{7}, valid.count() + 1}) {
      const auto strategy = make(valid, 3);
      const std::vector<Configuration> given = played(*strategy, ahead);
      CHECK(given.size() == valid.count());
      CHECK(std::set<Configuration>(given.begin(), given.end()).size() == valid.count());
      for (const Configuration& one : given) CHECK(valid.find(one).has_value());
      CHECK_FALSE(strategy->next().has_value());
    }
}

TEST_CASE("where everything fails all is tried, and where nothing is valid nothing") {
  const SearchSpace space = test_space(), empty({{"A", {1, 2}}}, {"A > 2"});
  const ValidConfigurations valid(space), none(empty);
  for (const Maker make : all_strategies) {
    CHECK_FALSE(make(none, 1)->next().has_value());
    const auto strategy = make(valid, 1);
    std::size_t count = 0;
    for (; const auto one = strategy->next(); ++count) strategy->tell(*one, std::nullopt);
    CHECK(count == valid.count());
  }
}

TEST_CASE("a seed gives one order, and another seed another one") {
  const SearchSpace space = test_space();
  const ValidConfigurations valid(space);
  for (const Maker make : seeded_strategies) {
    CHECK(played(*make(valid, 5), 1) == played(*make(valid, 5), 1));
    CHECK(played(*make(valid, 5), 1) != played(*make(valid, 6), 1));
  }
}

TEST_CASE("the exhaustive strategy goes in order") {
  const SearchSpace space = test_space();
  const ValidConfigurations valid(space);
  const std::vector<Configuration> given = played(*exhaustive_strategy(valid), 1);
  for (std::size_t i = 0; i < given.size(); ++i) CHECK(given[i] == valid.nth(i));
}

TEST_CASE("annealing finds the best of a smooth space sooner than chance") {
  const SearchSpace space = test_space();
  const ValidConfigurations valid(space);
  const Configuration best = {5, 2, 4, 1};
  std::map<Maker, std::size_t> total;
  for (const Maker make : seeded_strategies)
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const std::vector<Configuration> given = played(*make(valid, seed), 1);
      total[make] += static_cast<std::size_t>(std::find(given.begin(), given.end(), best) - given.begin());
    }
  CHECK(total[annealing_strategy] * 3 < total[random_strategy]);
}

TEST_CASE("a seed's numbers are the same everywhere") {
  RandomNumbers random(1);
  CHECK(random.unit() == 0x1.122deafddb434p-3);
  CHECK(random.below(1000) == 462);
  CHECK(random.below(1) == 0);
}

TEST_CASE("numbers below a count are each as frequent") {
  RandomNumbers random(7);
  std::array<int, 6> counts = {};
  for (int i = 0; i < 60000; ++i) ++counts[random.below(counts.size())];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);  // more than five standard deviations
}

TEST_CASE("a number is taken once") {
  Untried untried(5);
  RandomNumbers random(1);
  untried.take(2);
  CHECK_FALSE(untried.has(2));
  std::set<std::size_t> taken;
  while (const auto number = untried.take_any(random)) {
    CHECK_FALSE(untried.has(*number));
    taken.insert(*number);
  }
  CHECK(taken == std::set<std::size_t>{0, 1, 3, 4});
}

}  // namespace strategy_test
