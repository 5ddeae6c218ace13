// Events.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/stream/event.hpp"

namespace {

using namespace kiln::emulator;

constexpr unsigned known_event_flags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;

CUresult elapsed(float* milliseconds, CUevent start, CUevent end) {
  require(milliseconds != nullptr);
  *milliseconds = milliseconds_between(*event_of(start), *event_of(end));
  return CUDA_SUCCESS;
}

CUresult record_in(CUevent event, CUstream stream) {
  record(*event_of(event), *stream_of(stream));
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuEventCreate(CUevent* out, unsigned flags) {
  return call(__func__, [&] {
    require(out != nullptr);
    if ((flags & CU_EVENT_INTERPROCESS) != 0) return not_supported("cuEventCreate", "events of several processes");
    require((flags & ~known_event_flags) == 0);
    *out = Events::get().add(std::make_shared<EventState>(current_context(), flags));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuEventDestroy(CUevent event) {
  return call(__func__,
              [&] { return Events::get().take(event) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuEventRecord(CUevent event, CUstream stream) {
  return call(__func__, [&] { return record_in(event, stream); });
}

KILN_EMULATOR_API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return call(__func__, [&] {
    require((flags & ~unsigned{CU_EVENT_RECORD_EXTERNAL}) == 0);
    return record_in(event, stream);
  });
}

KILN_EMULATOR_API cuEventSynchronize(CUevent handle) {
  return call(__func__, [&] {
    const EventPtr event = event_of(handle);
    Scheduler::get().wait(mark_of(*event));
    return event->context.error();
  });
}

KILN_EMULATOR_API cuEventQuery(CUevent handle) {
  return call(__func__, [&] {
    const EventPtr event = event_of(handle);
    return Scheduler::get().is_done(mark_of(*event)) ? event->context.error() : CUDA_ERROR_NOT_READY;
  });
}

// CUDA 12.8 added a second version with the same prototype.
#undef cuEventElapsedTime
extern "C" CUresult cuEventElapsedTime(float*, CUevent, CUevent);
KILN_EMULATOR_API cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return call(__func__, [&] { return elapsed(milliseconds, start, end); });
}

extern "C" CUresult cuEventElapsedTime_v2(float*, CUevent, CUevent);
KILN_EMULATOR_API cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return call(__func__, [&] { return elapsed(milliseconds, start, end); });
}
