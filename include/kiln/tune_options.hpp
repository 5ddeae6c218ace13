// TuneOptions: how a kernel is tuned.
#pragma once

#include <kiln/cancel.hpp>
#include <kiln/tune_result.hpp>
#include <kiln/tune_value.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace kiln {

/// In which order configurations are tried. Given the time, each tries all of them.
enum class TuneStrategy {
  exhaustive,  ///< in the parameters' order
  random,      ///< in random order
  annealing    ///< simulated annealing: from one to a neighbour, with restarts
};

/// Which of two values of TuneOptions::objective is the better one.
enum class TuneGoal { smallest, largest };

/// After a candidate, where tuning stands. The references hold during the call.
struct TuneProgress {
  std::size_t done = 0;       ///< candidates until now, this one counted in
  std::size_t total = 0;      ///< how many there are, or may be tried
  const TuneCandidate& last;  ///< this one
  const TuneCandidate* best;  ///< null where none is ok yet
};

/// How a kernel is tuned. An aggregate.
struct TuneOptions {
  TuneStrategy strategy = TuneStrategy::annealing;  ///< the order of configurations
  std::uint64_t seed = 1;                           ///< for strategies with chance; the same order on all machines

  /// So many candidates are tried at most, the default and those of the log file counted in.
  std::size_t max_variants = std::numeric_limits<std::size_t>::max();
  /// No launch is begun later; of the host's clock, from the call on.
  double max_seconds = std::numeric_limits<double>::infinity();

  /// Called after a candidate was launched once and the device is idle: whether the outputs are right. Where it is
  /// empty, outputs are compared with those of the default configuration.
  std::function<bool()> reference = {};
  /// Names the reference in the log file, such as by a digest of its data: with another one the file is another
  /// tuning's.
  std::string reference_key = {};
  /// Elements a of floating types are right where |a - b| <= tolerance + tolerance * |b|, b being the default's; all
  /// else must be equal.
  double tolerance = 1e-5;

  /// Each launch finds nothing of its data in the L2 cache; otherwise one goes ahead of each that is measured.
  bool flush_l2 = true;
  std::size_t min_repetitions = 7;   ///< each candidate is launched so many times at least
  std::size_t max_repetitions = 50;  ///< and so many times at most
  /// The repetitions end when the median is known this well: half the width of its 95 % interval as a share of it.
  double confidence = 0.02;
  /// A candidate whose first three launches were all slower than the best one by this factor is launched no more.
  /// Infinity: never. An objective of one's own keeps all candidates.
  double give_up_factor = 2;
  /// A launch that takes longer fails. Nothing stops a kernel: one that is slow is waited for up to twice as long.
  double launch_seconds = 10;

  /// What is to be smallest or largest, from a configuration and its median seconds: GFLOP/s, bytes per second, energy.
  /// Where it is empty, seconds.
  std::function<double(const TuneConfiguration&, double seconds)> objective = {};
  TuneGoal goal = TuneGoal::smallest;  ///< of the objective

  /// Called after each candidate, on the calling thread. What it throws ends tuning and is thrown.
  std::function<void(const TuneProgress&)> progress = {};
  CancelToken cancel = {};  ///< looked at between launches; the result is of what was tried until then
  /// Each candidate is appended to this file. Where it has some of the same tuning, those are not tried again, also not
  /// those that failed. Source, options, sizes, default and device are compared; headers of include folders are not.
  std::filesystem::path log_file = {};
  /// The best is added to the kernel's wisdom. Where it cannot be written that is a warning, and the result is kept.
  bool keep_wisdom = true;
  bool keep_emulator_wisdom = false;  ///< also on the emulator, whose times are the CPU's
  unsigned compile_threads = 0;       ///< candidates compiled side by side; 0 is as for compile_all
};

}  // namespace kiln
