#include "tune/median_interval.hpp"

#include "launch/sample_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace kiln {

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
