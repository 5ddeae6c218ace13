#include "emulator/core/visible_devices.hpp"

#include "base/text_parts.hpp"
#include "emulator/core/device_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace kiln::emulator {
namespace {

// A driver reads digits as far as they go: "1st" is 1.
std::optional<int> index_in(std::string_view text, int on_machine) {
  text = trimmed(text);
  if (text.substr(0, 1) == "+") text.remove_prefix(1);
  int index = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || index < 0 || index >= on_machine) return std::nullopt;
  return index;
}

std::optional<int> device_of_uuid(std::string_view beginning, int on_machine) {
  std::optional<int> found;
  for (int number = 0; number < on_machine; ++number) {
    if (!uuid_text(number).starts_with(beginning)) continue;
    if (found) return std::nullopt;  // it is the beginning of several
    found = number;
  }
  return found;
}

}  // namespace

std::string uuid_text(int number) {
  constexpr const char* digits = "0123456789abcdef";
  const CUuuid uuid = device_uuid(number);
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    (text += digits[byte / 16]) += digits[byte % 16];
  }
  return text;
}

std::vector<int> visible_devices(const std::optional<std::string>& list, int on_machine) {
  std::vector<int> devices;
  if (!list) {
    devices.resize(static_cast<std::size_t>(on_machine));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  constexpr std::string_view uuid_prefix = "GPU-";
  const bool are_uuids = list->starts_with(uuid_prefix);
  for (std::string_view rest = *list; !rest.empty();) {
    const std::string_view part = next_part(rest, ',');
    const bool is_uuid = part.starts_with(uuid_prefix);
    if (is_uuid != are_uuids) break;  // the first one says how all are named
    const auto device = is_uuid ? device_of_uuid(part, on_machine) : index_in(part, on_machine);
    if (!device) break;
    if (std::find(devices.begin(), devices.end(), *device) != devices.end()) return {};
    devices.push_back(*device);
  }
  return devices;
}

}  // namespace kiln::emulator
