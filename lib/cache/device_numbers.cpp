#include "cache/device_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kiln {

namespace {

template <class Change>
void change_devices(Dependencies& dependencies, const Change& change) {
  for (FileDependency& file : dependencies.files) change(file.status.device);
  for (FolderDependency& folder : dependencies.folders) change(folder.status.device);
}

std::size_t index_of(std::uint64_t device, DeviceNumbers& numbers) {
  const auto found = std::find(numbers.begin(), numbers.end(), device);
  const auto index = static_cast<std::size_t>(found - numbers.begin());
  if (found == numbers.end()) numbers.push_back(device);
  return index;
}

}  // namespace

DeviceNumbers devices_of(const Dependencies& dependencies) {
  DeviceNumbers numbers;
  for (const FileDependency& file : dependencies.files) index_of(file.status.device, numbers);
  for (const FolderDependency& folder : dependencies.folders) index_of(folder.status.device, numbers);
  return numbers;
}

Dependencies with_device_indices(Dependencies dependencies) {
  DeviceNumbers numbers;
  change_devices(dependencies, [&](std::uint64_t& device) { device = index_of(device, numbers); });
  return dependencies;
}

bool give_devices(Dependencies& dependencies, const DeviceNumbers& numbers) {
  bool all = true;
  change_devices(dependencies, [&](std::uint64_t& device) {
    if (device < numbers.size())
      device = numbers[static_cast<std::size_t>(device)];
    else
      all = false;
  });
  return all;
}

bool DeviceMap::note(std::uint64_t recorded, std::uint64_t now) {
  for (const auto& [known, number] : seen_)
    if (known == recorded) return number == now;
  seen_.emplace_back(recorded, now);
  return true;
}

std::uint64_t DeviceMap::now(std::uint64_t recorded) const {
  for (const auto& [known, number] : seen_)
    if (known == recorded) return number;
  return recorded;
}

bool DeviceMap::is_identity() const {
  return std::all_of(seen_.begin(), seen_.end(), [](const auto& pair) { return pair.first == pair.second; });
}

DeviceNumbers DeviceMap::unknown(const Dependencies& dependencies) const {
  DeviceNumbers all;
  if (is_identity()) return all;
  const DeviceNumbers recorded = devices_of(dependencies);
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const DeviceNumbers none;
    const auto& others = dependencies.other_devices;
    const DeviceNumbers& known = i < others.size() ? others[i] : none;
    const std::uint64_t number = now(recorded[i]);
    if (number != recorded[i] && std::find(known.begin(), known.end(), number) == known.end())
      all.push_back(recorded[i]);
  }
  return all;
}

void DeviceMap::apply(Dependencies& dependencies) const {
  if (is_identity()) return;
  change_devices(dependencies, [&](std::uint64_t& device) { device = now(device); });
}

}  // namespace kiln
