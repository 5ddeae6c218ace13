// Measuring some candidates in turn, so that a clock that changes changes it for all of them; medians and how sure they
// are.
#pragma once

#include <kiln/tune_options.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace kiln {

/// The launches of one candidate.
struct RepeatedTimes {
  std::vector<double> seconds;
  bool is_done = false;   // enough, given up, or failed
  bool given_up = false;  // hopeless beside the best one
};

/// What one launch of the candidate of that place took; nothing where it failed and is not to be launched again.
using TimeLaunch = std::function<std::optional<double>(std::size_t)>;

/// Launches those that are not done, in rounds, until all are, or until `is_over` says so. `best_seconds` is the best
/// median so far.
void measure_in_rounds(std::vector<RepeatedTimes>& all, const TimeLaunch& time, const TuneOptions& options,
                       double best_seconds, const std::function<bool()>& is_over);

/// Half the width of the median's 95 % interval, as a share of the median: from the samples' order alone, whatever
/// their distribution. Infinity for fewer than six samples, which know no such interval; 0 for a median of 0.
double median_half_width(std::vector<double> samples);

}  // namespace kiln
