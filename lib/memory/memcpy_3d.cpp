#include <kiln/memcpy_3d.hpp>

#include "memory/asynchronous_error.hpp"
#include "memory/context.hpp"
#include "memory/host_copy.hpp"
#include "memory/pitched_copy.hpp"
#include "memory/pointer_info.hpp"
#include "memory/stream_context.hpp"
#include "toolkit/driver/driver_extras.hpp"

#include <string>

namespace kiln {

namespace {

using detail::CopyEnd;

std::string size_text(const Memcpy3D& copy) {
  return " for " + std::to_string(copy.depth) + " x " + std::to_string(copy.height) + " rows of " +
         std::to_string(copy.width_in_bytes) + " bytes";
}

bool is_empty(const Memcpy3D& copy) { return copy.width_in_bytes == 0 || copy.height == 0 || copy.depth == 0; }

template <class Parameters>
Parameters parameters_of(const Memcpy3D& copy, const CopyEnd& src, const CopyEnd& dst) {
  constexpr const char* source = "Memcpy3D: the source";
  constexpr const char* target = "Memcpy3D: the target";
  Parameters parameters = {};
  set_source(parameters, src);
  parameters.srcXInBytes = copy.src_x_in_bytes;
  parameters.srcY = copy.src_y;
  parameters.srcZ = copy.src_z;
  parameters.srcLOD = copy.src_lod;
  parameters.srcPitch = checked_pitch({source, src, copy.src_x_in_bytes, copy.src_pitch, copy.width_in_bytes});
  parameters.srcHeight = checked_height(source, copy.src_height, copy.src_y, copy.height);
  set_target(parameters, dst);
  parameters.dstXInBytes = copy.dst_x_in_bytes;
  parameters.dstY = copy.dst_y;
  parameters.dstZ = copy.dst_z;
  parameters.dstLOD = copy.dst_lod;
  parameters.dstPitch = checked_pitch({target, dst, copy.dst_x_in_bytes, copy.dst_pitch, copy.width_in_bytes});
  parameters.dstHeight = checked_height(target, copy.dst_height, copy.dst_y, copy.height);
  parameters.WidthInBytes = copy.width_in_bytes;
  parameters.Height = copy.height;
  parameters.Depth = copy.depth;
  return parameters;
}

CUcontext context_of(const CopyEnd& end, CUcontext given) {
  if (given != nullptr || end.memory == CopyEnd::Memory::array) return given;
  return end.memory == CopyEnd::Memory::host ? require_context() : pointer_context(end.address);
}

CUDA_MEMCPY3D_PEER peer_parameters_of(const Memcpy3DPeer& copy, const CopyEnd& src, const CopyEnd& dst) {
  CUDA_MEMCPY3D_PEER parameters = parameters_of<CUDA_MEMCPY3D_PEER>(copy, src, dst);
  parameters.srcContext = context_of(src, copy.src_context);
  parameters.dstContext = context_of(dst, copy.dst_context);
  return parameters;
}

}  // namespace

void Memcpy3D::operator()() const {
  if (is_empty(*this)) return;
  const CUDA_MEMCPY3D parameters = parameters_of<CUDA_MEMCPY3D>(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  HostCopy copy(src_);
  const auto call = [&] { return driver.memcpy_3d(&parameters); };
  check_work(in_memory_context(device_side(src_, dst_), [&] { return copy.run(call); }), "cuMemcpy3D",
             size_text(*this));
  copy.check();
}

void Memcpy3D::operator()(CUstream stream) const {
  if (is_empty(*this)) return;
  const CUDA_MEMCPY3D parameters = parameters_of<CUDA_MEMCPY3D>(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.memcpy_3d_async(&parameters, stream); }), "cuMemcpy3DAsync",
             size_text(*this));
}

void Memcpy3DPeer::operator()() const {
  if (is_empty(*this)) return;
  const CUDA_MEMCPY3D_PEER parameters = peer_parameters_of(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  HostCopy copy(src_);
  const auto call = [&] { return driver.memcpy_3d_peer(&parameters); };
  check_work(with_context([&] { return copy.run(call); }), "cuMemcpy3DPeer", size_text(*this));
  copy.check();
}

void Memcpy3DPeer::operator()(CUstream stream) const {
  if (is_empty(*this)) return;
  const CUDA_MEMCPY3D_PEER parameters = peer_parameters_of(*this, src_, dst_);
  const DriverExtras& driver = DriverExtras::get();
  check_work(in_stream_context(stream, [&] { return driver.memcpy_3d_peer_async(&parameters, stream); }),
             "cuMemcpy3DPeerAsync", size_text(*this));
}

}  // namespace kiln
