// How many configurations each strategy measures until it has one within 5 % of the best, and how many seconds these
// took to compile and to measure, one after another: full searches replayed, seeds 1 to 50. Usage: strategies [cache
// files of Kernel Tuner]; without any, synthetic searches alone.
#include "measure.hpp"
#include "recorded_search.hpp"
#include "synthetic_searches.hpp"
#include "tune/strategy.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <string>

using namespace kiln::bench;

namespace {

constexpr double near_best = 0.05;
constexpr std::uint64_t seeds = 50;

using Maker = std::unique_ptr<kiln::Strategy> (*)(const kiln::ValidConfigurations&, std::uint64_t);

constexpr std::array<std::pair<const char*, Maker>, 2> strategies = {{
    {"random", kiln::random_strategy},
    {"annealing", kiln::annealing_strategy},
}};

struct Effort {
  double count = 0;
  double seconds = 0;
};

/// With that many configurations given before the first is reported.
Effort effort(kiln::Strategy& strategy, const RecordedTimes& times, double limit, std::size_t ahead) {
  std::vector<kiln::Configuration> given;
  for (Effort effort;;) {
    while (given.size() < ahead)
      if (auto one = strategy.next())
        given.push_back(std::move(*one));
      else
        break;
    if (given.empty()) return effort;
    const RecordedTime& recorded = times.at(given.front());
    ++effort.count;
    effort.seconds += recorded.cost;
    if (recorded.time && *recorded.time <= limit) return effort;
    strategy.tell(given.front(), recorded.time);
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
      std::vector<double> counts, seconds;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Effort one = effort(*make(valid, seed), *search.times, limit, ahead);
        counts.push_back(one.count);
        seconds.push_back(one.seconds);
      }
      const std::string spent = median(seconds) > 0 ? ", " + quartiles(seconds) + " s" : "";
      std::printf("  %zu ahead, %-10s %s%s\n", ahead, name, quartiles(counts).c_str(), spent.c_str());
    }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) replay(read_recorded_search(arguments[i]));
  for (const RecordedSearch& search : synthetic_searches()) replay(search);
}
