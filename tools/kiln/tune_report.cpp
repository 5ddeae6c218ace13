#include "tune_report.hpp"

#include "base/json_object.hpp"
#include "base/json_value.hpp"
#include "base/printable_text.hpp"
#include "element_value.hpp"
#include "figures.hpp"
#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

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

namespace {

constexpr std::size_t rows = 10;
constexpr std::size_t plot_columns = 60;

std::vector<double> sorted_times(const TuneResult& result) {
  std::vector<double> times;
  for (const TuneCandidate& candidate : result.candidates)
    if (candidate.status == TuneStatus::ok) times.push_back(candidate.seconds);
  std::sort(times.begin(), times.end());
  return times;
}

/// From the fastest on the left to the slowest; the time upward, in equal ratios.
std::string curve(const std::vector<double>& times) {
  const double fastest = std::log(times.front()), slowest = std::log(times.back());
  const std::size_t width = std::min(plot_columns, times.size());
  std::vector<std::string> lines(rows, std::string(width, ' '));
  for (std::size_t column = 0; column < width; ++column) {
    const double time = std::log(times[column * (times.size() - 1) / std::max<std::size_t>(width - 1, 1)]);
    const double height = slowest > fastest ? (time - fastest) / (slowest - fastest) : 0;
    const auto row = static_cast<std::size_t>(std::lround(height * (rows - 1)));
    lines[rows - 1 - row][column] = '*';
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string label = row == 0          ? time_text(times.back())
                              : row + 1 == rows ? time_text(times.front())
                                                : std::string();
    text += table_row({label, lines[row]}, {12}, " |");
  }
  return text + table_row({"", std::string(width, '-')}, {12}, " +") +
         table_row({"", std::to_string(times.size()) + " configurations, the fastest first"}, {12});
}

/// A value of a parameter with the best time that it had.
struct ValueTime {
  std::string value;
  double seconds;
};

std::vector<ValueTime> best_of_values(const TuneResult& result, std::size_t parameter) {
  std::vector<ValueTime> best;
  for (const TuneCandidate& candidate : result.candidates) {
    if (candidate.status != TuneStatus::ok) continue;
    const std::string value = candidate.configuration[parameter].second.text();
    const auto found = std::find_if(best.begin(), best.end(), [&](const ValueTime& one) { return one.value == value; });
    if (found == best.end())
      best.push_back({value, candidate.seconds});
    else
      found->seconds = std::min(found->seconds, candidate.seconds);
  }
  return best;
}

std::string bars(const std::string& name, const std::vector<ValueTime>& values, double fastest, double slowest) {
  std::string text = name + ", the best time with each value:\n";
  for (const ValueTime& one : values) {
    const auto length = static_cast<std::size_t>(std::lround(40 * one.seconds / slowest));
    const std::string ratio = ", " + figure_text(one.seconds / fastest) + "x";
    text += table_row({one.value, std::string(length, '#') + " " + time_text(one.seconds) + ratio}, {12}, " |");
  }
  return text;
}

}  // namespace

std::string tune_plot(const TuneResult& result) {
  const std::vector<double> times = sorted_times(result);
  if (times.empty()) return "there is no time to draw\n";
  std::string text = curve(times);
  for (std::size_t i = 0; i < result.best->configuration.size(); ++i) {
    std::vector<ValueTime> values = best_of_values(result, i);
    double slowest = 0;
    for (const ValueTime& one : values) slowest = std::max(slowest, one.seconds);
    text += bars(result.best->configuration[i].first, values, times.front(), slowest);
  }
  return text;
}

namespace {

std::string candidate_json(const TuneCandidate& candidate) {
  JsonReport values, object;
  for (const auto& [name, value] : candidate.configuration) values.add_json(name, parsed_json(value.json()).json());
  object.add_json("configuration", values.text()).add("status", to_string(candidate.status));
  if (candidate.status != TuneStatus::ok) return object.add("error", candidate.error).text();
  object.add("seconds", candidate.seconds).add("spread", candidate.spread);
  return object.add("repetitions", candidate.repetitions).add("given_up", candidate.given_up).text();
}

std::string optional_json(const std::optional<TuneCandidate>& candidate) {
  return candidate ? candidate_json(*candidate) : "null";
}

}  // namespace

std::string tune_json(const TuneReport& report) {
  const TuneResult& result = report.result;
  std::vector<unsigned long long> problem;
  for (std::size_t i = 0; i < report.problem.dimensions(); ++i) problem.push_back(report.problem[i]);
  std::vector<std::string> candidates;
  for (const TuneCandidate& candidate : result.candidates) candidates.push_back(candidate_json(candidate));
  JsonReport object;
  object.add("file", report.file).add("kernel", report.kernel).add("device", report.device);
  object.add("emulator", report.is_emulator).add("problem", problem).add("valid", result.valid);
  object.add_json("best", optional_json(result.best)).add_json("default", optional_json(result.of_default));
  object.add("all_alike", result.all_alike).add("end", to_string(result.end)).add("resumed", result.resumed);
  object.add("seconds", result.seconds).add("compile_seconds", result.compile_seconds);
  object.add("wait_seconds", result.wait_seconds).add("measure_seconds", result.measure_seconds);
  return json_indented(object.add_json("candidates", json_array(candidates)).text()) + "\n";
}

}  // namespace kiln::tool
