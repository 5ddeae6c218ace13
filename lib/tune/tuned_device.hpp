// What tuning knows of the process's devices.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kiln {

/// One device. A plain value.
struct TunedDevice {
  int ordinal;
  int kind;  // the same for devices of one name; detail::any_device where all have one
  std::string name;
  std::string arch;  // "sm_90"
  int driver;        // 13000 is 13.0
  std::map<std::string, int> attributes;
};

/// All of them, queried once per process. Throws ToolkitError or DriverError where there is none that can be used.
const std::vector<TunedDevice>& tuned_devices();

}  // namespace kiln
