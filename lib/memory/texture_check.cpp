#include "memory/texture_check.hpp"

#include "base/argument_error.hpp"
#include "memory/array_limits.hpp"
#include "memory/asynchronous_error.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <kiln/device.hpp>

#include <cuda.h>

#include <string>

namespace kiln {

namespace {

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
  if (limit == 0 || given <= limit) return;  // a driver that tells no limit checks by itself
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

}  // namespace

bool is_integer(ArrayFormat format) { return format != ArrayFormat::half && format != ArrayFormat::float32; }

TextureSource texture_source(const ArrayDescriptor& descriptor) {
  TextureSource source = {descriptor.format, descriptor.height == 0 ? 1U : 2U};
  source.is_cubemap = has_flags(descriptor.flags, ArrayFlags::cubemap);
  if (source.is_cubemap) source.dimensions = 0;
  if (descriptor.depth != 0 && !source.is_cubemap && !has_flags(descriptor.flags, ArrayFlags::layered))
    source.dimensions = 3;
  return source;
}

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

}  // namespace kiln
