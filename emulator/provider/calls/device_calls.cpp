// cuInit, versions and properties of devices.
#include "emulator/core/device_attributes.hpp"
#include "emulator/memory/address_space.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/process.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

using namespace kiln::emulator;

constexpr int driver_version = 13000;
constexpr char device_name[] = "Kiln PTX emulator";

void copy_text(char* out, int size, const char* text) {
  require(out != nullptr && size > 0);
  std::snprintf(out, static_cast<std::size_t>(size), "%s", text);
}

}  // namespace

/// Capabilities that toolkit/driver.hpp reads: bit 0 machine code, bit 1 PTX.
extern "C" __attribute__((visibility("default"))) const unsigned kiln_driver_code_kinds = 2;

KILN_EMULATOR_API cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult ready = initialise(); ready != CUDA_SUCCESS) return ready;
  return call_anyway(__func__, [] { return device_count() == 0 ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS; });
}

KILN_EMULATOR_API cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = driver_version;
  return CUDA_SUCCESS;
}

KILN_EMULATOR_API cuDeviceGetCount(int* count) {
  return call_anyway(__func__, [&] {
    require(count != nullptr);
    *count = device_count();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGet(CUdevice* device, int ordinal) {
  return call_anyway(__func__, [&] {
    require(device != nullptr);
    check_device(ordinal);
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetName(char* name, int size, CUdevice device) {
  return call_anyway(__func__, [&] {
    check_device(device);
    copy_text(name, size, device_name);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(bytes != nullptr);
    check_device(device);
    *bytes = AddressSpace::get().total();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(value != nullptr && attribute > 0 && attribute < CU_DEVICE_ATTRIBUTE_MAX);
    *value = device_attribute(device, attribute);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(major != nullptr && minor != nullptr);
    check_device(device);
    *major = static_cast<int>(device_arch() / 10);
    *minor = static_cast<int>(device_arch() % 10);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetProperties(CUdevprop* out, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    const auto value = [&](CUdevice_attribute attribute) { return device_attribute(device, attribute); };
    CUdevprop all = {};
    all.maxThreadsPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    all.maxThreadsDim[0] = value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
    all.maxThreadsDim[1] = value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
    all.maxThreadsDim[2] = value(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
    all.maxGridSize[0] = value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    all.maxGridSize[1] = value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
    all.maxGridSize[2] = value(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    all.sharedMemPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    all.totalConstantMemory = value(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
    all.SIMDWidth = value(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    all.memPitch = value(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
    all.regsPerBlock = value(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    all.clockRate = value(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    all.textureAlign = value(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    *out = all;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(uuid != nullptr);
    *uuid = device_uuid(number_on_machine(device));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetPCIBusId(char* text, int size, CUdevice device) {
  return call_anyway(__func__, [&] {
    char id[32];
    std::snprintf(id, sizeof(id), "0000:00:%02X.0", static_cast<unsigned>(number_on_machine(device)));
    copy_text(text, size, id);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return call_anyway(__func__, [&] {
    require(device != nullptr && text != nullptr);
    unsigned domain = 0, bus = 0, number = 0;
    require(std::sscanf(text, "%x:%x:%x", &domain, &bus, &number) == 3);
    if (domain != 0 || bus != 0) return CUDA_ERROR_INVALID_DEVICE;
    *device = device_with_number(static_cast<int>(number));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return call_anyway(__func__, [&] {
    require(can != nullptr);
    check_device(device);
    check_device(peer);
    *can = device != peer ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned channels,
                                                     CUdevice device) {
  return call_anyway(__func__, [&] {
    require(width != nullptr && channels != 0 && channels <= 4 && format != 0);
    *width = static_cast<size_t>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH));
    return CUDA_SUCCESS;
  });
}
