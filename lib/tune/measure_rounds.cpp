#include "tune/measure_rounds.hpp"

#include "launch/sample_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace kiln {

namespace {

constexpr std::size_t first_launches = 3;  // after which a candidate may be hopeless

/// Beside the best so far, or the best of these. An objective of one's own may love what is slow.
void give_up_hopeless(std::vector<RepeatedTimes>& all, const TuneOptions& options, double best_seconds) {
  if (options.objective) return;
  for (const RepeatedTimes& one : all)
    if (one.seconds.size() >= first_launches) best_seconds = std::min(best_seconds, quartiles_of(one.seconds).median);
  for (RepeatedTimes& one : all) {
    if (one.is_done || one.seconds.size() != first_launches) continue;
    const double fastest = *std::min_element(one.seconds.begin(), one.seconds.end());
    if (fastest > options.give_up_factor * best_seconds) one.is_done = one.given_up = true;
  }
}

bool is_enough(const std::vector<double>& seconds, const TuneOptions& options) {
  if (seconds.size() < options.min_repetitions) return false;
  return seconds.size() >= options.max_repetitions || median_half_width(seconds) <= options.confidence;
}

}  // namespace

void measure_in_rounds(std::vector<RepeatedTimes>& all, const TimeLaunch& time, const TuneOptions& options,
                       double best_seconds, const std::function<bool()>& is_over) {
  const auto is_done = [](const RepeatedTimes& one) { return one.is_done; };
  while (!std::all_of(all.begin(), all.end(), is_done)) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].is_done) continue;
      if (is_over()) return;
      const std::optional<double> seconds = time(i);
      if (seconds) all[i].seconds.push_back(*seconds);
      all[i].is_done = !seconds || is_enough(all[i].seconds, options);
    }
    give_up_hopeless(all, options, best_seconds);
  }
}

double median_half_width(std::vector<double> samples) {
  // How many samples are below the median is distributed binomially; half a rank makes up for its steps.
  const auto count = static_cast<double>(samples.size());
  const double rank = std::floor((count + 1) / 2 - 0.98 * std::sqrt(count));
  if (rank < 1) return std::numeric_limits<double>::infinity();
  std::sort(samples.begin(), samples.end());
  const double median = quartiles_of(samples).median;
  if (median == 0) return 0;
  const auto place = static_cast<std::size_t>(rank) - 1;
  return (samples[samples.size() - 1 - place] - samples[place]) / 2 / median;
}

}  // namespace kiln
