#include <kiln/problem_size.hpp>

#include "base/argument_error.hpp"

#include <string>

namespace kiln::detail {

void throw_negative_problem_size(long long given) {
  refuse("ProblemSize", "sizes of at least 0", std::to_string(given));
}

}  // namespace kiln::detail
