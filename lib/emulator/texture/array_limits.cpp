#include "emulator/texture/array_limits.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/device_attributes.hpp"
#include "toolkit/driver/array_kind.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace kiln::emulator {
namespace {

bool fits(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const ArrayKind::Limits& limits, int device) {
  const std::array<std::size_t, 3> size = {descriptor.Width, descriptor.Height, descriptor.Depth};
  for (std::size_t i = 0; i < size.size(); ++i) {
    if ((size[i] == 0) != (limits[i] == 0)) return false;
    if (size[i] == 0) continue;
    const int most = device_attribute(device, static_cast<CUdevice_attribute>(limits[i]));
    if (size[i] > static_cast<std::size_t>(most)) return false;
  }
  return true;
}

[[noreturn]] void refuse_array(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const char* why) {
  throw CallError(CUDA_ERROR_INVALID_VALUE, "an array of " + std::to_string(descriptor.Width) + " x " +
                                                std::to_string(descriptor.Height) + " x " +
                                                std::to_string(descriptor.Depth) + ", flags " +
                                                std::to_string(descriptor.Flags) + ": " + why);
}

void check_flags(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  constexpr unsigned done = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                            CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  constexpr unsigned known = done | CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                             CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
  if ((descriptor.Flags & ~known) != 0) refuse_array(descriptor, "a flag that is not known");
  if ((descriptor.Flags & ~done) != 0)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "the emulator has no depth, sparse, deferred or video arrays");
}

}  // namespace

void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped, int device) {
  check_flags(descriptor);
  const auto has = [&](unsigned flag) { return (descriptor.Flags & flag) != 0; };
  if (has(CUDA_ARRAY3D_CUBEMAP)) {
    if (descriptor.Width != descriptor.Height) refuse_array(descriptor, "the faces of a cubemap are squares");
    if (has(CUDA_ARRAY3D_LAYERED) ? descriptor.Depth % 6 != 0 : descriptor.Depth != 6)
      refuse_array(descriptor, "a cubemap has six faces");
  }
  if (has(CUDA_ARRAY3D_TEXTURE_GATHER) && (descriptor.Height == 0 || descriptor.Depth != 0))
    refuse_array(descriptor, "gathers are for 2-D arrays");
  const ArrayKind& kind = array_kind(descriptor, mipmapped);
  const bool has_alternate = kind.texture_alternate[0] != 0;
  if (!fits(descriptor, kind.texture, device) && !(has_alternate && fits(descriptor, kind.texture_alternate, device)))
    refuse_array(descriptor, "beyond the limits of arrays of its kind");
  if (has(CUDA_ARRAY3D_SURFACE_LDST) && !fits(descriptor, kind.surface, device))
    refuse_array(descriptor, "beyond the limits of surfaces of its kind");
}

}  // namespace kiln::emulator
