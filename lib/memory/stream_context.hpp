// Calls that put work into a stream, from a thread whose current context may be another device's.
#pragma once

#include "memory/context.hpp"

#include <cstdint>
#include <optional>

namespace kiln {

/// Null, and the two handles that stand for a thread's default streams: they belong to the current context.
inline bool is_default_stream(CUstream stream) noexcept { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// Makes a driver call in the context of `stream`, which need not be the thread's current one. For a default stream as
/// with_context.
template <class Call>
int in_stream_context(CUstream stream, Call call) {
  if (is_default_stream(stream)) return with_context(call);
  const ContextGuard guard(stream_context(stream));
  return call();
}

/// Nothing where the stream cannot be queried: the legacy default stream while another one is captured, for one.
inline std::optional<CUstreamCaptureStatus> capture_status(CUstream stream) {
  const DriverExtras& driver = DriverExtras::get();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const int result = with_context([&] { return driver.stream_is_capturing(stream, &status); });
  return result == CUDA_SUCCESS ? std::optional(status) : std::nullopt;
}

}  // namespace kiln
