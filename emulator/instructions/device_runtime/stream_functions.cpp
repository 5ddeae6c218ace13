// Streams and events that kernels make. They order the work of one grid, and have no other use.
#include "emulator/instructions/device_runtime/runtime_thread.hpp"

namespace kiln::emulator {
namespace {

constexpr std::uint32_t non_blocking = 1, disable_timing = 2;  // the only flags that there are

// cudaStreamCreateWithFlags(stream*, flags)
void make_device_stream(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    if (thread.argument<std::uint32_t>(1) != non_blocking) return DeviceError::invalid_value;
    thread.store(thread.argument<std::uint64_t>(0), thread.tree().make_stream(thread.grid()));
    return DeviceError::success;
  });
}

// cudaStreamDestroy(stream): its work goes on.
void end_device_stream(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return thread.tree().destroy_stream(thread.grid(), thread.argument<std::uint64_t>(0));
  });
}

// cudaEventCreateWithFlags(event*, flags)
void make_device_event(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    if (thread.argument<std::uint32_t>(1) != disable_timing) return DeviceError::invalid_value;
    thread.store(thread.argument<std::uint64_t>(0), thread.tree().make_event(thread.grid()));
    return DeviceError::success;
  });
}

// cudaEventDestroy(event)
void end_device_event(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    return thread.tree().destroy_event(thread.grid(), thread.argument<std::uint64_t>(0));
  });
}

// cudaEventRecord(event, stream), cudaEventRecordWithFlags(event, stream, flags)
template <bool per_thread>
void record_device_event(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const DeviceStream stream = thread.stream(thread.argument<std::uint64_t>(1), per_thread);
    return thread.tree().record(thread.grid(), thread.argument<std::uint64_t>(0), stream);
  });
}

// cudaStreamWaitEvent(stream, event, flags)
template <bool per_thread>
void wait_device_event(BuiltinCall& call) {
  for_threads(call, [](const RuntimeThread& thread) {
    const DeviceStream stream = thread.stream(thread.argument<std::uint64_t>(0), per_thread);
    return thread.tree().wait(thread.grid(), stream, thread.argument<std::uint64_t>(1));
  });
}

}  // namespace

std::span<const BuiltinRow> stream_function_rows() {
  static constexpr BuiltinRow rows[] = {
      {"StreamCreateWithFlags", make_device_stream},
      {"StreamDestroy", end_device_stream},
      {"StreamWaitEvent", wait_device_event<false>},
      {"StreamWaitEvent_ptsz", wait_device_event<true>},
      {"EventCreateWithFlags", make_device_event},
      {"EventRecord", record_device_event<false>},
      {"EventRecord_ptsz", record_device_event<true>},
      {"EventRecordWithFlags", record_device_event<false>},
      {"EventRecordWithFlags_ptsz", record_device_event<true>},
      {"EventDestroy", end_device_event},
  };
  return rows;
}

}  // namespace kiln::emulator
