// Contexts, and the stack of them that each thread has.
#include "fake_state.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

using fake_cuda::call;
using fake_cuda::Context;
using fake_cuda::contexts_below;
using fake_cuda::ContextStack;
using fake_cuda::current_context;
using fake_cuda::State;

extern "C" CUresult cuCtxCreate_v2(CUcontext*, unsigned, CUdevice);

namespace {

/// Null for a handle of no context.
Context* context_of(const State& state, CUcontext handle) {
  const auto own = state.own_contexts.find(handle);
  if (own != state.own_contexts.end()) return own->second.get();
  const auto is_wanted = [&](const auto& item) { return item.second.get() == reinterpret_cast<Context*>(handle); };
  const auto primary = std::find_if(state.contexts.begin(), state.contexts.end(), is_wanted);
  return primary != state.contexts.end() ? primary->second.get() : nullptr;
}

void push(Context* context) {
  ContextStack& below = contexts_below();
  if (current_context() != nullptr) below.contexts[below.size++] = current_context();
  current_context() = context;
}

void pop() {
  ContextStack& below = contexts_below();
  current_context() = below.size == 0 ? nullptr : below.contexts[--below.size];
}

void forget_functions(State& state, fake_cuda::Library& library, const Context* context) {
  for (auto item = library.functions.begin(); item != library.functions.end();) {
    const bool gone = item->first.second == context;
    if (gone) state.functions.erase(item->second.get());
    item = gone ? library.functions.erase(item) : std::next(item);
  }
}

/// A call that needs a current context.
template <class Body>
CUresult in_context(const char* name, const Body& body) {
  return call(name, [&](State&) { return current_context() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : body(); });
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return call("cuDevicePrimaryCtxRetain", [&](State& state) {
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    std::unique_ptr<Context>& primary = state.contexts[device];
    if (!primary) primary = std::make_unique<Context>();
    primary->device = device;
    ++primary->retains;
    *context = reinterpret_cast<CUcontext>(primary.get());
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call("cuDevicePrimaryCtxGetState", [&](State& state) {
    *flags = 0;
    *active = state.contexts.count(device) != 0 ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!fake_cuda::recording.load(std::memory_order_relaxed)) {  // launches ask for it
    *context = reinterpret_cast<CUcontext>(current_context());
    return CUDA_SUCCESS;
  }
  return call("cuCtxGetCurrent", [&](State&) {
    *context = reinterpret_cast<CUcontext>(current_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return call("cuCtxSetCurrent", [&](State& state) {
    if (context == nullptr) {
      pop();
      return CUDA_SUCCESS;
    }
    Context* const wanted = context_of(state, context);
    if (wanted == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    current_context() = wanted;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context("cuCtxGetDevice", [&] {
    *device = current_context()->device;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return call("cuCtxGetId", [&](State&) {
    *id = reinterpret_cast<std::uintptr_t>(context);  // unique among those that live
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return in_context("cuCtxSynchronize", [] { return CUDA_SUCCESS; });
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return call("cuCtxCreate", [&](State& state) {
    if (!state.has_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    auto made = std::make_unique<Context>();
    made->device = device;
    made->flags = flags;
    push(made.get());
    *context = reinterpret_cast<CUcontext>(made.get());
    state.own_contexts.emplace(*context, std::move(made));
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy(CUcontext context) {
  return call("cuCtxDestroy", [&](State& state) {
    const auto found = state.own_contexts.find(context);
    if (found == state.own_contexts.end()) return CUDA_ERROR_INVALID_CONTEXT;
    if (current_context() == found->second.get()) pop();
    for (const auto& library : state.libraries) forget_functions(state, *library.second, found->second.get());
    state.own_contexts.erase(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return call("cuCtxPushCurrent", [&](State& state) {
    Context* const wanted = context_of(state, context);
    if (wanted == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    push(wanted);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return in_context("cuCtxPopCurrent", [&] {
    *context = reinterpret_cast<CUcontext>(current_context());
    pop();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return in_context("cuCtxGetFlags", [&] {
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return in_context("cuCtxGetCacheConfig", [&] {
    *config = current_context()->cache_config;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context("cuCtxSetCacheConfig", [&] {
    current_context()->cache_config = config;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
