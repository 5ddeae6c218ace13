// What the fake driver's memory functions share.
#pragma once

#include "fake_state.hpp"

#include <cstddef>
#include <cstdint>

namespace fake_cuda {

/// Whether an allocation, or a variable of a loaded library, holds all of these bytes.
bool is_device_memory(const State& state, CUdeviceptr address, std::size_t size);

/// Allocates for that device; null for more than it has.
CUdeviceptr allocate(State& state, std::size_t size, int device);
/// False for what was never allocated.
bool give_back(State& state, CUdeviceptr address);
/// The allocation that holds the address, 0 where none does.
CUdeviceptr allocation_of(const State& state, CUdeviceptr address);

/// What a call that names this stream would say of the stream and of the thread's context.
CUresult stream_result(const State& state, CUstream stream);
/// The context of a stream that a call names, null for a bad handle. Null and the two special handles are the current
/// context's own streams.
Context* context_of(const State& state, CUstream stream);

inline char* host(CUdeviceptr address) { return reinterpret_cast<char*>(static_cast<std::uintptr_t>(address)); }

}  // namespace fake_cuda
