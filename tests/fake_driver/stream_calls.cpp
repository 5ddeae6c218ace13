// Streams and events. All work is done the moment it is put in.
#include "fake_memory.hpp"

using fake_cuda::call;
using fake_cuda::capture_result;
using fake_cuda::Context;
using fake_cuda::context_of;
using fake_cuda::current_context;
using fake_cuda::Event;
using fake_cuda::find;
using fake_cuda::note_arguments;
using fake_cuda::State;
using fake_cuda::Stream;
using fake_cuda::stream_result;

namespace fake_cuda {

namespace {
thread_local CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
}  // namespace

Context* context_of(const State& state, CUstream stream) {
  if (stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD) return current_context();
  const Stream* object = find(state.streams, stream);
  return object != nullptr ? object->context : nullptr;
}

CUresult stream_result(const State& state, CUstream stream) {
  if (context_of(state, stream) != nullptr) return CUDA_SUCCESS;
  return stream == nullptr ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_HANDLE;
}

CUresult capture_result(const State& state) {
  if (capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  for (const auto& [handle, stream] : state.streams)
    if (stream->capturing) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return CUDA_SUCCESS;
}

}  // namespace fake_cuda

namespace {

CUresult add_stream(State& state, CUstream* stream) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto object = std::make_unique<Stream>();
  object->context = current_context();
  object->id = ++state.streams_made;
  *stream = reinterpret_cast<CUstream>(object.get());
  state.streams[*stream] = std::move(object);
  return CUDA_SUCCESS;
}

CUresult wait_result(State& state, const char* name, CUevent event) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (const CUresult result = capture_result(state); result != CUDA_SUCCESS) return result;
  if (find(state.events, event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  note_arguments(state, name, {fake_cuda::address_of(event)});
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return call("cuStreamCreate", [&](State& state) {
    note_arguments(state, "cuStreamCreate", {flags});
    return add_stream(state, stream);
  });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return call("cuStreamCreateWithPriority", [&](State& state) {
    note_arguments(state, "cuStreamCreateWithPriority", {flags, static_cast<unsigned long long>(priority)});
    return add_stream(state, stream);
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call("cuCtxGetStreamPriorityRange", [&](State&) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *least = 0;
    *greatest = -5;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) {  // replays of a plan ask for it
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
  }
  return call("cuStreamIsCapturing", [&](State& state) {
    const Stream* object = find(state.streams, stream);
    const bool capturing = object != nullptr && object->capturing;
    *status = capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return stream_result(state, stream);
  });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) {  // reductions and scans ask for it
    *id = reinterpret_cast<const Stream*>(stream)->id;
    return CUDA_SUCCESS;
  }
  return call("cuStreamGetId", [&](State& state) {
    const Stream* object = find(state.streams, stream);
    if (object == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *id = object->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamDestroy(CUstream stream) {
  return call("cuStreamDestroy", [&](State& state) {
    return state.streams.erase(stream) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return call("cuStreamSynchronize", [&](State& state) { return stream_result(state, stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return call("cuStreamQuery", [&](State& state) { return stream_result(state, stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return call("cuStreamWaitEvent", [&](State& state) {
    return find(state.events, event) != nullptr ? stream_result(state, stream) : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return call("cuStreamGetCtx", [&](State& state) {
    *context = reinterpret_cast<CUcontext>(context_of(state, stream));
    return stream_result(state, stream);
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return call("cuEventCreate", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    auto object = std::make_unique<Event>();
    object->context = current_context();
    object->timing = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    note_arguments(state, "cuEventCreate", {flags});
    *event = reinterpret_cast<CUevent>(object.get());
    state.events[*event] = std::move(object);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventDestroy(CUevent event) {
  return call("cuEventDestroy",
              [&](State& state) { return state.events.erase(event) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return call("cuEventRecord", [&](State& state) {
    Event* object = find(state.events, event);
    const Context* context = context_of(state, stream);
    if (context == nullptr) return stream_result(state, stream);
    if (object == nullptr || object->context != context) return CUDA_ERROR_INVALID_HANDLE;
    object->recorded = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
}

CUresult cuEventSynchronize(CUevent event) {
  return call("cuEventSynchronize", [&](State& state) { return wait_result(state, "cuEventSynchronize", event); });
}

CUresult cuEventQuery(CUevent event) {
  return call("cuEventQuery", [&](State& state) { return wait_result(state, "cuEventQuery", event); });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return call("cuThreadExchangeStreamCaptureMode", [&](State&) {
    std::swap(*mode, fake_cuda::capture_mode);
    return CUDA_SUCCESS;
  });
}

// Both versions, as drivers from 12.8 on export them.
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent from, CUevent to) {
  return call("cuEventElapsedTime", [&](State& state) {
    const Event* begin = find(state.events, from);
    const Event* end = find(state.events, to);
    if (begin == nullptr || end == nullptr || !begin->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (!begin->timing || !end->timing) return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded - *begin->recorded).count();
    return CUDA_SUCCESS;
  });
}
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* milliseconds, CUevent from, CUevent to) {
  return cuEventElapsedTime_v2(milliseconds, from, to);
}

}  // extern "C"
