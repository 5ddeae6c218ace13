// The kinds of arrays, and by which of its attributes a device limits them.
#pragma once

#include <cuda.h>

#include <array>

namespace kiln {

struct ArrayKind {
  /// The attributes of the largest width, height and depth; 0 where arrays of this kind have no such size.
  using Limits = std::array<int, 3>;
  Limits texture;
  Limits surface;
  /// What a texture may keep within instead; zeros for most kinds.
  Limits texture_alternate = {};
};

namespace array_kinds {

inline constexpr ArrayKind::Limits surface_1d = {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH};
inline constexpr ArrayKind::Limits surface_2d = {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
                                                 CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT};
inline constexpr ArrayKind of_1d = {{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH}, surface_1d};
inline constexpr ArrayKind of_1d_mipmapped = {{CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH}, surface_1d};
inline constexpr ArrayKind of_2d = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT}, surface_2d};
inline constexpr ArrayKind of_2d_mipmapped = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT},
    surface_2d};
inline constexpr ArrayKind of_2d_gather = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT},
    surface_2d};
inline constexpr ArrayKind of_3d = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE}};
inline constexpr ArrayKind of_1d_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 0, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 0, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS}};
inline constexpr ArrayKind of_2d_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS}};
// The depth of a cubemap is always 6: any limit of at least that will do.
inline constexpr ArrayKind of_cubemap = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}};
inline constexpr ArrayKind of_cubemap_layered = {
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH,
     CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS}};

}  // namespace array_kinds

inline const ArrayKind& array_kind(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool mipmapped) {
  using namespace array_kinds;
  const bool layered = (descriptor.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((descriptor.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) return layered ? of_cubemap_layered : of_cubemap;
  if (layered) return descriptor.Height == 0 ? of_1d_layered : of_2d_layered;
  if (descriptor.Depth != 0) return of_3d;
  if (descriptor.Height == 0) return mipmapped ? of_1d_mipmapped : of_1d;
  if ((descriptor.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0) return of_2d_gather;
  return mipmapped ? of_2d_mipmapped : of_2d;
}

}  // namespace kiln
