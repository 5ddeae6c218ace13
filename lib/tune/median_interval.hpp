// How well repeated measurements know their median.
#pragma once

#include <vector>

namespace kiln {

/// Half the width of the median's 95 % interval, as a share of the median: from the samples' order alone, whatever
/// their distribution. Infinity for fewer than six samples, which know no such interval; 0 for a median of 0.
double median_half_width(std::vector<double> samples);

}  // namespace kiln
