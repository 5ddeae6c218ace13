// Primary contexts, and contexts of the program.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/process.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace {

using namespace kiln::emulator;

constexpr unsigned known_context_flags = CU_CTX_FLAGS_MASK;

CUresult create_context(CUcontext* out, unsigned flags, CUdevice device) {
  require(out != nullptr && (flags & ~known_context_flags) == 0);
  check_device(device);
  if (const CUresult failure = kernel_failure(); failure != CUDA_SUCCESS) return failed(failure);
  Context& context = new_context(device, false, flags);
  push_context(context);
  *out = context.handle();
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    check_device(device);
    *out = retain_primary(device).handle();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return call_anyway(__func__, [&] {
    check_device(device);
    return release_primary(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}

KILN_EMULATOR_API cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return call_anyway(__func__, [&] {
    check_device(device);
    reset_primary(device);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return call_anyway(__func__, [&] {
    check_device(device);
    require((flags & ~known_context_flags) == 0);
    primary_context(device).flags = flags;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return call_anyway(__func__, [&] {
    require(flags != nullptr && active != nullptr);
    check_device(device);
    *flags = primary_context(device).flags;
    *active = primary_is_active(device) ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

#undef cuCtxCreate
extern "C" CUresult cuCtxCreate(CUcontext*, unsigned, CUdevice);
KILN_EMULATOR_API cuCtxCreate(CUcontext* out, unsigned flags, CUdevice device) {
  return call_anyway(__func__, [&] { return create_context(out, flags, device); });
}

extern "C" CUresult cuCtxCreate_v2(CUcontext*, unsigned, CUdevice);
KILN_EMULATOR_API cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice device) {
  return call_anyway(__func__, [&] { return create_context(out, flags, device); });
}

// The emulator does not support what newer versions add (a share of the multiprocessors, CIG).
extern "C" CUresult cuCtxCreate_v3(CUcontext*, CUexecAffinityParam*, int, unsigned, CUdevice);
KILN_EMULATOR_API cuCtxCreate_v3(CUcontext* out, CUexecAffinityParam*, int count, unsigned flags, CUdevice device) {
  return call_anyway(__func__, [&] {
    if (count != 0) return not_supported("cuCtxCreate_v3", "execution affinity");
    return create_context(out, flags, device);
  });
}

extern "C" CUresult cuCtxCreate_v4(CUcontext*, CUctxCreateParams*, unsigned, CUdevice);
KILN_EMULATOR_API cuCtxCreate_v4(CUcontext* out, CUctxCreateParams* params, unsigned flags, CUdevice device) {
  return call_anyway(__func__, [&] {
    if (params != nullptr && (params->numExecAffinityParams != 0 || params->cigParams != nullptr))
      return not_supported("cuCtxCreate_v4", "parameters");
    return create_context(out, flags, device);
  });
}

KILN_EMULATOR_API cuCtxDestroy(CUcontext handle) {
  return call_anyway(__func__, [&] {
    Context& context = context_of(handle);
    if (context.primary()) return CUDA_ERROR_INVALID_CONTEXT;
    context.destroy();
    if (current_context_or_null() == &context) (void)pop_context();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxPushCurrent(CUcontext handle) {
  return call_anyway(__func__, [&] {
    push_context(context_of(handle));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxPopCurrent(CUcontext* out) {
  return call_anyway(__func__, [&] {
    Context* const context = pop_context();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (out != nullptr) *out = context->handle();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxSetCurrent(CUcontext handle) {
  return call_anyway(__func__, [&] {
    set_current_context(handle == nullptr ? nullptr : &context_of(handle));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetCurrent(CUcontext* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    Context* const context = current_context_or_null();
    *out = context == nullptr ? nullptr : context->handle();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetDevice(CUdevice* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    *out = current_context().device();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetFlags(unsigned* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    *out = current_context().flags;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetId(CUcontext handle, unsigned long long* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    *out = context_or_current(handle).id();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetApiVersion(CUcontext handle, unsigned* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    (void)context_or_current(handle);
    *out = 3020;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxSynchronize() {
  return call(__func__, [] {
    Context& context = current_context();
    refuse_unsafe_call();
    return context.synchronize();
  });
}

KILN_EMULATOR_API cuCtxGetLimit(size_t* out, CUlimit limit) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = current_context().limit(limit);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxSetLimit(CUlimit limit, size_t value) {
  return call(__func__, [&] {
    current_context().set_limit(limit, value);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call(__func__, [&] {
    (void)current_context();
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxResetPersistingL2Cache() {
  return call(__func__, [] {
    (void)current_context();
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxGetCacheConfig(CUfunc_cache* out) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = current_context().cache_config;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxSetCacheConfig(CUfunc_cache config) {
  return call(__func__, [&] {
    require(config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL);
    current_context().cache_config = config;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return call(__func__, [&] {
    require(flags == 0);
    Context& own = current_context();
    return context_of(peer).device() == own.device() ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuCtxDisablePeerAccess(CUcontext peer) {
  return call(__func__, [&] {
    (void)current_context();
    (void)context_of(peer);
    return CUDA_SUCCESS;
  });
}

// There is nothing to profile.
extern "C" CUresult cuProfilerStart();
KILN_EMULATOR_API cuProfilerStart() {
  return call(__func__, [] { return CUDA_SUCCESS; });
}

extern "C" CUresult cuProfilerStop();
KILN_EMULATOR_API cuProfilerStop() {
  return call(__func__, [] { return CUDA_SUCCESS; });
}
