// Initialisation, errors and devices.
#include "fake_arrays.hpp"
#include "fake_state.hpp"

#include <algorithm>
#include <cstring>

using fake_cuda::call;
using fake_cuda::State;

namespace {

struct KnownError {
  CUresult result;
  const char* name;
  const char* text;
};
constexpr KnownError errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_STUB_LIBRARY, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

const KnownError* known(CUresult result) {
  for (const KnownError& error : errors)
    if (error.result == result) return &error;
  return nullptr;
}

CUresult tell(const char** out, const char* text) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *out = text;
  return text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// What a large GPU of today says.
int attribute(CUdevice_attribute which, int capability) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return capability / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return capability % 10;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
      return 1024;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      return 64;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      return 2147483647;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      return 65535;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return 49152;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return 232448;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return 233472;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return 4194304;  // small, for what flushes it writes twice as much
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      return 65536;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return 32;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 132;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return 2048;
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH:
      return capability >= 90 ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
      return 1;
    default:
      return fake_cuda::texture_attribute(which);
  }
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return call(
      "cuInit",
      [](State& state) {
        if (state.capabilities.empty()) return CUDA_ERROR_NO_DEVICE;
        state.initialised = true;
        return CUDA_SUCCESS;
      },
      false);
}

CUresult cuGetErrorName(CUresult result, const char** name) {
  const KnownError* error = known(result);
  return tell(name, error != nullptr ? error->name : nullptr);
}

CUresult cuGetErrorString(CUresult result, const char** text) {
  const KnownError* error = known(result);
  return tell(text, error != nullptr ? error->text : nullptr);
}

CUresult cuDriverGetVersion(int* version) {
  return call(
      "cuDriverGetVersion",
      [&](State& state) {
        *version = state.version;
        return CUDA_SUCCESS;
      },
      false);
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return call("cuDeviceGet", [&](State& state) {
    if (!state.has_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call("cuDeviceGetCount", [&](State& state) {
    *count = static_cast<int>(state.capabilities.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  return call("cuDeviceGetName", [&](State& state) {
    if (!state.has_device(device) || size <= 0) return CUDA_ERROR_INVALID_DEVICE;
    const std::string text = "Fake GPU " + std::to_string(device);
    const std::size_t length = std::min(text.size(), static_cast<std::size_t>(size) - 1);
    std::memcpy(name, text.data(), length);
    name[length] = '\0';
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return call("cuDeviceTotalMem", [&](State& state) {
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    *bytes = std::size_t{8} << 30;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return call("cuDeviceGetUuid", [&](State& state) {
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(0xf0 * device + i);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  return call("cuDeviceGetPCIBusId", [&](State& state) {
    if (!state.has_device(device) || size < 13) return CUDA_ERROR_INVALID_VALUE;
    const std::string id = "0000:1B:0" + std::to_string(device) + ".0";
    std::memcpy(text, id.c_str(), id.size() + 1);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  return call("cuDeviceGetAttribute", [&](State& state) {
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    if (which < 1 || which >= CU_DEVICE_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
    *value = which == CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE ? state.persisting_l2
             : which == CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE
                 ? state.l2_window
                 : attribute(which, state.capabilities[static_cast<std::size_t>(device)]);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
