// Waiting for a descriptor, and for a stop.
#pragma once

#include "base/owned_descriptor.hpp"
#include "base/stop.hpp"

#include <optional>

namespace kiln {

/// For one thread.
class StopWait {
 public:
  explicit StopWait(const Stop& stop);
  StopWait(const StopWait&) = delete;
  StopWait& operator=(const StopWait&) = delete;

  /// Waits until poll(2) reports one of `events`, an end or an error on the descriptor; false where the stop was
  /// due first.
  bool wait(int descriptor, short events) const;

 private:
  int slice() const;

  Stop stop_;
  OwnedDescriptor woken_;  // an eventfd, written to when the stop's token is cancelled
  std::optional<CancelWatch> watch_;
};

}  // namespace kiln
