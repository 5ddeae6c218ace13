#include "element_value.hpp"
#include "table.hpp"
#include "time_text.hpp"
#include "tune_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace kiln::tool {

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

}  // namespace kiln::tool
