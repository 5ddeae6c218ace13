#include <kiln/texture_object.hpp>

#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/texture_check.hpp"

#include <algorithm>

namespace kiln {

namespace {

struct OwnedTexture {
  OwnedTexture() = default;
  ~OwnedTexture() {
    if (handle != 0) release_in(context, [&](const DriverExtras& driver) { return driver.tex_object_destroy(handle); });
  }
  OwnedTexture(const OwnedTexture&) = delete;
  OwnedTexture& operator=(const OwnedTexture&) = delete;

  CUtexObject handle = 0;
  CUcontext context = nullptr;
  /// The array's implementation, where there is one.
  std::shared_ptr<const void> memory;
};

CUDA_TEXTURE_DESC driver_descriptor(const TextureDescriptor& descriptor, ArrayFormat format, unsigned levels) {
  CUDA_TEXTURE_DESC result = {};
  for (std::size_t i = 0; i < 3; ++i) result.addressMode[i] = static_cast<CUaddress_mode>(descriptor.address_mode[i]);
  result.filterMode = static_cast<CUfilter_mode>(descriptor.filter_mode);
  const auto set = [&](bool wanted, unsigned flag) { result.flags |= wanted ? flag : 0; };
  set(descriptor.read_mode == ReadMode::element_type && is_integer(format), CU_TRSF_READ_AS_INTEGER);
  set(descriptor.normalized_coords, CU_TRSF_NORMALIZED_COORDINATES);
  set(descriptor.srgb, CU_TRSF_SRGB);
  set(descriptor.disable_trilinear_optimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
  set(descriptor.seamless_cubemap, CU_TRSF_SEAMLESS_CUBEMAP);
  result.maxAnisotropy = descriptor.max_anisotropy;
  result.mipmapFilterMode = static_cast<CUfilter_mode>(descriptor.mipmap_filter_mode);
  if (levels != 0) {
    const float last = static_cast<float>(levels - 1);
    result.mipmapLevelBias = descriptor.mipmap_level_bias;
    result.minMipmapLevelClamp = std::min(descriptor.min_mipmap_level_clamp, last);
    result.maxMipmapLevelClamp = std::min(descriptor.max_mipmap_level_clamp, last);
  }
  std::copy(descriptor.border_color.begin(), descriptor.border_color.end(), result.borderColor);
  return result;
}

/// In the context that is current.
std::shared_ptr<const CUtexObject> create(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& descriptor,
                                          CUcontext context, std::shared_ptr<const void> memory,
                                          const std::string& of) {
  const auto texture = std::make_shared<OwnedTexture>();
  texture->context = context;
  texture->memory = std::move(memory);
  check_work(DriverExtras::get().tex_object_create(&texture->handle, &resource, &descriptor, nullptr),
             "cuTexObjectCreate", " for a texture over " + of);
  return {texture, &texture->handle};
}

}  // namespace

TextureObject::TextureObject(const Array& array, const TextureDescriptor& descriptor) {
  const std::shared_ptr<const Array::Impl>& impl = array.shared();
  check_texture(descriptor, texture_source(impl->descriptor));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = impl->handle;
  const ContextGuard guard(impl->context);
  handle_ = create(resource, driver_descriptor(descriptor, impl->descriptor.format, 0), impl->context, impl,
                   "a " + describe(impl->descriptor));
}

TextureObject::TextureObject(const MipmappedArray& array, const TextureDescriptor& descriptor) {
  const std::shared_ptr<const MipmappedArray::Impl>& impl = array.shared();
  TextureSource source = texture_source(impl->descriptor);
  source.is_mipmapped = true;
  check_texture(descriptor, source);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = impl->handle;
  const ContextGuard guard(impl->context);
  handle_ = create(resource, driver_descriptor(descriptor, impl->descriptor.format, impl->levels), impl->context, impl,
                   "a mipmapped " + describe(impl->descriptor));
}

TextureObject::TextureObject(const detail::TextureMemory& memory, const TextureDescriptor& descriptor) {
  TextureSource source = {memory.format, memory.pitch != 0 ? 2U : 1U};
  source.is_linear = memory.pitch == 0;
  check_texture(descriptor, source);
  CUcontext context = require_context();
  check_texture_memory(memory, current_device());
  CUDA_RESOURCE_DESC resource = {};
  if (source.is_linear) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory.pointer;
    resource.res.linear.format = static_cast<CUarray_format>(memory.format);
    resource.res.linear.numChannels = memory.num_channels;
    resource.res.linear.sizeInBytes = memory.width * channel_size(memory.format) * memory.num_channels;
  } else {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = memory.pointer;
    resource.res.pitch2D.format = static_cast<CUarray_format>(memory.format);
    resource.res.pitch2D.numChannels = memory.num_channels;
    resource.res.pitch2D.width = memory.width;
    resource.res.pitch2D.height = memory.height;
    resource.res.pitch2D.pitchInBytes = memory.pitch;
  }
  handle_ = create(resource, driver_descriptor(descriptor, memory.format, 0), context, nullptr,
                   source.is_linear ? "linear memory" : "pitched memory");
}

}  // namespace kiln
