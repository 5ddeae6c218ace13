// Copies without a stream out of host memory: done when they return.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <kiln/detail/copy_end.hpp>

namespace kiln {

/// The driver's own call returns when the host memory may be used again, which for up to 64 KB is before the copy has
/// begun: work of a non-blocking stream, which waits for nothing, would meet the old contents. Makes the call, in the
/// current context, and waits for the copy.
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
