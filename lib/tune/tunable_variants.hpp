// The kernels that a tunable kernel was compiled to.
#pragma once

#include "tune/tunable_request.hpp"

#include <kiln/function.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace kiln {

/// Throws ArgumentError where the kernel, as it was compiled, cannot be launched so on the device: the block has more
/// threads than its registers allow, or there is too much shared memory.
void check_limits_of(const Function& function, const LaunchConfig& config, int device);

/// Each configuration is compiled once, with any number of threads; threads that request different ones do not wait for
/// each other. Thread-safe. Functions live as long as this object.
class TunableVariants {
 public:
  /// The definition must outlive this object.
  explicit TunableVariants(const TunableDefinition& definition) : definition_(definition) {}

  /// Compiles and loads for the current device where that was not done before. Throws what a SourceModule throws.
  const Function& function(const TuneConfiguration& values);
  /// Keeps what was compiled elsewhere, unless there is one.
  void keep(const TuneConfiguration& values, const Function& function);

 private:
  struct Variant {
    std::mutex mutex;
    std::optional<Function> function;
  };
  Variant& variant(const TuneConfiguration& values);

  const TunableDefinition& definition_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Variant>> variants_;  // by the text of their values
};

}  // namespace kiln
