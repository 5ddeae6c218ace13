#include "base/printable_text.hpp"
#include "element_value.hpp"
#include "problem_text.hpp"
#include "time_text.hpp"
#include "tune_report.hpp"

#include <algorithm>
#include <array>

namespace kiln::tool {

namespace {

constexpr std::size_t shown_candidates = 5;
constexpr std::size_t shown_errors = 3;

std::string values_text(const TuneConfiguration& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += (text.empty() ? "" : " ") + printable_line(name + "=" + value.text());
  return text;
}

/// The fastest first, or the best by the objective.
std::string best_text(const TuneResult& result) {
  std::vector<const TuneCandidate*> ok;
  for (const TuneCandidate& candidate : result.candidates)
    if (candidate.status == TuneStatus::ok) ok.push_back(&candidate);
  std::stable_sort(ok.begin(), ok.end(),
                   [](const TuneCandidate* a, const TuneCandidate* b) { return a->seconds < b->seconds; });
  std::string text;
  for (std::size_t i = 0; i < std::min(ok.size(), shown_candidates); ++i)
    text += "  " + time_text(ok[i]->seconds) + "  " + values_text(ok[i]->configuration) + "\n";
  return text;
}

std::string failures_text(const TuneResult& result) {
  constexpr std::array failures = {TuneStatus::not_compiled, TuneStatus::over_limits, TuneStatus::launch_refused,
                                   TuneStatus::wrong_result, TuneStatus::timed_out,   TuneStatus::crashed};
  std::string text;
  for (const TuneStatus status : failures) {
    const std::size_t count = result.count(status);
    if (count == 0) continue;
    text += std::string(to_string(status)) + ": " + std::to_string(count) + "\n";
    std::size_t shown = 0;
    for (const TuneCandidate& candidate : result.candidates)
      if (candidate.status == status && shown++ < shown_errors)
        text += "  " + values_text(candidate.configuration) + ": " +
                candidate.error.substr(0, candidate.error.find('\n')) + "\n";
    if (shown > shown_errors) text += "  ...\n";
  }
  return text;
}

std::string default_text(const TuneResult& result) {
  if (!result.of_default || result.of_default->status != TuneStatus::ok || !result.best) return {};
  const double ratio = result.of_default->seconds / result.best->seconds;
  const std::string best = result.best->configuration == result.of_default->configuration
                               ? "which is the best"
                               : "the best is " + figure_text(ratio) + " times as fast";
  return "default: " + time_text(result.of_default->seconds) + "  " + values_text(result.of_default->configuration) +
         "; " + best + "\n";
}

std::string outcome_text(const TuneResult& result) {
  if (result.best) return "; the fastest:\n";
  return result.candidates.empty() ? "; nothing was measured\n" : "; none of them is good\n";
}

std::string wisdom_text(const TuneReport& report) {
  if (!report.leaves_out_wisdom || !report.result.best) return {};
  return "not kept in wisdom: the emulator is no measure of a GPU (--keep-emulator-wisdom keeps it)\n";
}

}  // namespace

std::string tune_text(const TuneReport& report) {
  const TuneResult& result = report.result;
  std::string text = report.kernel + ", " + problem_text(report.problem) + ", on " + report.device +
                     (report.is_emulator ? " (the CPU's times: the emulator is no measure of a GPU)" : "") + "\n" +
                     std::to_string(result.candidates.size()) + " of " + std::to_string(result.valid) +
                     " configurations tried (" + to_string(result.end) + ")";
  if (result.resumed != 0) text += ", " + std::to_string(result.resumed) + " of them known from the log file";
  return text + outcome_text(result) + best_text(result) + default_text(result) + failures_text(result) +
         wisdom_text(report) + "time: " + time_text(result.seconds) + "; compiling " +
         time_text(result.compile_seconds) + " on all cores, of which waited for " + time_text(result.wait_seconds) +
         "; measuring " + time_text(result.measure_seconds) + "\n";
}

}  // namespace kiln::tool
