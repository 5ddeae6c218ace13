// Arrays and mipmapped arrays.
#include "emulator/provider/calls/current_owner.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/stream/capture.hpp"
#include "emulator/texture/objects.hpp"

namespace {

using namespace kiln::emulator;

CUDA_ARRAY3D_DESCRIPTOR in_three_dimensions(const CUDA_ARRAY_DESCRIPTOR& descriptor) {
  CUDA_ARRAY3D_DESCRIPTOR result = {};
  result.Width = descriptor.Width;
  result.Height = descriptor.Height;
  result.Format = descriptor.Format;
  result.NumChannels = descriptor.NumChannels;
  return result;
}

// As cuMemAlloc, it may wait for the device.
CUresult create_array(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  refuse_unsafe_call();
  *handle = add_array(std::make_shared<Array>(descriptor, current_owner()));
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuArrayCreate(CUarray* handle, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  return call(__func__, [&] {
    require(handle != nullptr && descriptor != nullptr);
    return create_array(handle, in_three_dimensions(*descriptor));
  });
}

KILN_EMULATOR_API cuArray3DCreate(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return call(__func__, [&] {
    require(handle != nullptr && descriptor != nullptr);
    return create_array(handle, *descriptor);
  });
}

KILN_EMULATOR_API cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray handle) {
  return call(__func__, [&] {
    require(descriptor != nullptr);
    const std::shared_ptr<Array> array = array_of(handle);
    *descriptor = {array->descriptor.Width, array->descriptor.Height, array->descriptor.Format,
                   array->descriptor.NumChannels};
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle) {
  return call(__func__, [&] {
    require(descriptor != nullptr);
    *descriptor = array_of(handle)->descriptor;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuArrayDestroy(CUarray handle) {
  return call(__func__, [&] {
    refuse_unsafe_call();
    destroy_array(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMipmappedArrayCreate(CUmipmappedArray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                         unsigned levels) {
  return call(__func__, [&] {
    require(handle != nullptr && descriptor != nullptr);
    refuse_unsafe_call();
    *handle = add_mipmapped_array(std::make_shared<MipmappedArray>(*descriptor, levels, current_owner()));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray handle, unsigned index) {
  return call(__func__, [&] {
    require(level != nullptr);
    *level = level_handle(handle, index);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  return call(__func__, [&] {
    refuse_unsafe_call();
    destroy_mipmapped_array(handle);
    return CUDA_SUCCESS;
  });
}

// Properties of sparse, deferred and video arrays.

KILN_EMULATOR_API cuArrayGetPlane(CUarray*, CUarray, unsigned) { return not_supported(__func__); }

KILN_EMULATOR_API cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUarray) { return not_supported(__func__); }

KILN_EMULATOR_API cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES*, CUmipmappedArray) {
  return not_supported(__func__);
}

KILN_EMULATOR_API cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice) {
  return not_supported(__func__);
}

KILN_EMULATOR_API cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUmipmappedArray, CUdevice) {
  return not_supported(__func__);
}
