// Copies without a stream out of host memory: done when they return.
#pragma once

#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver.hpp"

#include <kiln/detail/copy_end.hpp>

namespace kiln {

/// A copy without a stream that is done when the call returns. The driver's own returns when pageable host memory has
/// been read, and the copy's last part may be on the way then: work of a non-blocking stream, which waits for nothing,
/// found the old contents after 299 of 300 copies of 1 MB, after none of up to 64 KB (H100, driver 580;
/// findings/memcpy_htod_returns_early.sh). To wait takes 1 to 2 us where the copy is done already.
class HostCopy {
 public:
  /// From host memory, or, where `source` says so, of device memory, for which nothing is waited.
  HostCopy() = default;
  explicit HostCopy(const detail::CopyEnd& source) noexcept
      : waits_(source.memory != detail::CopyEnd::Memory::device && source.memory != detail::CopyEnd::Memory::array) {}

  /// Makes the driver's call and waits, both in the current context; the call's result.
  template <class Call>
  int run(Call call) {
    const int result = call();
    if (result == CUDA_SUCCESS && waits_) waited_ = Driver::get().stream_synchronize(nullptr);
    return result;
  }
  /// Throws where the wait failed.
  void check() const {
    if (waited_ != CUDA_SUCCESS) check_work(waited_, "cuStreamSynchronize", " behind a copy from host memory");
  }

 private:
  bool waits_ = true;
  int waited_ = CUDA_SUCCESS;
};

}  // namespace kiln
