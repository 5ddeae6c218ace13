// TuneResult: what tuning found out.
#pragma once

#include <kiln/error.hpp>
#include <kiln/export.hpp>
#include <kiln/tune_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// A candidate left a device on which this process can launch nothing more: it crashed, or does not end. It is in
/// TuneOptions::log_file; a new process with that file leaves it out and goes on. While a launch does not end,
/// everything that waits for the device waits, too, the destructors of buffers among it: end the process by std::_Exit.
class KILN_EXPORT DeviceLostError : public Error {
 public:
  using Error::Error;
  DeviceLostError(const DeviceLostError&) = default;
  DeviceLostError& operator=(const DeviceLostError&) = default;
  ~DeviceLostError() override;
};

/// What became of a candidate.
enum class TuneStatus {
  ok,              ///< it was measured, and its result was right
  not_compiled,    ///< the compiler refused it, or was stopped by the compile's timeout
  over_limits,     ///< it needs more threads, registers or shared memory than the device has
  launch_refused,  ///< the driver refused its launch for another reason
  wrong_result,    ///< its outputs were not those of the reference
  timed_out,       ///< a launch took longer than TuneOptions::launch_seconds
  crashed  ///< a launch ended with an error, such as an illegal address, after which no call works in the process
};

/// "ok", "not compiled", "over limits", ...
KILN_EXPORT const char* to_string(TuneStatus status) noexcept;

/// One configuration that was tried. A value.
struct TuneCandidate {
  TuneConfiguration configuration;     ///< its parameters' values
  TuneStatus status = TuneStatus::ok;  ///< what became of it
  std::string error;                   ///< where it failed: why
  double seconds = 0;                  ///< the median time of a launch on the device
  double spread = 0;                   ///< seconds between the quartiles of its launches
  double value = 0;                    ///< the objective's; without an objective the seconds
  std::size_t repetitions = 0;         ///< how many launches were measured
  bool given_up = false;               ///< fewer than wanted, because it was far slower than the best one
};

/// Why tuning ended.
enum class TuneEnd { all_tried, max_variants, max_seconds, cancelled };

/// "all tried", "max variants", ...
KILN_EXPORT const char* to_string(TuneEnd end) noexcept;

/// What tuning found out. A value.
struct TuneResult {
  std::vector<TuneCandidate> candidates;    ///< in the order in which they were tried
  std::optional<TuneCandidate> best;        ///< of those that are ok; none where there is none
  std::optional<TuneCandidate> of_default;  ///< the default configuration; none where tuning ended before it
  std::size_t valid = 0;                    ///< configurations that the restrictions and the device allow
  TuneEnd end = TuneEnd::all_tried;         ///< why tuning ended
  /// True if two or more are ok, all of these had the same code and launch, and there was no objective: `best` is no
  /// better than any other.
  bool all_alike = false;
  std::size_t resumed = 0;     ///< candidates that were known from the log file
  double seconds = 0;          ///< of the host's clock, for all of it
  double compile_seconds = 0;  ///< of all compiles together, also of those that ran side by side
  double wait_seconds = 0;     ///< while nothing was measured, because nothing was compiled
  double measure_seconds = 0;  ///< loading, verifying and measuring

  /// How many candidates ended so.
  std::size_t count(TuneStatus status) const noexcept {
    std::size_t number = 0;
    for (const TuneCandidate& candidate : candidates)
      if (candidate.status == status) ++number;
    return number;
  }
};

}  // namespace kiln
