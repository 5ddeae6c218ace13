#include "memory/pointer_info.hpp"

#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/error.hpp>

#include <array>
#include <charconv>

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

namespace {

std::string hexadecimal(CUdeviceptr address) {
  std::array<char, 16> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16);
  return "0x" + std::string(digits.data(), end.ptr);
}

/// Empty where there is nothing to say.
std::string memory_fault(CUdeviceptr address, std::size_t bytes) {
  const auto range = allocation_of(address);
  if (!range) return "; the driver knows no device memory at " + hexadecimal(address) + ": was it freed?";
  const std::size_t left = range->begin + range->bytes - address;
  if (left >= bytes) return {};
  return "; at " + hexadecimal(address) + " there are " + std::to_string(left) + " bytes, of an allocation of " +
         std::to_string(range->bytes);
}

}  // namespace

void throw_memory_error(int result, const char* call, const std::string& context,
                        std::initializer_list<CUdeviceptr> addresses, std::size_t bytes) {
  if (result != CUDA_ERROR_INVALID_VALUE) check_work(result, call, context);
  // Made first: the library's message about the failure is lost after the next call.
  std::string message = driver_failure(result, call, context);
  for (const CUdeviceptr address : addresses) message += memory_fault(address, bytes);
  throw DriverError(message, result, driver_result_name(result), call);
}

}  // namespace kiln
