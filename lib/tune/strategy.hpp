// In which order configurations are tried.
#pragma once

#include "tune/valid_configurations.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace kiln {

/// Gives each valid configuration at most once, and in the end all of them. Any number may be given before the first is
/// reported, so that some compile while others are measured; the same calls with the same seed get the same results on
/// all machines. For one thread.
class Strategy {
 public:
  Strategy() = default;
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// What to measure next; nothing where all have been given.
  virtual std::optional<Configuration> next() = 0;
  /// What a configuration that was given measured: seconds, or whatever else is to be small; nothing where it failed.
  virtual void tell(const Configuration& configuration, std::optional<double> seconds) = 0;
};

/// The configurations must outlive the strategy.
std::unique_ptr<Strategy> exhaustive_strategy(const ValidConfigurations& valid);
std::unique_ptr<Strategy> random_strategy(const ValidConfigurations& valid, std::uint64_t seed);
std::unique_ptr<Strategy> annealing_strategy(const ValidConfigurations& valid, std::uint64_t seed);

}  // namespace kiln
