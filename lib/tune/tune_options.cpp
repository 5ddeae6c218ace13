#include "tune/tune_options.hpp"

#include "base/argument_error.hpp"

#include <kiln/problem_size.hpp>

#include <string>

namespace kiln {

namespace {

/// `is_met` is false for NaN, too.
template <class Value>
void check_member(bool is_met, const char* member, const std::string& expected, Value given) {
  if (!is_met) refuse(std::string("TuneOptions::") + member, expected, std::to_string(given));
}

}  // namespace

void check(const TuneOptions& options) {
  check_member(options.max_variants >= 1, "max_variants", "at least 1", options.max_variants);
  check_member(options.max_seconds > 0, "max_seconds", "more than 0", options.max_seconds);
  check_member(options.tolerance >= 0, "tolerance", "0 or more", options.tolerance);
  check_member(options.min_repetitions >= 1, "min_repetitions", "at least 1", options.min_repetitions);
  check_member(options.max_repetitions >= options.min_repetitions, "max_repetitions",
               "at least min_repetitions, " + std::to_string(options.min_repetitions), options.max_repetitions);
  check_member(options.confidence >= 0, "confidence", "0 or more", options.confidence);
  check_member(options.give_up_factor >= 1, "give_up_factor", "1 or more", options.give_up_factor);
  check_member(options.launch_seconds > 0, "launch_seconds", "more than 0", options.launch_seconds);
}

}  // namespace kiln

namespace kiln::detail {

void throw_negative_problem_size(long long given) {
  refuse("ProblemSize", "sizes of at least 0", std::to_string(given));
}

}  // namespace kiln::detail
