// Page-locked, managed, pitched and stream-ordered memory, and what is known of an address.
#include "fake_memory.hpp"

using fake_cuda::address_of;
using fake_cuda::allocate;
using fake_cuda::allocation_of;
using fake_cuda::call;
using fake_cuda::context_of;
using fake_cuda::current_context;
using fake_cuda::give_back;
using fake_cuda::note_arguments;
using fake_cuda::State;
using fake_cuda::stream_result;

#undef cuMemAdvise
#undef cuMemPrefetchAsync

extern "C" {

// As before CUDA 13: cuda.h declares later ones only.
CUresult cuMemPrefetchAsync(CUdeviceptr, std::size_t, CUdevice, CUstream);
CUresult cuMemAdvise(CUdeviceptr, std::size_t, CUmem_advise, CUdevice);

CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t size, CUstream stream) {
  return call("cuMemAllocAsync", [&](State& state) {
    note_arguments(state, "cuMemAllocAsync", {size, address_of(stream)});
    if (const CUresult result = stream_result(state, stream); result != CUDA_SUCCESS) return result;
    *address = allocate(state, size, context_of(state, stream)->device);
    state.pool_memory.insert(*address);
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call("cuMemFreeAsync", [&](State& state) {
    note_arguments(state, "cuMemFreeAsync", {address, address_of(stream)});
    if (const CUresult result = stream_result(state, stream); result != CUDA_SUCCESS) return result;
    return give_back(state, address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                         unsigned element_size) {
  return call("cuMemAllocPitch", [&](State& state) {
    note_arguments(state, "cuMemAllocPitch", {width, height, element_size});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    const bool known_size = element_size == 4 || element_size == 8 || element_size == 16;
    if (width == 0 || height == 0 || !known_size) return CUDA_ERROR_INVALID_VALUE;
    *pitch = (width + 511) / 512 * 512;
    *address = allocate(state, *pitch * height, current_context()->device);
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

CUresult cuMemAllocManaged(CUdeviceptr* address, std::size_t size, unsigned flags) {
  return call("cuMemAllocManaged", [&](State& state) {
    note_arguments(state, "cuMemAllocManaged", {size, flags});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *address = allocate(state, size, current_context()->device);
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, std::size_t size, CUdevice device, CUstream stream) {
  return call("cuMemPrefetchAsync", [&](State& state) {
    const auto target = static_cast<unsigned long long>(device);
    note_arguments(state, "cuMemPrefetchAsync", {address, size, target, address_of(stream)});
    return allocation_of(state, address) != 0 ? stream_result(state, stream) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemAdvise(CUdeviceptr address, std::size_t size, CUmem_advise advice, CUdevice device) {
  return call("cuMemAdvise", [&](State& state) {
    const auto target = static_cast<unsigned long long>(device);
    note_arguments(state, "cuMemAdvise", {address, size, static_cast<unsigned long long>(advice), target});
    return allocation_of(state, address) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return call("cuMemHostAlloc", [&](State& state) {
    note_arguments(state, "cuMemHostAlloc", {size, flags});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size > std::size_t{8} << 30) return CUDA_ERROR_OUT_OF_MEMORY;
    std::unique_ptr<char[]> bytes(new char[size]);
    *pointer = bytes.get();
    state.host_memory[*pointer] = std::move(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFreeHost(void* pointer) {
  return call("cuMemFreeHost", [&](State& state) {
    if (const CUresult result = capture_result(state); result != CUDA_SUCCESS) return result;
    return state.host_memory.erase(pointer) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemHostRegister(void* pointer, std::size_t size, unsigned flags) {
  return call("cuMemHostRegister", [&](State& state) {
    note_arguments(state, "cuMemHostRegister", {address_of(pointer), size, flags});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return state.registrations.insert(pointer).second ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  });
}

CUresult cuMemHostUnregister(void* pointer) {
  return call("cuMemHostUnregister", [&](State& state) {
    return state.registrations.erase(pointer) != 0 ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned) {
  return call("cuMemHostGetDevicePointer", [&](State& state) {
    const bool known = state.host_memory.count(pointer) != 0 || state.registrations.count(pointer) != 0;
    *address = address_of(pointer);
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return call("cuMemGetInfo", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *total = std::size_t{8} << 30;
    *free = *total;
    for (const auto& [address, device] : state.memory_devices)
      if (device == current_context()->device) *free -= state.sizes[address];
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAddressRange(CUdeviceptr* begin, std::size_t* size, CUdeviceptr address) {
  return call("cuMemGetAddressRange", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    const CUdeviceptr allocation = allocation_of(state, address);
    if (allocation == 0) return CUDA_ERROR_NOT_FOUND;
    if (begin != nullptr) *begin = allocation;
    if (size != nullptr) *size = state.sizes[allocation];
    return CUDA_SUCCESS;
  });
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return call("cuPointerGetAttribute", [&](State& state) {
    const CUdeviceptr allocation = allocation_of(state, address);
    if (allocation == 0) return CUDA_ERROR_INVALID_VALUE;
    const int device = state.memory_devices[allocation];
    if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      *static_cast<int*>(data) = device;
    } else if (attribute == CU_POINTER_ATTRIBUTE_CONTEXT) {
      fake_cuda::Context* const owner = state.contexts[device].get();
      *static_cast<CUcontext*>(data) =
          state.pool_memory.count(allocation) != 0 ? nullptr : reinterpret_cast<CUcontext>(owner);
    } else {
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
