#include "emulator/texture/texture.hpp"

#include "emulator/core/call_error.hpp"
#include "emulator/core/device_attributes.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/texture/objects.hpp"

#include <cmath>

namespace kiln::emulator {
namespace {

[[noreturn]] void refuse_texture(const std::string& why) { throw CallError(CUDA_ERROR_INVALID_VALUE, why); }

std::uint64_t texture_limit(const Texture& texture, CUdevice_attribute attribute) {
  return static_cast<std::uint64_t>(device_attribute(texture.owner.device, attribute));
}

void check_texture_place(const Texture& texture, CUdeviceptr pointer, std::uint64_t bytes) {
  if (pointer == 0 || pointer % texture_limit(texture, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0)
    refuse_texture("a texture's memory begins at a multiple of 512 bytes");
  const auto allocation = AddressSpace::get().find(pointer);
  if (!allocation || bytes > allocation->size - (pointer - allocation->base))
    refuse_texture("a texture's memory lies in no allocation");
}

void look_at_array(Texture& texture, std::shared_ptr<const Array> array) {
  texture.layered = array->has(CUDA_ARRAY3D_LAYERED);
  texture.cubemap = array->has(CUDA_ARRAY3D_CUBEMAP);
  texture.levels.push_back(array->texels());
  texture.arrays.push_back(std::move(array));
}

void look_at_linear(Texture& texture) {
  const auto& linear = texture.resource.res.linear;
  Texels texels;
  texels.element = element_of(linear.format, linear.numChannels);
  const std::uint64_t elements = linear.sizeInBytes / texels.element.size();
  if (elements == 0 || elements > texture_limit(texture, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH))
    refuse_texture("a texture over " + std::to_string(elements) + " elements of linear memory");
  check_texture_place(texture, linear.devPtr, linear.sizeInBytes);
  texels.data = reinterpret_cast<std::byte*>(linear.devPtr);
  texels.width = static_cast<std::uint32_t>(elements);
  texels.row_bytes = texels.slice_bytes = texels.width_bytes();
  texture.linear_memory = true;
  texture.levels.push_back(texels);
}

void look_at_pitched(Texture& texture) {
  const auto& pitched = texture.resource.res.pitch2D;
  Texels texels;
  texels.element = element_of(pitched.format, pitched.numChannels);
  if (pitched.width == 0 ||
      pitched.width > texture_limit(texture, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH) ||
      pitched.height == 0 ||
      pitched.height > texture_limit(texture, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT))
    refuse_texture("a texture over pitched memory of " + std::to_string(pitched.width) + " x " +
                   std::to_string(pitched.height));
  texels.width = static_cast<std::uint32_t>(pitched.width);
  texels.height = static_cast<std::uint32_t>(pitched.height);
  texels.row_bytes = pitched.pitchInBytes;
  texels.slice_bytes = texels.row_bytes * texels.height;
  if (texels.row_bytes < texels.width_bytes() ||
      texels.row_bytes % texture_limit(texture, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT) != 0 ||
      texels.row_bytes > texture_limit(texture, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH))
    refuse_texture("a texture's pitch is a multiple of 32, not less than a row and at most 2097120; not " +
                   std::to_string(texels.row_bytes));
  check_texture_place(texture, pitched.devPtr, texels.row_bytes * (texels.height - 1) + texels.width_bytes());
  texels.data = reinterpret_cast<std::byte*>(pitched.devPtr);
  texture.levels.push_back(texels);
}

void look_at_resource(Texture& texture) {
  if (texture.resource.flags != 0) refuse_texture("the flags of a resource are 0");
  switch (texture.resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      return look_at_array(texture, array_of(texture.resource.res.array.hArray));
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      texture.mipmapped = true;
      for (const auto& level : mipmapped_array_of(texture.resource.res.mipmap.hMipmappedArray)->levels)
        look_at_array(texture, level);
      return;
    case CU_RESOURCE_TYPE_LINEAR:
      return look_at_linear(texture);
    case CU_RESOURCE_TYPE_PITCH2D:
      return look_at_pitched(texture);
    default:
      refuse_texture("a resource of an unknown type");
  }
}

void set_sampler(Texture& texture) {
  const CUDA_TEXTURE_DESC& descriptor = texture.descriptor;
  constexpr unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                             CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  if ((descriptor.flags & ~known) != 0) refuse_texture("a texture flag that is not known");
  const auto has = [&](unsigned flag) { return (descriptor.flags & flag) != 0; };
  const Element stored = texture.levels.front().element;
  texture.element = has(CU_TRSF_READ_AS_INTEGER) ? stored : promoted(stored);
  texture.normalized = has(CU_TRSF_NORMALIZED_COORDINATES) && !texture.linear_memory;
  texture.srgb = has(CU_TRSF_SRGB);
  texture.linear = descriptor.filterMode == CU_TR_FILTER_MODE_LINEAR && !texture.linear_memory;
  texture.seamless = has(CU_TRSF_SEAMLESS_CUBEMAP);
  if (texture.mipmapped && !texture.normalized) refuse_texture("a mipmapped array is read by normalised coordinates");
  if (texture.seamless && !texture.cubemap) refuse_texture("CU_TRSF_SEAMLESS_CUBEMAP is for cubemaps");
  const bool mixes_levels = texture.mipmapped && descriptor.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
  if ((texture.linear || mixes_levels) && texture.element.integer())
    refuse_texture("integers that are read as they are cannot be filtered");
  for (std::size_t i = 0; i < 3; ++i) {
    const CUaddress_mode mode = descriptor.addressMode[i];
    if (static_cast<unsigned>(mode) > CU_TR_ADDRESS_MODE_BORDER) refuse_texture("an address mode that is not known");
    // Wrap and mirror need normalised coordinates. Without them they mean clamp.
    const bool repeats = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
    const bool clamped = texture.seamless || (repeats && !texture.normalized && !texture.cubemap);
    texture.address_mode[i] = clamped ? CU_TR_ADDRESS_MODE_CLAMP : mode;
  }
}

}  // namespace

std::string Texture::fault() const {
  for (const std::shared_ptr<const Array>& array : arrays)
    if (array->gone()) return "a texture object whose " + array->text() + " was destroyed";
  if (!arrays.empty()) return {};
  const Texels& texels = levels.front();
  const auto begin = reinterpret_cast<std::uint64_t>(texels.data);
  const std::uint64_t last = begin + texels.row_bytes * (texels.height - 1) + texels.width_bytes() - 1;
  AddressSpace& space = AddressSpace::get();
  if (space.readable(begin, 1) && space.readable(last, 1)) return {};
  return "a texture object whose memory was freed";
}

std::shared_ptr<Texture> make_texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& descriptor,
                                      Owner owner) {
  const auto texture = std::make_shared<Texture>();
  texture->resource = resource;
  texture->descriptor = descriptor;
  texture->owner = owner;
  look_at_resource(*texture);
  set_sampler(*texture);
  return texture;
}

std::string Surface::fault() const {
  return array->gone() ? "a surface object whose " + array->text() + " was destroyed" : std::string();
}

std::shared_ptr<Surface> make_surface(const CUDA_RESOURCE_DESC& resource, Owner owner) {
  if (resource.resType != CU_RESOURCE_TYPE_ARRAY || resource.flags != 0)
    refuse_texture("a surface is made over an array, and the flags of its resource are 0");
  const auto surface = std::make_shared<Surface>();
  surface->resource = resource;
  surface->owner = owner;
  surface->array = array_of(resource.res.array.hArray);
  if (!surface->array->has(CUDA_ARRAY3D_SURFACE_LDST))
    refuse_texture("a surface over a " + surface->array->text() + " that was made without CUDA_ARRAY3D_SURFACE_LDST");
  return surface;
}

}  // namespace kiln::emulator
