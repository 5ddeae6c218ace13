#include <kiln/memcpy_2d.hpp>

#include "base/argument_error.hpp"
#include "memory/asynchronous_error.hpp"
#include "memory/host_copy.hpp"
#include "memory/pitched_copy.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <limits>
#include <string>

namespace kiln {

namespace {

using detail::CopyEnd;

template <class Pointer>
CopyEnd end_at(CopyEnd::Memory memory, Pointer pointer) noexcept {
  return {memory, reinterpret_cast<CUdeviceptr>(pointer)};
}

std::string size_text(const Memcpy2D& copy) {
  return " for " + std::to_string(copy.height) + " rows of " + std::to_string(copy.width_in_bytes) + " bytes";
}

}  // namespace

std::size_t checked_pitch(const CopyShape& shape) {
  const std::string what = shape.what;
  if (shape.end.memory == CopyEnd::Memory::unset)
    throw_argument_error(what + " is not set: call one of its setters, such as set_src_host or set_dst_device",
                         "memory", "none");
  if (shape.end.address == 0) throw_argument_error(what + " is a null pointer", "memory", "null");
  if (shape.x_in_bytes > std::numeric_limits<std::size_t>::max() - shape.width_in_bytes)
    throw_argument_error(what + "'s first byte and width add up to more than can be addressed", "a row", "an overflow");
  const std::size_t row = shape.x_in_bytes + shape.width_in_bytes;
  if (shape.end.memory == CopyEnd::Memory::array || shape.pitch == 0) return row;
  if (shape.pitch < row)
    throw_argument_error(what + "'s pitch is " + std::to_string(shape.pitch) + " bytes, less than the " +
                             std::to_string(row) + " bytes of a row from its start to the end of what is copied",
                         "at least " + std::to_string(row), std::to_string(shape.pitch));
  return shape.pitch;
}

std::size_t checked_height(const char* what, std::size_t given, std::size_t first, std::size_t rows) {
  if (first > std::numeric_limits<std::size_t>::max() - rows)
    throw_argument_error(std::string(what) + "'s first row and height add up to more than can be addressed", "rows",
                         "an overflow");
  if (given == 0) return first + rows;
  if (given < first + rows)
    throw_argument_error(std::string(what) + "'s height is " + std::to_string(given) + " rows, and the copy needs " +
                             std::to_string(first + rows),
                         "at least " + std::to_string(first + rows), std::to_string(given));
  return given;
}

CUdeviceptr device_side(const CopyEnd& src, const CopyEnd& dst) noexcept {
  for (const CopyEnd& end : {src, dst})
    if (end.memory == CopyEnd::Memory::device || end.memory == CopyEnd::Memory::unified) return end.address;
  return 0;
}

CUmemorytype driver_memory_type(CopyEnd::Memory memory) noexcept {
  switch (memory) {
    case CopyEnd::Memory::device:
      return CU_MEMORYTYPE_DEVICE;
    case CopyEnd::Memory::array:
      return CU_MEMORYTYPE_ARRAY;
    case CopyEnd::Memory::unified:
      return CU_MEMORYTYPE_UNIFIED;
    default:
      return CU_MEMORYTYPE_HOST;
  }
}

void Memcpy2D::set_src_host(const void* host) noexcept { src_ = end_at(CopyEnd::Memory::host, host); }
void Memcpy2D::set_src_device(DeviceAddress device) noexcept { src_ = {CopyEnd::Memory::device, device}; }
void Memcpy2D::set_src_array(CUarray array) noexcept { src_ = end_at(CopyEnd::Memory::array, array); }
void Memcpy2D::set_src_unified(const void* pointer) noexcept { src_ = end_at(CopyEnd::Memory::unified, pointer); }
void Memcpy2D::set_dst_host(void* host) noexcept { dst_ = end_at(CopyEnd::Memory::host, host); }
void Memcpy2D::set_dst_device(DeviceAddress device) noexcept { dst_ = {CopyEnd::Memory::device, device}; }
void Memcpy2D::set_dst_array(CUarray array) noexcept { dst_ = end_at(CopyEnd::Memory::array, array); }
void Memcpy2D::set_dst_unified(void* pointer) noexcept { dst_ = end_at(CopyEnd::Memory::unified, pointer); }

namespace {

CUDA_MEMCPY2D parameters_of(const Memcpy2D& copy, const CopyEnd& src, const CopyEnd& dst) {
  CUDA_MEMCPY2D parameters = {};
  set_source(parameters, src);
  parameters.srcXInBytes = copy.src_x_in_bytes;
  parameters.srcY = copy.src_y;
  parameters.srcPitch =
      checked_pitch({"Memcpy2D: the source", src, copy.src_x_in_bytes, copy.src_pitch, copy.width_in_bytes});
  set_target(parameters, dst);
  parameters.dstXInBytes = copy.dst_x_in_bytes;
  parameters.dstY = copy.dst_y;
  parameters.dstPitch =
      checked_pitch({"Memcpy2D: the target", dst, copy.dst_x_in_bytes, copy.dst_pitch, copy.width_in_bytes});
  parameters.WidthInBytes = copy.width_in_bytes;
  parameters.Height = copy.height;
  return parameters;
}

}  // namespace

void Memcpy2D::operator()() const {
  if (width_in_bytes == 0 || height == 0) return;
  const CUDA_MEMCPY2D parameters = parameters_of(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  HostCopy copy(src_);
  const auto call = [&] { return driver.memcpy_2d_unaligned(&parameters); };
  check_work(in_memory_context(device_side(src_, dst_), [&] { return copy.run(call); }), "cuMemcpy2DUnaligned",
             size_text(*this));
  copy.check();
}

void Memcpy2D::operator()(CUstream stream) const {
  if (width_in_bytes == 0 || height == 0) return;
  const CUDA_MEMCPY2D parameters = parameters_of(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.memcpy_2d_async(&parameters, stream); }), "cuMemcpy2DAsync",
             size_text(*this));
}

}  // namespace kiln
