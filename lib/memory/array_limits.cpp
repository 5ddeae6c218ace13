#include "memory/array_limits.hpp"

#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "toolkit/driver/array_kind.hpp"

#include <kiln/device.hpp>

#include <cuda.h>

#include <algorithm>
#include <array>

namespace kiln {

namespace {

struct Check {
  std::string owner;
  const ArrayDescriptor& descriptor;
  Device device;

  bool has(ArrayFlags flag) const { return has_flags(descriptor.flags, flag); }
  std::string text(std::size_t size) const { return std::to_string(size); }

  void shape() const {
    const auto& [width, height, depth, format, num_channels, flags] = descriptor;
    if (width == 0) refuse(owner + ": width", "at least 1", "0");
    if (has(ArrayFlags::cubemap)) return cubemap();
    if (has(ArrayFlags::layered) && depth == 0)
      refuse(owner + ": depth, the number of layers", "at least 1", "0", " with ArrayFlags::layered");
    if (!has(ArrayFlags::layered) && height == 0 && depth != 0)
      refuse(owner + ": height", "at least 1 with a depth", "0",
             "; a 1-D array of layers is told by ArrayFlags::layered");
    if (has(ArrayFlags::texture_gather) && (height == 0 || depth != 0))
      refuse(owner + ": flags", "ArrayFlags::texture_gather with 2-D arrays only", describe(descriptor));
  }

  void cubemap() const {
    const auto& [width, height, depth, format, num_channels, flags] = descriptor;
    if (height != width)
      refuse(owner + ": height", "the width, " + text(width) + ", for a cubemap has square faces", text(height));
    if (has(ArrayFlags::texture_gather))
      refuse(owner + ": flags", "ArrayFlags::texture_gather with 2-D arrays only", describe(descriptor));
    if (has(ArrayFlags::layered) ? depth == 0 || depth % 6 != 0 : depth != 6)
      refuse(owner + ": depth",
             has(ArrayFlags::layered) ? "a multiple of 6, the faces of the cubemaps" : "6, the faces", text(depth),
             has(ArrayFlags::layered) ? "" : "; several cubemaps need ArrayFlags::layered too");
  }

  /// Empty where it fits, else what is too large.
  std::string excess(const ArrayKind::Limits& limits, const char* use) const {
    const std::array<std::size_t, 3> sizes = {descriptor.width, descriptor.height, descriptor.depth};
    constexpr std::array<const char*, 3> names = {"width", "height", "depth"};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const int limit = limits[i] != 0 ? device.attribute(limits[i]) : 0;
      if (limit > 0 && sizes[i] > static_cast<std::size_t>(limit))
        return std::string(names[i]) + " of at most " + std::to_string(limit) + use;
    }
    return {};
  }

  void size(const ArrayKind& kind) const {
    std::string wanted = excess(kind.texture, "");
    const bool has_alternate = kind.texture_alternate[0] != 0;
    if (has_alternate && !wanted.empty() && excess(kind.texture_alternate, "").empty()) wanted.clear();
    if (wanted.empty() && has(ArrayFlags::surface_load_store)) wanted = excess(kind.surface, " for a surface");
    if (!wanted.empty())
      refuse(owner + ": size", wanted, describe(descriptor),
             " (the limit of device " + std::to_string(device.ordinal()) + ")");
  }
};

}  // namespace

std::string name_of(ArrayFormat format) {
  switch (format) {
    case ArrayFormat::unsigned_int8:
      return "unsigned_int8";
    case ArrayFormat::unsigned_int16:
      return "unsigned_int16";
    case ArrayFormat::unsigned_int32:
      return "unsigned_int32";
    case ArrayFormat::signed_int8:
      return "signed_int8";
    case ArrayFormat::signed_int16:
      return "signed_int16";
    case ArrayFormat::signed_int32:
      return "signed_int32";
    case ArrayFormat::half:
      return "half";
    case ArrayFormat::float32:
      return "float32";
  }
  return {};
}

std::string describe(const ArrayDescriptor& descriptor) {
  std::string text = std::to_string(descriptor.width);
  if (descriptor.height != 0) text += " x " + std::to_string(descriptor.height);
  if (descriptor.depth != 0) text += " x " + std::to_string(descriptor.depth);
  if (has_flags(descriptor.flags, ArrayFlags::layered)) text += " layered";
  text += has_flags(descriptor.flags, ArrayFlags::cubemap) ? " cubemap of " : " array of ";
  return text + std::to_string(descriptor.num_channels) + " x " + name_of(descriptor.format);
}

void check_element(const std::string& owner, ArrayFormat format, unsigned num_channels) {
  if (name_of(format).empty())
    refuse(owner + ": format", "a member of ArrayFormat", "the number " + std::to_string(static_cast<int>(format)));
  if (num_channels == 3)
    refuse(owner + ": num_channels", "1, 2 or 4", "3",
           "; the hardware has no elements of three channels: use 4 and leave one unused");
  if (num_channels != 1 && num_channels != 2 && num_channels != 4)
    refuse(owner + ": num_channels", "1, 2 or 4", std::to_string(num_channels));
}

void check_array(const ArrayDescriptor& descriptor, int device, bool mipmapped) {
  const Check check = {mipmapped ? "MipmappedArray" : "Array", descriptor, Device(device)};
  check_element(check.owner, descriptor.format, descriptor.num_channels);
  check.shape();
  check.size(array_kind(driver_descriptor(descriptor), mipmapped));
}

}  // namespace kiln
