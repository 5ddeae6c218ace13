// A child process with an owner.
#pragma once

#include "base/lifeline.hpp"
#include "base/owned_descriptor.hpp"
#include "base/spawn.hpp"

namespace kiln {

/// Ended with its group and waited for, at the end of this object at the latest: its number, and that of its group,
/// stay its own until then. Where this process is killed, its group is, too. For one thread.
class ChildProcess {
 public:
  /// Throws Error as spawn() does.
  explicit ChildProcess(SpawnRequest request);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void signal_group(int signal) const noexcept;
  /// Waits for its end. Once.
  ExitStatus reap();
  /// Also where this program reaps its children itself.
  bool has_ended() const noexcept;
  /// Readable from its end on; nothing where the kernel or a sandbox has no such thing.
  OwnedDescriptor end_event() const noexcept;

 private:
  Lifeline lifeline_;
  pid_t pid_;
};

}  // namespace kiln
