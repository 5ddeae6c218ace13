// Streams and stream capture.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/stream_state.hpp"
#include "emulator/provider/stream/capture.hpp"
#include "emulator/provider/stream/event.hpp"

#include <algorithm>
#include <utility>

namespace {

using namespace kiln::emulator;

CUresult create_stream(CUstream* out, unsigned flags, int priority) {
  require(out != nullptr && (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) == 0);
  Context& context = current_context();
  const auto stream =
      std::make_shared<StreamState>(context, flags, std::clamp(priority, greatest_priority, least_priority));
  {
    const Scheduler::Lock lock = Scheduler::get().lock();
    context.streams().push_back(stream);
  }
  *out = Streams::get().add(stream);
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuStreamCreate(CUstream* out, unsigned flags) {
  return call(__func__, [&] { return create_stream(out, flags, 0); });
}

KILN_EMULATOR_API cuStreamCreateWithPriority(CUstream* out, unsigned flags, int priority) {
  return call(__func__, [&] { return create_stream(out, flags, priority); });
}

KILN_EMULATOR_API cuStreamDestroy(CUstream handle) {
  return call(__func__, [&] {
    const StreamPtr stream = Streams::get().take(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    destroy(*stream);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamSynchronize(CUstream stream) {
  return call(__func__, [&] { return synchronize(stream); });
}

KILN_EMULATOR_API cuStreamQuery(CUstream handle) {
  return call(__func__, [&] {
    const StreamPtr stream = stream_of(handle);
    refuse_in_capture(*stream);
    return query(*stream);
  });
}

KILN_EMULATOR_API cuStreamGetCtx(CUstream handle, CUcontext* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    const StreamPtr stream = stream_of(handle);
    if (!stream->legacy) (void)capture_of(*stream);  // a driver does not say it during a capture that went wrong
    *out = stream->context.handle();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamGetFlags(CUstream handle, unsigned* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = stream_of(handle)->flags;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamGetPriority(CUstream handle, int* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = stream_of(handle)->priority;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamGetId(CUstream handle, unsigned long long* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = stream_of(handle)->id;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamGetDevice(CUstream handle, CUdevice* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = stream_of(handle)->context.device();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  return call(__func__, [&] {
    require((flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) == 0);
    wait_for_event(*stream_of(handle), *event_of(event));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* data, unsigned flags) {
  return call(__func__, [&] {
    require(callback != nullptr && flags == 0);
    const StreamPtr stream = stream_of(handle);
    refuse_in_capture(*stream);
    Context* const context = &stream->context;
    (void)append(*stream, [=] {
      callback(handle, context->error(), data);
      return CUDA_SUCCESS;
    });
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuLaunchHostFunc(CUstream handle, CUhostFn function, void* data) {
  return call(__func__, [&] {
    require(function != nullptr);
    const auto work = [=] {
      function(data);
      return CUDA_SUCCESS;
    };
    enqueue(handle, work, "host");
    return CUDA_SUCCESS;
  });
}

// Attributes such as the L2 window are hints. A query returns the window that was set, and zeros for all others.
KILN_EMULATOR_API cuStreamSetAttribute(CUstream handle, CUstreamAttrID id, const CUstreamAttrValue* value) {
  return call(__func__, [&] {
    require(value != nullptr);
    const StreamPtr stream = stream_of(handle);
    const Scheduler::Lock lock = Scheduler::get().lock();
    if (id == CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW) stream->window = value->accessPolicyWindow;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamGetAttribute(CUstream handle, CUstreamAttrID id, CUstreamAttrValue* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    const StreamPtr stream = stream_of(handle);
    const Scheduler::Lock lock = Scheduler::get().lock();
    *out = {};
    if (id == CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW) out->accessPolicyWindow = stream->window;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
  return call(__func__, [&] {
    begin_capture(*stream_of(handle), mode);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamEndCapture(CUstream handle, CUgraph* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = nullptr;
    *out = Graphs::get().add(end_capture(*stream_of(handle)));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = capture_status(*stream_of(handle));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return call_anyway(__func__, [&] {
    require(mode != nullptr && *mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
    *mode = exchange_capture_mode(*mode);
    return CUDA_SUCCESS;
  });
}
