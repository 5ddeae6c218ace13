#include "tune/launch_clock.hpp"

#include "toolkit/driver/driver.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace kiln {

namespace {

using Clock = std::chrono::steady_clock;

std::string in_seconds(double seconds) { return std::to_string(seconds) + " s"; }

/// Whether nothing can be done with the context any more.
bool is_context_lost() {
  try {
    Event().record().synchronize();
    return false;
  } catch (const DriverError&) {
    return true;
  }
}

/// What a call of the driver said while a candidate ran.
[[noreturn]] void fail(const DriverError& error) {
  if (error.result() == CUDA_ERROR_LAUNCH_TIMEOUT) throw TuneFailure(TuneStatus::timed_out, error.what(), true);
  if (is_context_lost()) throw TuneFailure(TuneStatus::crashed, error.what(), true);
  throw TuneFailure(TuneStatus::launch_refused, error.what());
}

}  // namespace

LaunchClock::LaunchClock(CUstream stream, double limit_seconds, bool flush_l2)
    : stream_(stream), limit_seconds_(limit_seconds) {
  if (flush_l2) flush_.emplace();
}

void LaunchClock::put_in(const std::function<void()>& launch) try { launch(); } catch (const ArgumentError& error) {
  throw TuneFailure(TuneStatus::over_limits, error.what());
}

void LaunchClock::run(const std::function<void()>& launch) try {
  start_.record(stream_);
  put_in(launch);
  end_.record(stream_);
  wait_for_end();
} catch (const DriverError& error) {
  fail(error);
}

double LaunchClock::time(const std::function<void()>& launch) {
  if (!flush_) run(launch);
  try {
    if (flush_) flush_->put_into(stream_);
  } catch (const DriverError& error) {
    fail(error);
  }
  run(launch);
  return static_cast<double>(end_.time_since(start_)) / 1000;
}

/// Nothing stops a kernel, so one that is only slow is waited for a while longer.
void LaunchClock::wait_for_end() {
  const auto begin = Clock::now();
  const auto waited = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  constexpr double spinning = 1e-3;
  while (!end_.query()) {
    if (waited() > 2 * limit_seconds_) {
      is_stuck_ = true;
      throw TuneFailure(TuneStatus::timed_out,
                        "a launch did not end in " + in_seconds(2 * limit_seconds_) + ", twice the limit", true);
    }
    if (waited() < spinning)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  const double seconds = static_cast<double>(end_.time_since(start_)) / 1000;
  if (seconds > limit_seconds_)
    throw TuneFailure(TuneStatus::timed_out,
                      "a launch took " + in_seconds(seconds) + ", and " + in_seconds(limit_seconds_) + " are allowed");
}

}  // namespace kiln
