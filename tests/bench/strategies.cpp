// How many configurations each strategy measures until it has one within 5 % of the best: full searches replayed, seeds
// 1 to 50. Usage: strategies [cache files of Kernel Tuner]; without any, synthetic searches alone.
#include "measure.hpp"
#include "recorded_search.hpp"
#include "synthetic_searches.hpp"
#include "tune/strategy.hpp"

#include <array>
#include <cstdio>
#include <memory>

using namespace kiln::bench;

namespace {

constexpr double near_best = 0.05;
constexpr std::uint64_t seeds = 50;

using Maker = std::unique_ptr<kiln::Strategy> (*)(const kiln::ValidConfigurations&, std::uint64_t);

constexpr std::array<std::pair<const char*, Maker>, 3> strategies = {{
    {"random", kiln::random_strategy},
    {"annealing", kiln::annealing_strategy},
    {"genetic", kiln::genetic_strategy},
}};

/// With that many configurations given before the first is told.
double evaluations(kiln::Strategy& strategy, const RecordedTimes& times, double limit, std::size_t ahead) {
  std::vector<kiln::Configuration> given;
  for (double count = 0;;) {
    while (given.size() < ahead)
      if (auto one = strategy.next())
        given.push_back(std::move(*one));
      else
        break;
    if (given.empty()) return count;
    const std::optional<double> time = times.at(given.front());
    ++count;
    if (time && *time <= limit) return count;
    strategy.tell(given.front(), time);
    given.erase(given.begin());
  }
}

void replay(const RecordedSearch& search) {
  const kiln::SearchSpace space = search.space();
  const kiln::ValidConfigurations valid(space);
  std::printf("%s: %zu configurations, %td within 5 %% of the best\n", search.name.c_str(), valid.count(),
              search.count_within(near_best));
  const double limit = search.best() * (1 + near_best);
  for (const std::size_t ahead : {std::size_t{1}, std::size_t{8}})
    for (const auto& [name, make] : strategies) {
      std::vector<double> counts;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        counts.push_back(evaluations(*make(valid, seed), *search.times, limit, ahead));
      std::printf("  %zu ahead, %-10s %s\n", ahead, name, quartiles(counts).c_str());
    }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) replay(read_recorded_search(arguments[i]));
  for (const RecordedSearch& search : synthetic_searches()) replay(search);
}
