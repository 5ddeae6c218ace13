// What repeated measurements say together.
#pragma once

#include <vector>

namespace kiln {

struct Quartiles {
  double lower;
  double median;
  double upper;
};

/// Between two samples where a quartile falls there. At least one sample.
Quartiles quartiles_of(std::vector<double> samples);

/// The standard error of the median as a share of it, from the quartiles, which a few outliers do not move: for samples
/// of a normal distribution the half-width of the quartiles is 0.6745 standard deviations, and the median's
/// error 1.2533 of them, divided by the root of their number. 0 for a median of 0.
double relative_error_of_median(const std::vector<double>& samples);

}  // namespace kiln
