// The environment variables that change how kernels run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emulator {

/// A block of a grid and a thread of it, each by one number or by its x, y and z.
struct TracedThread {
  std::string kernel;
  std::vector<std::uint64_t> block, thread;
};

/// "kernel:block:thread", such as "shift:0:31" or "shift:1,0,0:4,2,0"; nothing where the text is not that.
std::optional<TracedThread> read_traced_thread(std::string_view text);

/// Settings of the process, read from the environment once.
struct Settings {
  bool check_race = false, check_init = false, check_divergence = false;  // KILN_EMULATOR_CHECK
  std::optional<TracedThread> trace;                                      // KILN_EMULATOR_TRACE
  /// KILN_EMULATOR_TIME_LIMIT: seconds of one launch, 0 for none (the default).
  double time_limit = 0;
  /// KILN_EMULATOR_CORES: how many blocks run at the same time; never 0, by default as many as the process may use.
  unsigned cores = 1;
  /// KILN_EMULATOR_PROFILE: the file of the report, as an absolute path, "-" for the terminal, empty for no profile.
  std::string profile;
  static const Settings& get() { return changeable(); }
  /// As the environment is now; the log says of a value that is none, and it counts as unset.
  static Settings from_environment();
  /// For tests, between launches.
  static Settings& changeable();
};

}  // namespace kiln::emulator
