// What ends a group of processes with this process, however this one ends.
#pragma once

#include "base/owned_descriptor.hpp"

#include <sys/types.h>

namespace kiln {

/// A pipe. The group's first process gets one end, which its children inherit; when this process ends, the kernel
/// closes the other and sends SIGKILL to the group. (PR_SET_PDEATHSIG cannot be asked for by posix_spawn, and does not
/// reach a child's children.) A child of fork that goes on without exec has the other end too, and holds it off.
/// Without it nothing else changes. For one thread.
class Lifeline {
 public:
  Lifeline() noexcept;
  /// Lets the group go on by itself.
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  /// What the child is to have open; -1 where no pipe could be made.
  int child_end() const noexcept { return child_end_.get(); }
  /// From now on.
  void tie(pid_t group) const noexcept;

 private:
  OwnedDescriptor child_end_;
  OwnedDescriptor own_end_;
};

}  // namespace kiln
