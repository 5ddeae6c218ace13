// The numbers that the devices of recorded states have here.
#pragma once

#include "cache/dependencies.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace kiln {

/// Each distinct device of the dependencies' states, in the order of first use.
DeviceNumbers devices_of(const Dependencies& dependencies);

/// The dependencies with the index of each device in devices_of() instead of its number.
Dependencies with_device_indices(Dependencies dependencies);
/// The reverse. False where an index is beyond the numbers.
bool give_devices(Dependencies& dependencies, const DeviceNumbers& numbers);

/// Which number each recorded device has now, as status calls show it.
class DeviceMap {
 public:
  /// False where the device was seen with another number: what is one file system in the record is two now.
  bool note(std::uint64_t recorded, std::uint64_t now);
  std::uint64_t now(std::uint64_t recorded) const;
  /// The recorded devices that have numbers with which contents were never compared.
  DeviceNumbers unknown(const Dependencies& dependencies) const;
  void apply(Dependencies& dependencies) const;

 private:
  bool is_identity() const;

  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;  // recorded, now
};

}  // namespace kiln
