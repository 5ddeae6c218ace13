// Device memory: the host's.
#include "fake_state.hpp"

#include <cstring>

using fake_cuda::call;
using fake_cuda::current_context;
using fake_cuda::State;

namespace {

// Whether an allocation, or a variable of a loaded library, holds all of these bytes.
bool is_device_memory(const State& state, CUdeviceptr address, std::size_t size) {
  const auto after = state.sizes.upper_bound(address);
  if (after == state.sizes.begin()) return false;
  const auto& [begin, length] = *std::prev(after);
  return address - begin <= length && size <= length - (address - begin);
}

void* host(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

}  // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t size) {
  return call("cuMemAlloc", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size == 0) return CUDA_ERROR_INVALID_VALUE;
    if (size > std::size_t{8} << 30) return CUDA_ERROR_OUT_OF_MEMORY;
    std::unique_ptr<char[]> bytes(new char[size]);
    *address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(bytes.get()));
    state.memory[*address] = std::move(bytes);
    state.sizes[*address] = size;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemFree(CUdeviceptr address) {
  return call("cuMemFree", [&](State& state) {
    if (state.memory.erase(address) == 0) return CUDA_ERROR_INVALID_VALUE;
    state.sizes.erase(address);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t size) {
  return call("cuMemcpyHtoD", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size != 0 && !is_device_memory(state, to, size)) return CUDA_ERROR_INVALID_VALUE;
    if (size != 0) std::memcpy(host(to), from, size);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t size) {
  return call("cuMemcpyDtoH", [&](State& state) {
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (size != 0 && !is_device_memory(state, from, size)) return CUDA_ERROR_INVALID_VALUE;
    if (size != 0) std::memcpy(to, host(from), size);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
