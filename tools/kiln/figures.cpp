#include "figures.hpp"

#include "element_value.hpp"

namespace kiln::tool {

std::string time_text(double seconds) {
  if (seconds < 1e-6) return figure_text(seconds * 1e9L) + " ns";
  if (seconds < 1e-3) return figure_text(seconds * 1e6L) + " us";
  if (seconds < 1) return figure_text(seconds * 1e3L) + " ms";
  return figure_text(seconds) + " s";
}

std::string problem_text(const ProblemSize& problem) {
  std::string text = std::to_string(problem[0]);
  for (std::size_t i = 1; i < problem.dimensions(); ++i) text += "x" + std::to_string(problem[i]);
  return text;
}

ProblemSize problem_of(const std::vector<unsigned long long>& sizes) {
  if (sizes.size() == 1) return sizes[0];
  if (sizes.size() == 2) return {sizes[0], sizes[1]};
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace kiln::tool
