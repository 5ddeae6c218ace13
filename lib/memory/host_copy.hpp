// Copies without a stream out of host memory: done when they return.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/detail/copy_end.hpp>

namespace kiln {

/// The driver's own call returns when pageable memory has been read, and its last part may be on the way then: work of
/// a non-blocking stream, which waits for nothing, found the old contents after 299 of 300 copies of 1 MB, after none
/// of up to 64 KB (H100, driver 580; findings/memcpy_htod_returns_early.sh). Makes the call, in the current context,
/// and waits: 1 to 2 us where the copy is done already.
template <class Call>
int copy_and_wait(Call call) {
  const int result = call();
  return result == CUDA_SUCCESS ? Driver::get().stream_synchronize(nullptr) : result;
}

/// The same for a copy whose source may be device memory, for which nothing is waited.
template <class Call>
int copy_and_wait(const detail::CopyEnd& source, Call call) {
  using Memory = detail::CopyEnd::Memory;
  return source.memory == Memory::device || source.memory == Memory::array ? call() : copy_and_wait(call);
}

}  // namespace kiln
