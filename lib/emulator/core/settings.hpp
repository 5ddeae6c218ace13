// The environment variables that change how kernels run.
#pragma once

#include <string>

namespace kiln::emulator {

/// Settings of the process, read from the environment once.
struct Settings {
  bool check_race = false, check_init = false, check_divergence = false;  // KILN_EMULATOR_CHECK
  /// KILN_EMULATOR_TRACE=kernel:block:thread; numbers or x,y,z triples.
  std::string trace;
  /// KILN_EMULATOR_TIME_LIMIT: seconds of one launch, 0 for none (the default).
  double time_limit = 0;
  /// KILN_EMULATOR_CORES: how many blocks run at the same time; never 0, by default as many as the process may use.
  unsigned cores = 1;
  static const Settings& get() { return changeable(); }
  /// For tests, between launches.
  static Settings& changeable();
};

}  // namespace kiln::emulator
