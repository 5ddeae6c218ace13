// benchmark: how long work on a device takes, measured until the answer stands.
#pragma once

#include <kiln/detail/run_benchmark.hpp>
#include <kiln/driver_types.hpp>

#include <cstddef>
#include <type_traits>

namespace kiln {

/// How kiln::benchmark measures. An aggregate.
struct BenchmarkOptions {
  /// Where the callable puts its work; null is the legacy default stream. It is passed to a callable that takes one.
  CUstream stream = nullptr;
  /// Calls before anything is measured: the first ones load code and fill caches.
  std::size_t warm_up = 5;
  std::size_t min_repetitions = 20;    ///< it is measured so many times at least
  std::size_t max_repetitions = 1000;  ///< and so many times at most
  /// Of the host's clock, for all repetitions together; at least one is made.
  double max_seconds = 2;
  /// The repetitions end when the median is known this well: its standard error, estimated from the quartiles, is at
  /// most this share of it.
  double precision = 0.01;
  /// Writes twice the L2 cache's size before each repetition, so that the callable finds none of its data there. Each
  /// repetition is one call then, however short.
  bool flush_l2 = false;
};

/// Times are of one call, in seconds on the device.
struct BenchmarkResult {
  double median = 0;            ///< half of the repetitions took less
  double min = 0;               ///< the fastest repetition
  double lower_quartile = 0;    ///< a quarter of the repetitions took less
  double upper_quartile = 0;    ///< a quarter of the repetitions took more
  std::size_t repetitions = 0;  ///< how many were measured
  /// A repetition is so many calls, and its time their mean.
  std::size_t calls_per_repetition = 1;
  /// The wanted precision was reached before max_repetitions and max_seconds.
  bool stable = false;
};

/// Measures what `callable`, called with the stream or with nothing, puts into the options' stream. It is called many
/// times, with the stream's context current. Between two events, which resolve about half a microsecond, are as many
/// calls as take 0.2 ms, after one more call that keeps the device busy while they are submitted: the measured time is
/// what each call adds to a busy stream. Where submitting the work takes longer than the work, that is the host's time.
/// Throws what the callable throws, ArgumentError for options that cannot be met, DriverError where the driver fails,
/// as for a stream that is being captured. Callable from any thread. PyCUDA has no counterpart; Triton's do_bench is
/// one.
template <class Callable>
BenchmarkResult benchmark(Callable&& callable, const BenchmarkOptions& options = {}) {
  static_assert(std::is_invocable_v<Callable&, CUstream> || std::is_invocable_v<Callable&>,
                "kiln::benchmark calls with a stream or with nothing: benchmark([&](CUstream stream) { ... })");
  return detail::run_benchmark(
      [&] {
        if constexpr (std::is_invocable_v<Callable&, CUstream>)
          callable(options.stream);
        else
          callable();
      },
      options);
}

}  // namespace kiln
