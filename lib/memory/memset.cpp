#include <kiln/memset.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <cstring>
#include <string>

namespace kiln {

namespace {

void require_address(CUdeviceptr dest, const std::string& function) {
  if (dest != 0) return;
  throw_argument_error(function + ": the target is a null pointer, with something to set", "device memory", "null");
}

void require_pitch(std::size_t pitch, std::size_t width, std::size_t value_size, std::size_t height,
                   const std::string& function) {
  if (height == 1 || width <= pitch / value_size) return;
  throw_argument_error(function + ": rows of " + std::to_string(width) + " values of " + std::to_string(value_size) +
                           " bytes overlap with a pitch of " + std::to_string(pitch) + " bytes",
                       "at most " + std::to_string(pitch / value_size) + " values a row", std::to_string(width));
}

// A fill is work of the memory's device or of the stream's, whichever device is current.
template <class Call>
int near_memory(Call call, CUdeviceptr dest, CUstream stream = nullptr) {
  if (!is_default_stream(stream)) return in_stream_context(stream, call);
  return in_memory_context(dest, call);
}

[[noreturn]] void throw_fill_error(int result, const char* name, CUdeviceptr dest, std::size_t bytes) {
  throw_memory_error(result, name, " for " + std::to_string(bytes) + " bytes", {dest}, bytes);
}

/// `stream` is one stream, or none for the synchronous functions.
template <class Value, class Function, class... Stream>
void set_values(const char* name, Function function, CUdeviceptr dest, Value data, std::size_t count,
                Stream... stream) {
  if (count == 0) return;
  require_address(dest, name);
  const int result = near_memory([&] { return function(dest, data, count, stream...); }, dest, stream...);
  if (result != CUDA_SUCCESS) throw_fill_error(result, name, dest, sizeof(Value) * count);
}

struct Rows {
  std::size_t pitch;
  std::size_t width;
  std::size_t height;
};

template <class Value, class Function, class... Stream>
void set_rows(const char* name, Function function, CUdeviceptr dest, Value data, const Rows& rows, Stream... stream) {
  if (rows.width == 0 || rows.height == 0) return;
  require_address(dest, name);
  require_pitch(rows.pitch, rows.width, sizeof(Value), rows.height, name);
  const auto fill = [&] { return function(dest, rows.pitch, data, rows.width, rows.height, stream...); };
  const int result = near_memory(fill, dest, stream...);
  if (result != CUDA_SUCCESS)
    throw_fill_error(result, name, dest, rows.pitch * (rows.height - 1) + rows.width * sizeof(Value));
}

}  // namespace

void memset_d8(DeviceAddress dest, unsigned char data, std::size_t count) {
  set_values("cuMemsetD8", DriverExtras::get().memset_d8, dest, data, count);
}
void memset_d16(DeviceAddress dest, unsigned short data, std::size_t count) {
  set_values("cuMemsetD16", DriverExtras::get().memset_d16, dest, data, count);
}
void memset_d32(DeviceAddress dest, unsigned data, std::size_t count) {
  set_values("cuMemsetD32", DriverExtras::get().memset_d32, dest, data, count);
}
void memset_d8_async(DeviceAddress dest, unsigned char data, std::size_t count, CUstream stream) {
  set_values("cuMemsetD8Async", DriverExtras::get().memset_d8_async, dest, data, count, stream);
}
void memset_d16_async(DeviceAddress dest, unsigned short data, std::size_t count, CUstream stream) {
  set_values("cuMemsetD16Async", DriverExtras::get().memset_d16_async, dest, data, count, stream);
}
void memset_d32_async(DeviceAddress dest, unsigned data, std::size_t count, CUstream stream) {
  set_values("cuMemsetD32Async", DriverExtras::get().memset_d32_async, dest, data, count, stream);
}

void memset_d2d8(DeviceAddress dest, std::size_t pitch, unsigned char data, std::size_t width, std::size_t height) {
  set_rows("cuMemsetD2D8", DriverExtras::get().memset_d2d8, dest, data, {pitch, width, height});
}
void memset_d2d16(DeviceAddress dest, std::size_t pitch, unsigned short data, std::size_t width, std::size_t height) {
  set_rows("cuMemsetD2D16", DriverExtras::get().memset_d2d16, dest, data, {pitch, width, height});
}
void memset_d2d32(DeviceAddress dest, std::size_t pitch, unsigned data, std::size_t width, std::size_t height) {
  set_rows("cuMemsetD2D32", DriverExtras::get().memset_d2d32, dest, data, {pitch, width, height});
}
void memset_d2d8_async(DeviceAddress dest, std::size_t pitch, unsigned char data, std::size_t width, std::size_t height,
                       CUstream stream) {
  set_rows("cuMemsetD2D8Async", DriverExtras::get().memset_d2d8_async, dest, data, {pitch, width, height}, stream);
}
void memset_d2d16_async(DeviceAddress dest, std::size_t pitch, unsigned short data, std::size_t width,
                        std::size_t height, CUstream stream) {
  set_rows("cuMemsetD2D16Async", DriverExtras::get().memset_d2d16_async, dest, data, {pitch, width, height}, stream);
}
void memset_d2d32_async(DeviceAddress dest, std::size_t pitch, unsigned data, std::size_t width, std::size_t height,
                        CUstream stream) {
  set_rows("cuMemsetD2D32Async", DriverExtras::get().memset_d2d32_async, dest, data, {pitch, width, height}, stream);
}

}  // namespace kiln
