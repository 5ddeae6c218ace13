#include <kiln/memcpy.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/host_copy.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <string>

namespace kiln {

namespace {

std::string size_text(std::size_t bytes) { return " for " + std::to_string(bytes) + " bytes"; }

void require_address(bool present, const char* function, const char* side, std::size_t bytes) {
  if (present) return;
  throw_argument_error(
      std::string(function) + ": the " + side + " is a null pointer, with " + std::to_string(bytes) + " bytes to copy",
      "memory", "null");
}

/// Whether there is anything to copy, between addresses that are not null.
template <class Target, class Source>
bool has_work(const char* function, Target dest, Source src, std::size_t bytes) {
  if (bytes == 0) return false;
  require_address(dest != Target{}, function, "target", bytes);
  require_address(src != Source{}, function, "source", bytes);
  return true;
}

// With no text made where all is well: copies are often small.
void check(int result, const char* call, std::initializer_list<CUdeviceptr> addresses, std::size_t bytes) {
  if (result != CUDA_SUCCESS) throw_memory_error(result, call, size_text(bytes), addresses, bytes);
}

CUcontext given_or_own(CUcontext given, CUdeviceptr address) {
  return given != nullptr ? given : pointer_context(address);
}

}  // namespace

void memcpy_htod(DeviceAddress dest, const void* src, std::size_t bytes) {
  if (!has_work<CUdeviceptr>("memcpy_htod", dest, src, bytes)) return;
  const Driver& driver = Driver::get();
  HostCopy copy;
  const auto call = [&] { return driver.memcpy_htod(dest, src, bytes); };
  check(in_memory_context(dest, [&] { return copy.run(call); }), "cuMemcpyHtoD", {dest}, bytes);
  copy.check();
}

void memcpy_htod_async(DeviceAddress dest, const void* src, std::size_t bytes, CUstream stream) {
  if (!has_work<CUdeviceptr>("memcpy_htod_async", dest, src, bytes)) return;
  const DriverExtras& driver = DriverExtras::get();
  check(in_stream_context(stream, [&] { return driver.memcpy_htod_async(dest, src, bytes, stream); }),
        "cuMemcpyHtoDAsync", {dest}, bytes);
}

void memcpy_dtoh(void* dest, DeviceAddress src, std::size_t bytes) {
  if (!has_work<void*, CUdeviceptr>("memcpy_dtoh", dest, src, bytes)) return;
  const Driver& driver = Driver::get();
  check(in_memory_context(src, [&] { return driver.memcpy_dtoh(dest, src, bytes); }), "cuMemcpyDtoH", {src}, bytes);
}

void memcpy_dtoh_async(void* dest, DeviceAddress src, std::size_t bytes, CUstream stream) {
  if (!has_work<void*, CUdeviceptr>("memcpy_dtoh_async", dest, src, bytes)) return;
  const DriverExtras& driver = DriverExtras::get();
  check(in_stream_context(stream, [&] { return driver.memcpy_dtoh_async(dest, src, bytes, stream); }),
        "cuMemcpyDtoHAsync", {src}, bytes);
}

void memcpy_dtod(DeviceAddress dest, DeviceAddress src, std::size_t bytes) {
  if (!has_work<CUdeviceptr, CUdeviceptr>("memcpy_dtod", dest, src, bytes)) return;
  // The plain copy has an order with one device's work; the one between contexts with both.
  if (device_count() > 1 && pointer_device(dest) != pointer_device(src)) return memcpy_peer(dest, src, bytes);
  const DriverExtras& driver = DriverExtras::get();
  check(in_memory_context(dest, [&] { return driver.memcpy_dtod(dest, src, bytes); }), "cuMemcpyDtoD", {dest, src},
        bytes);
}

void memcpy_dtod_async(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUstream stream) {
  if (!has_work<CUdeviceptr, CUdeviceptr>("memcpy_dtod_async", dest, src, bytes)) return;
  const DriverExtras& driver = DriverExtras::get();
  check(in_stream_context(stream, [&] { return driver.memcpy_dtod_async(dest, src, bytes, stream); }),
        "cuMemcpyDtoDAsync", {dest, src}, bytes);
}

void memcpy_peer(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUcontext dest_context,
                 CUcontext src_context) {
  if (!has_work<CUdeviceptr, CUdeviceptr>("memcpy_peer", dest, src, bytes)) return;
  const DriverExtras& driver = DriverExtras::get();
  CUcontext to = given_or_own(dest_context, dest);
  CUcontext from = given_or_own(src_context, src);
  check(with_context([&] { return driver.memcpy_peer(dest, to, src, from, bytes); }), "cuMemcpyPeer", {dest, src},
        bytes);
}

void memcpy_peer_async(DeviceAddress dest, DeviceAddress src, std::size_t bytes, CUstream stream,
                       CUcontext dest_context, CUcontext src_context) {
  if (!has_work<CUdeviceptr, CUdeviceptr>("memcpy_peer_async", dest, src, bytes)) return;
  const DriverExtras& driver = DriverExtras::get();
  CUcontext to = given_or_own(dest_context, dest);
  CUcontext from = given_or_own(src_context, src);
  check(in_stream_context(stream, [&] { return driver.memcpy_peer_async(dest, to, src, from, bytes, stream); }),
        "cuMemcpyPeerAsync", {dest, src}, bytes);
}

}  // namespace kiln
