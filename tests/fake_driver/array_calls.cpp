// Arrays, mipmapped arrays, textures and surfaces. A texture's number means something in its own context only.
#include "fake_arrays.hpp"
#include "fake_state.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

using fake_cuda::ArrayStorage;
using fake_cuda::call;
using fake_cuda::capture_result;
using fake_cuda::Context;
using fake_cuda::current_context;
using fake_cuda::State;

namespace {

using Object = std::pair<const Context*, unsigned long long>;

// Guarded by the state's mutex.
struct Arrays {
  std::set<CUarray> owned;
  std::map<CUmipmappedArray, std::vector<CUarray>> mipmapped;
  std::set<Object> textures;
  std::set<Object> surfaces;
  std::map<const Context*, unsigned long long> last_number;
  std::map<CUarray, CUDA_ARRAY3D_DESCRIPTOR> descriptors;
  fake_cuda::Texture last_texture = {};
  CUDA_ARRAY3D_DESCRIPTOR last_array = {};
  unsigned last_levels = 0;

  static Arrays& get() {
    static Arrays& arrays = *new Arrays;
    return arrays;
  }
};

std::size_t element_size(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  switch (descriptor.Format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return descriptor.NumChannels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return std::size_t{2} * descriptor.NumChannels;
    default:
      return std::size_t{4} * descriptor.NumChannels;
  }
}

CUarray new_array(State& state, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  static std::uintptr_t last = 0xa0000000;
  auto* const handle = reinterpret_cast<CUarray>(last += 16);
  ArrayStorage& storage = state.arrays[handle];
  storage.row_bytes = descriptor.Width * element_size(descriptor);
  storage.height = std::max<std::size_t>(descriptor.Height, 1);
  storage.bytes.resize(storage.row_bytes * storage.height * std::max<std::size_t>(descriptor.Depth, 1));
  Arrays::get().descriptors[handle] = descriptor;
  return handle;
}

void forget(State& state, CUarray array) {
  state.arrays.erase(array);
  Arrays::get().descriptors.erase(array);
}

CUDA_ARRAY3D_DESCRIPTOR level_of(CUDA_ARRAY3D_DESCRIPTOR descriptor, unsigned level) {
  const bool layers = (descriptor.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  for (std::size_t* size : {&descriptor.Width, &descriptor.Height, &descriptor.Depth})
    if (*size != 0 && !(layers && size == &descriptor.Depth)) *size = std::max<std::size_t>(*size >> level, 1);
  return descriptor;
}

/// Numbers begin anew in each context, as the real driver's do.
unsigned long long new_object(std::set<Object>& objects) {
  const unsigned long long number = ++Arrays::get().last_number[current_context()];
  objects.emplace(current_context(), number);
  return number;
}

CUresult end_object(std::set<Object>& objects, unsigned long long number) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return objects.erase({current_context(), number}) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

bool knows(const State& state, const CUDA_RESOURCE_DESC& resource) {
  if (resource.resType == CU_RESOURCE_TYPE_ARRAY) return state.arrays.count(resource.res.array.hArray) != 0;
  if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    return Arrays::get().mipmapped.count(resource.res.mipmap.hMipmappedArray) != 0;
  return resource.res.linear.devPtr != 0;
}

template <class Body>
auto locked(const Body& body) {
  const std::lock_guard lock(State::get().mutex);
  return body(Arrays::get());
}

}  // namespace

namespace fake_cuda {

std::size_t live_arrays() {
  return locked([](const Arrays& arrays) { return arrays.owned.size(); });
}
std::size_t live_mipmapped_arrays() {
  return locked([](const Arrays& arrays) { return arrays.mipmapped.size(); });
}
std::size_t live_textures() {
  return locked([](const Arrays& arrays) { return arrays.textures.size(); });
}
std::size_t live_surfaces() {
  return locked([](const Arrays& arrays) { return arrays.surfaces.size(); });
}
Texture last_texture() {
  return locked([](const Arrays& arrays) { return arrays.last_texture; });
}
CUDA_ARRAY3D_DESCRIPTOR last_array() {
  return locked([](const Arrays& arrays) { return arrays.last_array; });
}
unsigned last_levels() {
  return locked([](const Arrays& arrays) { return arrays.last_levels; });
}

int texture_attribute(CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      return 16;  // a large GPU's is 512, which the host's allocations do not have
    case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT:
      return 32;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH:
      return 131072;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT:
      return 65000;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH:
      return 2097120;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT:
      return 65536;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH:
      return 16384;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE:
      return 8192;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE:
      return 32768;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH:
      return 32768;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS:
      return 2048;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS:
      return 2046;
    default:
      return 0;
  }
}

}  // namespace fake_cuda

extern "C" {

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return call("cuArray3DCreate", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *array = new_array(state, *descriptor);
    Arrays::get().owned.insert(*array);
    Arrays::get().last_array = *descriptor;
    return CUDA_SUCCESS;
  });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  return call("cuArray3DGetDescriptor", [&](State&) {
    const auto found = Arrays::get().descriptors.find(array);
    if (found == Arrays::get().descriptors.end()) return CUDA_ERROR_INVALID_HANDLE;
    *descriptor = found->second;
    return CUDA_SUCCESS;
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return call("cuArrayDestroy", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (const CUresult result = capture_result(state); result != CUDA_SUCCESS) return result;
    if (Arrays::get().owned.erase(array) == 0) return CUDA_ERROR_INVALID_HANDLE;
    forget(state, array);
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor, unsigned levels) {
  return call("cuMipmappedArrayCreate", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    std::vector<CUarray> arrays;
    for (unsigned i = 0; i < levels; ++i) arrays.push_back(new_array(state, level_of(*descriptor, i)));
    *array = reinterpret_cast<CUmipmappedArray>(arrays.front());
    Arrays::get().mipmapped[*array] = arrays;
    Arrays::get().last_array = *descriptor;
    Arrays::get().last_levels = levels;
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned index) {
  return call("cuMipmappedArrayGetLevel", [&](State&) {
    const auto found = Arrays::get().mipmapped.find(array);
    if (found == Arrays::get().mipmapped.end() || index >= found->second.size()) return CUDA_ERROR_INVALID_VALUE;
    *level = found->second[index];
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return call("cuMipmappedArrayDestroy", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (const CUresult result = capture_result(state); result != CUDA_SUCCESS) return result;
    const auto found = Arrays::get().mipmapped.find(array);
    if (found == Arrays::get().mipmapped.end()) return CUDA_ERROR_INVALID_HANDLE;
    for (CUarray level : found->second) forget(state, level);
    Arrays::get().mipmapped.erase(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* descriptor, const CUDA_RESOURCE_VIEW_DESC*) {
  return call("cuTexObjectCreate", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (!knows(state, *resource)) return CUDA_ERROR_INVALID_HANDLE;
    *texture = new_object(Arrays::get().textures);
    Arrays::get().last_texture = {*resource, *descriptor};
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  return call("cuTexObjectDestroy", [&](State&) { return end_object(Arrays::get().textures, texture); });
}

CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  return call("cuSurfObjectCreate", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (resource->resType != CU_RESOURCE_TYPE_ARRAY || !knows(state, *resource)) return CUDA_ERROR_INVALID_HANDLE;
    *surface = new_object(Arrays::get().surfaces);
    return CUDA_SUCCESS;
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return call("cuSurfObjectDestroy", [&](State&) { return end_object(Arrays::get().surfaces, surface); });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, CUarray_format, unsigned, CUdevice) {
  return call("cuDeviceGetTexture1DLinearMaxWidth", [&](State&) {
    *elements = std::size_t{1} << 28;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
