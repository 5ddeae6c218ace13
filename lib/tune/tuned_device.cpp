#include "tune/tuned_device.hpp"

#include "toolkit/driver/driver.hpp"

#include <kiln/detail/tuned_launch.hpp>
#include <kiln/device.hpp>

namespace kiln {

namespace {

std::vector<TunedDevice> ask_for_devices() {
  std::vector<TunedDevice> devices;
  std::map<std::string, int> kinds;
  int version = 0;
  check_driver(Driver::get().driver_get_version(&version), "cuDriverGetVersion");
  for (int ordinal = 0; ordinal < Device::count(); ++ordinal) {
    const Device device(ordinal);
    const std::string name = device.name();
    const int kind = kinds.try_emplace(name, static_cast<int>(kinds.size())).first->second;
    devices.push_back({ordinal, kind, name, device.arch(), version, device.attributes()});
  }
  if (kinds.size() == 1)
    for (TunedDevice& device : devices) device.kind = detail::any_device;
  return devices;
}

}  // namespace

const std::vector<TunedDevice>& tuned_devices() {
  static const std::vector<TunedDevice>& devices =
      *new std::vector<TunedDevice>(ask_for_devices());  // used at exit, too
  return devices;
}

}  // namespace kiln
