#include "base/lifeline.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace kiln {

Lifeline::Lifeline() noexcept {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  child_end_ = OwnedDescriptor(ends[0]);
  own_end_ = OwnedDescriptor(ends[1]);
}

Lifeline::~Lifeline() {
  // Else the group would be killed when the other end is closed.
  if (child_end_.get() >= 0) ::fcntl(child_end_.get(), F_SETFL, ::fcntl(child_end_.get(), F_GETFL) & ~O_ASYNC);
}

void Lifeline::tie(pid_t group) const noexcept {
  if (child_end_.get() < 0) return;
  ::fcntl(child_end_.get(), F_SETOWN, -group);
  ::fcntl(child_end_.get(), F_SETSIG, SIGKILL);
  ::fcntl(child_end_.get(), F_SETFL, ::fcntl(child_end_.get(), F_GETFL) | O_ASYNC);
}

}  // namespace kiln
