#include "emulator/texture/array_limits.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/device_attributes.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace kiln::emulator {
namespace {

/// The attributes of the largest width, height and depth (0: the size must be 0).
using Limits = std::array<int, 3>;
struct KindLimits {
  Limits texture, surface;
};

constexpr Limits surface_1d = {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH};
constexpr Limits surface_2d = {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
                               CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT};
constexpr KindLimits of_1d = {{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH}, surface_1d};
constexpr KindLimits of_1d_mipmapped = {{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH}, surface_1d};
constexpr KindLimits of_2d = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT}, surface_2d};
constexpr KindLimits of_2d_mipmapped = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT},
    surface_2d};
constexpr KindLimits of_2d_gather = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT},
    surface_2d};
constexpr KindLimits of_3d = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH}};
constexpr Limits of_3d_alternate = {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE};
constexpr KindLimits of_1d_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 0, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 0, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS}};
constexpr KindLimits of_2d_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS}};
// The depth of a cubemap is always 6: any limit of at least that will do.
constexpr KindLimits of_cubemap = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}};
constexpr KindLimits of_cubemap_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}};

const KindLimits& limits_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped) {
  const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) return layered ? of_cubemap_layered : of_cubemap;
  if (layered) return descriptor.Height == 0 ? of_1d_layered : of_2d_layered;
  if (descriptor.Depth != 0) return of_3d;
  if (descriptor.Height == 0) return mipmapped ? of_1d_mipmapped : of_1d;
  if ((descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0) return of_2d_gather;
  return mipmapped ? of_2d_mipmapped : of_2d;
}

bool fits(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const Limits& limits, int device) {
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
  const KindLimits& limits = limits_of(descriptor, mipmapped);
  if (!fits(descriptor, limits.texture, device) && (&limits != &of_3d || !fits(descriptor, of_3d_alternate, device)))
    refuse_array(descriptor, "beyond the limits of arrays of its kind");
  if (has(CUDA_ARRAY3D_SURFACE_LDST) && !fits(descriptor, limits.surface, device))
    refuse_array(descriptor, "beyond the limits of surfaces of its kind");
}

}  // namespace kiln::emulator
