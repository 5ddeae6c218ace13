// Copies of byte ranges: on a device, between devices, and from and to the host.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/stream/copy.hpp"

namespace {

using namespace kiln::emulator;

CopyRequest to_device(CUdeviceptr to, const void* from, size_t size) {
  return {to, address_of(from), size, Side::device, Side::host};
}
CopyRequest to_host(void* to, CUdeviceptr from, size_t size) {
  return {address_of(to), from, size, Side::host, Side::device};
}
CopyRequest on_device(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return {to, from, size, Side::device, Side::device};
}

// All devices share one address space, so the contexts do not matter.
CopyRequest between(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t size) {
  (void)context_of(to_context);
  (void)context_of(from_context);
  return on_device(to, from, size);
}

}  // namespace

KILN_EMULATOR_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return call(__func__, [&] { return copy_now({to, from, size}); });
}

KILN_EMULATOR_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return call(__func__, [&] { return copy_in_order({to, from, size}, stream); });
}

KILN_EMULATOR_API cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t size) {
  return call(__func__, [&] { return copy_now(to_device(to, from, size)); });
}

KILN_EMULATOR_API cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(to_device(to, from, size), stream); });
}

KILN_EMULATOR_API cuMemcpyDtoH(void* to, CUdeviceptr from, size_t size) {
  return call(__func__, [&] { return copy_now(to_host(to, from, size)); });
}

KILN_EMULATOR_API cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(to_host(to, from, size), stream); });
}

KILN_EMULATOR_API cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return call(__func__, [&] { return copy_now(on_device(to, from, size)); });
}

KILN_EMULATOR_API cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(on_device(to, from, size), stream); });
}

KILN_EMULATOR_API cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                               size_t size) {
  return call(__func__, [&] { return copy_now(between(to, to_context, from, from_context, size)); });
}

KILN_EMULATOR_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                                    size_t size, CUstream stream) {
  return call(__func__, [&] { return copy_in_order(between(to, to_context, from, from_context, size), stream); });
}
