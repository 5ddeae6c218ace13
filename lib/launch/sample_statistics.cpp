#include "launch/sample_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kiln {

namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Quartiles quartiles_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.25), quantile(samples, 0.5), quantile(samples, 0.75)};
}

double relative_error_of_median(const std::vector<double>& samples) {
  const Quartiles quartiles = quartiles_of(samples);
  if (quartiles.median == 0) return 0;
  const double deviation = (quartiles.upper - quartiles.lower) / 2 / 0.6745;
  return 1.2533 * deviation / std::sqrt(static_cast<double>(samples.size())) / quartiles.median;
}

}  // namespace kiln
