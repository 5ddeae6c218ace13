#include "emulator/texture/array_limits.hpp"

#include "emulator/provider/call.hpp"

#include <array>
#include <string>

namespace kiln::emulator {
namespace {

struct AttributeRow {
  CUdevice_attribute attribute;
  int value;
};

constexpr AttributeRow attribute_rows[] = {
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
    {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 268435456},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 65000},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, 2097120},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 8192},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 8192},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 2046},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 2046},
};

/// Most width, height and depth; 0: must be 0.
using Extent = std::array<std::size_t, 3>;
struct KindLimits {
  Extent texture, surface;
};

constexpr KindLimits of_1d = {{131072, 0, 0}, {32768, 0, 0}};
constexpr KindLimits of_1d_mipmapped = {{32768, 0, 0}, {32768, 0, 0}};
constexpr KindLimits of_2d = {{131072, 65536, 0}, {131072, 65536, 0}};
constexpr KindLimits of_2d_small = {{32768, 32768, 0}, {32768, 32768, 0}};  // mipmapped, or for gathers
constexpr KindLimits of_3d = {{16384, 16384, 16384}, {16384, 16384, 16384}};
constexpr Extent of_3d_alternate = {8192, 8192, 32768};
constexpr KindLimits of_1d_layered = {{32768, 0, 2048}, {32768, 0, 2048}};
constexpr KindLimits of_2d_layered = {{32768, 32768, 2048}, {32768, 32768, 2048}};
constexpr KindLimits of_cubemap = {{32768, 32768, 6}, {32768, 32768, 6}};
constexpr KindLimits of_cubemap_layered = {{32768, 32768, 2046}, {32768, 32768, 2046}};

const KindLimits& limits_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped) {
  const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) return layered ? of_cubemap_layered : of_cubemap;
  if (layered) return descriptor.Height == 0 ? of_1d_layered : of_2d_layered;
  if (descriptor.Depth != 0) return of_3d;
  if (descriptor.Height == 0) return mipmapped ? of_1d_mipmapped : of_1d;
  return mipmapped || (descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0 ? of_2d_small : of_2d;
}

bool fits(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const Extent& limit) {
  const Extent size = {descriptor.Width, descriptor.Height, descriptor.Depth};
  for (std::size_t i = 0; i < size.size(); ++i)
    if (size[i] > limit[i] || (size[i] == 0) != (limit[i] == 0)) return false;
  return true;
}

[[noreturn]] void refuse(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const char* why) {
  throw CallError(CUDA_ERROR_INVALID_VALUE, "an array of " + std::to_string(descriptor.Width) + " x " +
                                                std::to_string(descriptor.Height) + " x " +
                                                std::to_string(descriptor.Depth) + ", flags " +
                                                std::to_string(descriptor.Flags) + ": " + why);
}

}  // namespace

std::optional<int> texture_attribute(CUdevice_attribute attribute) {
  for (const AttributeRow& row : attribute_rows)
    if (row.attribute == attribute) return row.value;
  return std::nullopt;
}

void check_shape(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped) {
  constexpr unsigned done = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                            CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  constexpr unsigned known = done | CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                             CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
  if ((descriptor.Flags & ~known) != 0) refuse(descriptor, "a flag that is not known");
  if ((descriptor.Flags & ~done) != 0)
    throw CallError(CUDA_ERROR_NOT_SUPPORTED, "the emulator has no depth, sparse, deferred or video arrays");
  const bool cubemap = (descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  if (cubemap && descriptor.Width != descriptor.Height) refuse(descriptor, "the faces of a cubemap are squares");
  if (cubemap && descriptor.Depth % 6 != 0) refuse(descriptor, "a cubemap has six faces");
  if ((descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0 &&
      (descriptor.Height == 0 || descriptor.Depth != 0 || cubemap))
    refuse(descriptor, "gathers are for 2-D arrays");
  const KindLimits& limits = limits_of(descriptor, mipmapped);
  const bool fitting =
      fits(descriptor, limits.texture) || (&limits == &of_3d && !mipmapped && fits(descriptor, of_3d_alternate));
  if (!fitting) refuse(descriptor, "beyond the limits of arrays of its kind");
  if ((descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST) != 0 && !fits(descriptor, limits.surface))
    refuse(descriptor, "beyond the limits of surfaces of its kind");
}

}  // namespace kiln::emulator
