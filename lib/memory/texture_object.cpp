#include "base/argument_error.hpp"
#include "memory/array_impl.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>
#include <kiln/texture_object.hpp>

#include <cuda.h>

#include <algorithm>
#include <string>

namespace kiln {

namespace {

/// Whether elements are integers.
bool is_integer(ArrayFormat format) { return format != ArrayFormat::half && format != ArrayFormat::float32; }

// Which ways to read a texture there are for which memory.

/// What the rules of textures depend on.
struct TextureSource {
  ArrayFormat format;
  /// 1 to 3, layers not counted; 0 for a cubemap, whose coordinates are a direction.
  unsigned dimensions;
  bool is_cubemap = false;
  bool is_mipmapped = false;
  /// Read with tex1Dfetch.
  bool is_linear = false;
};

const char* name_of(AddressMode mode) {
  return mode == AddressMode::wrap ? "AddressMode::wrap" : "AddressMode::mirror";
}

void check_coordinates(const TextureDescriptor& descriptor, const TextureSource& source) {
  if (source.is_mipmapped && !descriptor.normalized_coords)
    refuse("TextureObject: normalized_coords", "true for a mipmapped array", "false");
  if (source.is_linear && descriptor.normalized_coords)
    refuse("TextureObject: normalized_coords", "false for linear memory, which is read by element numbers", "true",
           ": copy it into a 1-D Array to read it otherwise");
  if (descriptor.normalized_coords) return;
  for (unsigned i = 0; i < source.dimensions; ++i) {
    const AddressMode mode = descriptor.address_mode[i];
    if (mode != AddressMode::wrap && mode != AddressMode::mirror) continue;
    refuse(std::string("TextureObject: address_mode of ") + static_cast<char>('x' + i),
           "clamp or border without normalised coordinates", name_of(mode),
           source.is_linear ? "" : ": set normalized_coords, and let coordinates run from 0 to 1");
  }
}

void check_reading(const TextureDescriptor& descriptor, const TextureSource& source) {
  const bool normalized = descriptor.read_mode == ReadMode::normalized_float;
  const bool integer = is_integer(source.format);
  if (normalized && integer && channel_size(source.format) == 4)
    refuse("TextureObject: read_mode",
           "ReadMode::element_type, for only 8 and 16 bits can be read as normalised floats",
           "ReadMode::normalized_float of " + kiln::name_of(source.format));
  if (descriptor.srgb && (!normalized || source.format != ArrayFormat::unsigned_int8))
    refuse("TextureObject: srgb", "unsigned_int8 read with ReadMode::normalized_float",
           kiln::name_of(source.format) + (normalized ? "" : " read with ReadMode::element_type"));
  const bool linear = descriptor.filter_mode == FilterMode::linear ||
                      (source.is_mipmapped && descriptor.mipmap_filter_mode == FilterMode::linear);
  if (linear && integer && !normalized)
    refuse(descriptor.filter_mode == FilterMode::linear ? "TextureObject: filter_mode"
                                                        : "TextureObject: mipmap_filter_mode",
           "FilterMode::point, for integers that are read as they are have no mean",
           "FilterMode::linear of " + kiln::name_of(source.format),
           channel_size(source.format) < 4 ? ": read them with ReadMode::normalized_float, or use a float format"
                                           : ": use a float format");
  if (source.is_linear && descriptor.filter_mode == FilterMode::linear)
    refuse("TextureObject: filter_mode", "FilterMode::point for linear memory", "FilterMode::linear",
           ": copy it into a 1-D Array to filter it");
}

void check_at_most(const char* what, std::size_t given, std::size_t limit, int device) {
  if (given == 0) refuse(std::string("TextureObject: ") + what, "at least 1", "0");
  if (limit == 0 || given <= limit) return;  // a driver that reports no limit checks itself
  refuse(std::string("TextureObject: ") + what, "at most " + std::to_string(limit), std::to_string(given),
         " (the limit of device " + std::to_string(device) + ")");
}

void check_multiple(const char* what, unsigned long long given, std::size_t alignment, const char* advice) {
  if (alignment != 0 && given % alignment != 0)
    refuse(std::string("TextureObject: ") + what, "a multiple of " + std::to_string(alignment) + " bytes",
           std::to_string(given), advice);
}

void check_place(CUdeviceptr pointer, int device) {
  if (pointer == 0) refuse("TextureObject: pointer", "an address of device memory", "null");
  int owner = device;
  const CUresult result =
      DriverExtras::get().pointer_get_attribute(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer);
  if (result == CUDA_ERROR_INVALID_VALUE || owner < 0)
    refuse("TextureObject: pointer", "an address of device memory", "one that the driver does not know",
           ": memory of the host is copied into a DeviceBuffer first");
  check_work(result, "cuPointerGetAttribute", " for a texture's memory");
  if (owner != device)
    refuse("TextureObject: pointer", "memory of the current device, " + std::to_string(device),
           "memory of device " + std::to_string(owner), ": make that device current");
}

std::size_t attribute(int device, CUdevice_attribute which) {
  const int value = Device(device).attribute(which);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

std::size_t linear_limit(const detail::TextureMemory& memory, int device) {
  std::size_t elements = 0;
  const CUresult result = DriverExtras::get().device_get_texture_1d_linear_max_width(
      &elements, static_cast<CUarray_format>(memory.format), memory.num_channels, device);
  if (result == CUDA_ERROR_NOT_SUPPORTED)  // before CUDA 11.1
    return attribute(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  check_work(result, "cuDeviceGetTexture1DLinearMaxWidth");
  return elements;
}

TextureSource texture_source(const ArrayDescriptor& descriptor) {
  TextureSource source = {descriptor.format, descriptor.height == 0 ? 1U : 2U};
  source.is_cubemap = has_flags(descriptor.flags, ArrayFlags::cubemap);
  if (source.is_cubemap) source.dimensions = 0;
  if (descriptor.depth != 0 && !source.is_cubemap && !has_flags(descriptor.flags, ArrayFlags::layered))
    source.dimensions = 3;
  return source;
}

/// Throws ArgumentError that names the member which does not go with the source.
void check_texture(const TextureDescriptor& descriptor, const TextureSource& source) {
  check_coordinates(descriptor, source);
  check_reading(descriptor, source);
  if (descriptor.seamless_cubemap && !source.is_cubemap)
    refuse("TextureObject: seamless_cubemap", "an array with ArrayFlags::cubemap", "another");
  if (source.is_mipmapped && !(descriptor.min_mipmap_level_clamp <= descriptor.max_mipmap_level_clamp))
    refuse("TextureObject: min_mipmap_level_clamp",
           "at most max_mipmap_level_clamp, " + std::to_string(descriptor.max_mipmap_level_clamp),
           std::to_string(descriptor.min_mipmap_level_clamp));
}

/// Throws ArgumentError, naming what is wrong, unless the device can read such memory as a texture.
void check_texture_memory(const detail::TextureMemory& memory, int device) {
  check_element("TextureObject", memory.format, memory.num_channels);
  check_place(memory.pointer, device);
  check_multiple("pointer", memory.pointer, attribute(device, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT),
                 ": begin at the start of an allocation, and let the kernel add the offset");
  if (memory.pitch == 0) return check_at_most("size", memory.width, linear_limit(memory, device), device);
  check_at_most("width", memory.width, attribute(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH), device);
  check_at_most("height", memory.height, attribute(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT),
                device);
  check_at_most("pitch", memory.pitch, attribute(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH), device);
  check_multiple("pitch", memory.pitch, attribute(device, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT),
                 ": cuMemAllocPitch tells a pitch that fits");
  const std::size_t row = memory.width * channel_size(memory.format) * memory.num_channels;
  if (memory.pitch < row)
    refuse("TextureObject: pitch", "at least a row, " + std::to_string(row) + " bytes", std::to_string(memory.pitch));
}

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
