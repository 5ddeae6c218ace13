// Device memory: the host's.
#include "fake_memory.hpp"

#include <cstring>

using fake_cuda::address_of;
using fake_cuda::allocate;
using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::give_back;
using fake_cuda::host;
using fake_cuda::is_device_memory;
using fake_cuda::note_arguments;
using fake_cuda::State;

namespace fake_cuda {

CUdeviceptr allocation_of(const State& state, CUdeviceptr address) {
  const auto after = state.sizes.upper_bound(address);
  if (after == state.sizes.begin()) return 0;
  const auto& [begin, length] = *std::prev(after);
  return address - begin < length ? begin : 0;
}

bool is_device_memory(const State& state, CUdeviceptr address, std::size_t size) {
  const auto after = state.sizes.upper_bound(address);
  if (after == state.sizes.begin()) return false;
  const auto& [begin, length] = *std::prev(after);
  return address - begin <= length && size <= length - (address - begin);
}

CUdeviceptr allocate(State& state, std::size_t size, int device) {
  if (size > std::size_t{8} << 30) return 0;
  std::unique_ptr<char[]> bytes(new char[size]);
  const CUdeviceptr address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(bytes.get()));
  state.memory[address] = std::move(bytes);
  state.sizes[address] = size;
  state.memory_devices[address] = device;
  return address;
}

bool give_back(State& state, CUdeviceptr address) {
  if (state.memory.erase(address) == 0) return false;
  state.sizes.erase(address);
  state.memory_devices.erase(address);
  state.pool_memory.erase(address);
  return true;
}

}  // namespace fake_cuda

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t size) {
  return call("cuMemAlloc", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size == 0) return CUDA_ERROR_INVALID_VALUE;
    *address = allocate(state, size, current_context()->device);
    return *address != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

CUresult cuMemFree(CUdeviceptr address) {
  return call("cuMemFree", [&](State& state) {
    if (const CUresult result = capture_result(state); result != CUDA_SUCCESS) return result;
    return give_back(state, address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t size) {
  return call("cuMemcpyHtoD", [&](State& state) {
    note_arguments(state, "cuMemcpyHtoD", {to, address_of(from), size});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size != 0 && !is_device_memory(state, to, size)) return CUDA_ERROR_INVALID_VALUE;
    if (size != 0) std::memcpy(host(to), from, size);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t size) {
  return call("cuMemcpyDtoH", [&](State& state) {
    note_arguments(state, "cuMemcpyDtoH", {address_of(to), from, size});
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size != 0 && !is_device_memory(state, from, size)) return CUDA_ERROR_INVALID_VALUE;
    if (size != 0) std::memcpy(to, host(from), size);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
