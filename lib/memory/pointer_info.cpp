#include "memory/pointer_info.hpp"

#include "toolkit/driver/driver_extras.hpp"

namespace kiln {

std::optional<int> pointer_device(CUdeviceptr address) {
  const DriverExtras& driver = DriverExtras::get();
  int device = -1;
  const int result =
      with_context([&] { return driver.pointer_get_attribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address); });
  if (result != CUDA_SUCCESS || device < 0) return std::nullopt;
  return device;
}

CUcontext pointer_context(CUdeviceptr address) {
  const DriverExtras& driver = DriverExtras::get();
  CUcontext context = nullptr;
  const int result =
      with_context([&] { return driver.pointer_get_attribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address); });
  if (result == CUDA_SUCCESS && context != nullptr) return context;
  const std::optional<int> device = pointer_device(address);
  return device ? primary_context(*device) : require_context();
}

CUcontext context_near(CUdeviceptr address) {
  CUcontext current = require_context();
  const std::optional<int> device = pointer_device(address);
  return !device || *device == current_device() ? current : pointer_context(address);
}

std::optional<MemoryRange> allocation_of(CUdeviceptr address) {
  const DriverExtras& driver = DriverExtras::get();
  MemoryRange range = {};
  const int result = with_context([&] { return driver.mem_get_address_range(&range.begin, &range.bytes, address); });
  if (result != CUDA_SUCCESS) return std::nullopt;
  return range;
}

}  // namespace kiln
