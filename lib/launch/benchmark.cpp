#include <kiln/benchmark.hpp>

#include "base/argument_error.hpp"
#include "launch/l2_flush.hpp"
#include "launch/sample_statistics.hpp"
#include "memory/context.hpp"

#include <kiln/event.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

namespace {

// An event's time is exact to half a microsecond or so: that must be at most 0.5% of the measured time.
constexpr double shortest_repetition = 200e-6;
// From here on the host's way to a call is little beside the call.
constexpr double long_call = 1e-3;
constexpr std::size_t most_calls = 1000;

void check(const BenchmarkOptions& options) {
  if (options.min_repetitions == 0) refuse("benchmark: min_repetitions", "at least 1", "0");
  if (options.max_repetitions < options.min_repetitions)
    refuse("benchmark: max_repetitions", "at least min_repetitions, " + std::to_string(options.min_repetitions),
           std::to_string(options.max_repetitions));
  if (!(options.max_seconds > 0)) refuse("benchmark: max_seconds", "more than 0", std::to_string(options.max_seconds));
  if (!(options.precision >= 0)) refuse("benchmark: precision", "0 or more", std::to_string(options.precision));
}

/// Times repetitions on one stream. Its context must be current.
class Stopwatch {
 public:
  Stopwatch(const std::function<void()>& call, const BenchmarkOptions& options) : call_(call), options_(options) {
    if (options.flush_l2) flush_.emplace();
  }

  /// Seconds a call, of `calls` calls after each other.
  double repetition(std::size_t calls, bool lead_in) {
    if (flush_)
      flush_->put_into(options_.stream);
    else if (lead_in)
      call_();
    start_.record(options_.stream);
    for (std::size_t i = 0; i < calls; ++i) call_();
    end_.record(options_.stream).synchronize();
    return static_cast<double>(end_.time_since(start_)) / 1000 / static_cast<double>(calls);
  }

 private:
  const std::function<void()>& call_;
  const BenchmarkOptions& options_;
  std::optional<L2Flush> flush_;
  Event start_;
  Event end_;
};

double estimate(Stopwatch& stopwatch) {
  double seconds = stopwatch.repetition(1, true);
  for (int i = 0; i < 2; ++i) seconds = std::min(seconds, stopwatch.repetition(1, true));
  return seconds;
}

std::size_t calls_for(double seconds) {
  if (seconds * most_calls <= shortest_repetition) return most_calls;
  return std::max(std::size_t{1}, static_cast<std::size_t>(std::ceil(shortest_repetition / seconds)));
}

BenchmarkResult measure(Stopwatch& stopwatch, const BenchmarkOptions& options) {
  using Clock = std::chrono::steady_clock;
  const double one_call = estimate(stopwatch);
  BenchmarkResult result;
  result.calls_per_repetition = options.flush_l2 ? 1 : calls_for(one_call);
  std::vector<double> samples;
  const auto begin = Clock::now();
  const auto is_over = [&] {
    return samples.size() >= options.max_repetitions ||
           std::chrono::duration<double>(Clock::now() - begin).count() >= options.max_seconds;
  };
  // Looked at each time that there are a tenth more, so that the looking stays cheap.
  std::size_t next_look = options.min_repetitions;
  do {
    samples.push_back(stopwatch.repetition(result.calls_per_repetition, one_call < long_call));
    if (samples.size() < next_look) continue;
    next_look += samples.size() / 10 + 1;
    result.stable = relative_error_of_median(samples) <= options.precision;
  } while (!result.stable && !is_over());
  const Quartiles quartiles = quartiles_of(samples);
  result.median = quartiles.median;
  result.min = *std::min_element(samples.begin(), samples.end());
  result.lower_quartile = quartiles.lower;
  result.upper_quartile = quartiles.upper;
  result.repetitions = samples.size();
  return result;
}

}  // namespace

BenchmarkResult detail::run_benchmark(const std::function<void()>& call, const BenchmarkOptions& options) {
  check(options);
  const ContextGuard guard(stream_context(options.stream));  // events must be of the stream's own context
  Stopwatch stopwatch(call, options);
  for (std::size_t i = 0; i < options.warm_up; ++i) call();
  return measure(stopwatch, options);
}

}  // namespace kiln
