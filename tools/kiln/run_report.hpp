// What `kiln run` says about a launch.
#pragma once

#include "expectation.hpp"
#include "kernel_call.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln::tool {

struct RunReport {
  std::string file;
  std::string kernel;  // as a person writes it
  std::string device;
  bool is_emulator = false;
  LaunchConfig config;
  const std::vector<CallVector>* vectors = nullptr;
  std::vector<bool> is_printed;  // of each vector: all of its values are wanted
  std::optional<double> seconds;
  std::optional<BenchmarkResult> benchmark;
  double bytes_of_launch = 0;  // 0: not told
  double flops_of_launch = 0;  // likewise
  std::vector<Comparison> comparisons;

  bool passes() const;
};

/// What can be said of a vector's values in short.
struct VectorFigures {
  std::size_t nan = 0;
  /// The elements, or none where all are NaN, there are none, or they are complex.
  std::optional<std::size_t> min;
  std::optional<std::size_t> max;
  long double mean = 0;  // of those that are no NaN
};
VectorFigures vector_figures(const Array& array);

/// A line for each output, or all its values where that is wanted, then times and comparisons.
std::string run_text(const RunReport& report);
/// One JSON object.
std::string run_json(const RunReport& report);

}  // namespace kiln::tool
