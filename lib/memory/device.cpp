#include "base/argument_error.hpp"
#include "memory/context.hpp"

#include <kiln/error.hpp>

#include <kiln/device.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace kiln {

namespace {

struct DeviceTable {
  std::vector<int> compute_capabilities;
  bool alike = true;
};

int ask_attribute(int device, CUdevice_attribute attribute) {
  int value = 0;
  check_driver(
      Driver::get().device_get_attribute(&value, attribute, device), "cuDeviceGetAttribute",
      " for attribute " + std::to_string(static_cast<int>(attribute)) + " of device " + std::to_string(device));
  return value;
}

DeviceTable ask_devices() {
  int count = 0;
  check_driver(Driver::get().device_get_count(&count), "cuDeviceGetCount");
  DeviceTable table;
  for (int device = 0; device < count; ++device)
    table.compute_capabilities.push_back(10 * ask_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                                         ask_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  table.alike = std::adjacent_find(table.compute_capabilities.begin(), table.compute_capabilities.end(),
                                   std::not_equal_to<>()) == table.compute_capabilities.end();
  return table;
}

// Never destroyed: static objects may launch or query while the process ends. A failure is not remembered.
const DeviceTable& device_table() {
  static const DeviceTable& table = *new DeviceTable(ask_devices());
  return table;
}

}  // namespace

int device_count() { return static_cast<int>(device_table().compute_capabilities.size()); }

bool devices_are_alike() { return device_table().alike; }

int device_compute_capability(int device) {
  return device_table().compute_capabilities.at(static_cast<std::size_t>(device));
}

Device::Device(int ordinal) : ordinal_(ordinal) {
  const int count = device_count();
  if (ordinal >= 0 && ordinal < count) return;
  const std::string expected = "0 to " + std::to_string(count - 1);
  throw_argument_error("Device: there is no device " + std::to_string(ordinal) + ", this process sees devices " +
                           expected + " (CUDA_VISIBLE_DEVICES may hide others)",
                       expected, std::to_string(ordinal));
}

Device Device::current() {
  CUcontext context = nullptr;
  check_driver(Driver::get().ctx_get_current(&context), "cuCtxGetCurrent");
  return Device(context != nullptr ? current_device() : 0);  // naming device 0 is no reason to make a context
}

int Device::count() {
  try {
    return device_count();
  } catch (const Error&) {
    return 0;
  }
}

std::string Device::name() const {
  std::array<char, 256> text = {};
  check_driver(Driver::get().device_get_name(text.data(), static_cast<int>(text.size()), ordinal_), "cuDeviceGetName");
  return text.data();
}

std::pair<int, int> Device::compute_capability() const {
  const int capability = device_compute_capability(ordinal_);
  return {capability / 10, capability % 10};
}

std::string Device::arch() const { return "sm_" + std::to_string(device_compute_capability(ordinal_)); }

std::size_t Device::total_memory() const {
  std::size_t bytes = 0;
  check_driver(Driver::get().device_total_mem(&bytes, ordinal_), "cuDeviceTotalMem");
  return bytes;
}

std::string Device::uuid() const {
  CUuuid uuid = {};
  check_driver(DriverExtras::get().device_get_uuid(&uuid, ordinal_), "cuDeviceGetUuid");
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

std::string Device::pci_bus_id() const {
  std::array<char, 32> text = {};
  check_driver(DriverExtras::get().device_get_pci_bus_id(text.data(), static_cast<int>(text.size()), ordinal_),
               "cuDeviceGetPCIBusId");
  return text.data();
}

int Device::attribute(int device_attribute) const {
  return ask_attribute(ordinal_, static_cast<CUdevice_attribute>(device_attribute));
}

void Device::make_current() const {
  CUcontext context = primary_context(ordinal_);
  check_driver(Driver::get().ctx_set_current(context), "cuCtxSetCurrent");
}

}  // namespace kiln
