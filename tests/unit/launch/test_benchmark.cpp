#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "launch/sample_statistics.hpp"

#include <kiln/benchmark.hpp>
#include <kiln/error.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace benchmark_test {

namespace {

kiln::BenchmarkOptions few(std::size_t repetitions) {
  kiln::BenchmarkOptions options;
  options.min_repetitions = options.max_repetitions = repetitions;
  options.max_seconds = 1000;
  return options;
}

}  // namespace

TEST_CASE("quartiles lie between samples, and the median's error falls with their number") {
  const kiln::Quartiles quartiles = kiln::quartiles_of({4, 1, 3, 2});
  CHECK(quartiles.lower == doctest::Approx(1.75));
  CHECK(quartiles.median == doctest::Approx(2.5));
  CHECK(quartiles.upper == doctest::Approx(3.25));
  CHECK(kiln::quartiles_of({7}).upper == 7);
  CHECK(kiln::relative_error_of_median({5, 5, 5}) == 0);
  CHECK(kiln::relative_error_of_median({0, 0, 1}) == 0);
  std::vector<double> samples = {9, 10, 11};
  const double of_three = kiln::relative_error_of_median(samples);
  CHECK(of_three == doctest::Approx(1.2533 * 0.5 / 0.6745 / std::sqrt(3.0) / 10));
  for (int i = 0; i < 6; ++i) samples.insert(samples.end(), {9, 10, 11});
  CHECK(kiln::relative_error_of_median(samples) < of_three);
  samples.push_back(1000000);  // an outlier changes little
  CHECK(kiln::relative_error_of_median(samples) < of_three);
}

TEST_CASE("the callable gets the stream or nothing, and the result is of the repetitions") {
  const kiln::Stream stream;
  fake_cuda::reset();
  auto options = few(7);
  options.stream = stream;
  std::size_t calls = 0;
  const auto with_stream = kiln::benchmark(
      [&](CUstream given) {
        CHECK(given == stream.handle());
        ++calls;
      },
      options);
  CHECK(with_stream.repetitions == 7);
  CHECK(with_stream.calls_per_repetition > 1);  // it does nothing
  CHECK(calls >= 7 * with_stream.calls_per_repetition);
  CHECK(with_stream.min <= with_stream.lower_quartile);
  CHECK(with_stream.lower_quartile <= with_stream.median);
  CHECK(with_stream.median <= with_stream.upper_quartile);
  CHECK(with_stream.min > 0);
  calls = 0;
  CHECK(kiln::benchmark([&] { ++calls; }, few(1)).repetitions == 1);
  CHECK(calls > 0);
}

TEST_CASE("the repetitions end when the precision is reached, at the most, or when the time is over") {
  auto options = few(5);
  options.max_repetitions = 1000000;
  options.precision = 1e9;
  auto result = kiln::benchmark([] {}, options);
  CHECK(result.stable);
  CHECK(result.repetitions == 5);
  options.max_seconds = 1e-9;
  options.precision = 0;
  result = kiln::benchmark([] {}, options);
  CHECK(result.repetitions == 1);
  CHECK_FALSE(result.stable);
}

TEST_CASE("with an L2 flush each repetition is one call, behind a write of twice the cache") {
  fake_cuda::reset();
  auto options = few(6);
  options.flush_l2 = true;
  options.warm_up = 2;
  std::size_t calls = 0;
  const std::size_t allocations = fake_cuda::live_allocations();
  const auto result = kiln::benchmark([&] { ++calls; }, options);
  CHECK(result.calls_per_repetition == 1);
  CHECK(calls == 2 + 3 + 6);
  CHECK(fake_cuda::calls("cuMemsetD8Async") == 3 + 6);
  CHECK(fake_cuda::arguments("cuMemsetD8Async").at(0).at(3) == 2 * 4194304);
  CHECK(fake_cuda::live_allocations() == allocations);
}

TEST_CASE("what the callable throws passes, and nothing is leaked") {
  auto options = few(3);
  options.flush_l2 = true;
  const std::size_t events = fake_cuda::live_events();
  const std::size_t allocations = fake_cuda::live_allocations();
  for (int good = 0; good < 10; ++good) {
    int calls = 0;
    CHECK_THROWS_WITH_AS(kiln::benchmark(
                             [&] {
                               if (calls++ == good) throw std::runtime_error("mine");
                             },
                             options),
                         "mine", std::runtime_error);
    CHECK(fake_cuda::live_events() == events);
    CHECK(fake_cuda::live_allocations() == allocations);
  }
}

TEST_CASE("every driver call of a benchmark may fail") {
  auto options = few(3);
  options.flush_l2 = true;
  const std::size_t events = fake_cuda::live_events();
  const std::size_t allocations = fake_cuda::live_allocations();
  for (const char* const name : {"cuCtxGetCurrent", "cuEventCreate", "cuMemAlloc", "cuMemsetD8Async", "cuEventRecord",
                                 "cuEventSynchronize", "cuEventElapsedTime", "cuDeviceGetAttribute"}) {
    CAPTURE(name);
    std::size_t failures = 0;
    for (bool failed = true; failed; ++failures) {
      fake_cuda::reset();
      fake_cuda::fail(name, CUDA_ERROR_LAUNCH_FAILED, failures);
      failed = false;
      try {
        (void)kiln::benchmark([] {}, options);
      } catch (const kiln::DriverError& error) {
        CHECK(error.result() == CUDA_ERROR_LAUNCH_FAILED);
        failed = true;
      }
      CHECK(fake_cuda::live_events() == events);
      CHECK(fake_cuda::live_allocations() == allocations);
    }
    CHECK(failures > 1);
  }
  fake_cuda::reset();
}

TEST_CASE("options that cannot be met are refused") {
  const auto refused = [](const kiln::BenchmarkOptions& options) {
    CHECK_THROWS_AS(kiln::benchmark([] {}, options), kiln::ArgumentError);
  };
  refused(few(0));
  auto options = few(3);
  options.max_repetitions = 2;
  refused(options);
  options = few(3);
  options.max_seconds = 0;
  refused(options);
  options = few(3);
  options.precision = -1;
  refused(options);
}

}  // namespace benchmark_test
