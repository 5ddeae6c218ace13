#include "problem_text.hpp"

namespace kiln::tool {

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
