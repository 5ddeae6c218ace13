#include "launch/host_transfer.hpp"

#include "launch/event_pair.hpp"
#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <optional>
#include <string>

namespace kiln {

namespace {

std::string bytes_text(const detail::HostSlot& slot) {
  return " for a host argument of " + std::to_string(slot.bytes) + " bytes";
}

}  // namespace

HostTransfer::HostTransfer(CUstream stream, const detail::HostSlots& slots)
    : guard_(stream_context(stream)), stream_(stream), slots_(slots) {}

HostTransfer::~HostTransfer() {
  bool is_left = false;
  for (std::size_t i = 0; i < slots_.count; ++i) is_left = is_left || slots_.slots[i]->device != 0;
  const Driver* driver = is_left ? Driver::if_open() : nullptr;
  if (driver == nullptr) return;
  if (begun_) (void)driver->stream_synchronize(stream_);
  for (std::size_t i = 0; i < slots_.count; ++i) (void)free(*slots_.slots[i]);
}

void HostTransfer::begin() {
  const DriverExtras& extras = DriverExtras::get();
  for (std::size_t i = 0; i < slots_.count; ++i) allocate(*slots_.slots[i]);
  begun_ = true;
  for (std::size_t i = 0; i < slots_.count; ++i) {
    const detail::HostSlot& slot = *slots_.slots[i];
    if (slot.source != nullptr && slot.bytes != 0)
      check_work(extras.memcpy_htod_async(slot.device, slot.source, slot.bytes, stream_), "cuMemcpyHtoDAsync",
                 bytes_text(slot));
  }
}

void HostTransfer::finish(bool wait) {
  const DriverExtras& extras = DriverExtras::get();
  for (std::size_t i = 0; i < slots_.count; ++i) {
    const detail::HostSlot& slot = *slots_.slots[i];
    if (slot.target != nullptr && slot.bytes != 0)
      check_work(extras.memcpy_dtoh_async(slot.target, slot.device, slot.bytes, stream_), "cuMemcpyDtoHAsync",
                 bytes_text(slot));
  }
  for (std::size_t i = 0; i < slots_.count; ++i) {
    detail::HostSlot& slot = *slots_.slots[i];
    const char* const call = slot.from_pool ? "cuMemFreeAsync" : "cuMemFree";
    check_work(free(slot), call, bytes_text(slot));
  }
  if (wait) check_work(Driver::get().stream_synchronize(stream_), "cuStreamSynchronize", " behind a launch");
}

void HostTransfer::allocate(detail::HostSlot& slot) {
  if (slot.bytes == 0) return;
  CUdeviceptr device = 0;
  const int result = DriverExtras::get().mem_alloc_async(&device, slot.bytes, stream_);
  if (result == CUDA_SUCCESS) {
    slot.from_pool = true;
  } else if (result == CUDA_ERROR_NOT_SUPPORTED) {  // a device without memory pools, such as some virtual GPUs
    check_work(Driver::get().mem_alloc(&device, slot.bytes), "cuMemAlloc", bytes_text(slot));
  } else {
    check_work(result, "cuMemAllocAsync", bytes_text(slot));
  }
  slot.device = device;
}

int HostTransfer::free(detail::HostSlot& slot) noexcept {
  if (slot.device == 0) return CUDA_SUCCESS;
  const Driver* driver = Driver::if_open();
  const DriverExtras* extras = DriverExtras::if_open();
  if (driver == nullptr || extras == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  // Memory of no pool may be in use until the stream is done; cuMemFree waits for that.
  const int result = slot.from_pool ? extras->mem_free_async(slot.device, stream_) : driver->mem_free(slot.device);
  if (result == CUDA_SUCCESS) slot.device = 0;
  return result;
}

void launch_with_slots(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots,
                       bool wait) {
  HostTransfer transfer(config.stream, slots);
  transfer.begin();
  kernel.launch(config, arguments);
  transfer.finish(wait);
}

double timed_launch(Kernel& kernel, const LaunchConfig& config, void** arguments, const detail::HostSlots& slots) {
  const CUcontext context = stream_context(config.stream);  // events must be of the stream's own context
  const ContextGuard guard(context);
  EventPair events(context);
  std::optional<HostTransfer> transfer;
  if (slots.count != 0) transfer.emplace(config.stream, slots).begin();
  events.start().record(config.stream);
  kernel.launch(config, arguments);
  events.end().record(config.stream);
  if (transfer) transfer->finish(true);
  events.end().synchronize();
  return static_cast<double>(events.end().time_since(events.start())) / 1000;
}

}  // namespace kiln
