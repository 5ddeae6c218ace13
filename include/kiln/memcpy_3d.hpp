// Memcpy3D and Memcpy3DPeer: a copy of a box between host memory, device memory and arrays.
#pragma once

#include <kiln/driver_types.hpp>
#include <kiln/export.hpp>
#include <kiln/memcpy_2d.hpp>

#include <cstddef>

namespace kiln {

/// As Memcpy2D, with `depth` rectangles. A layered array or a cubemap counts its layers along z.
/// Counterpart: pycuda.driver.Memcpy3D, cuMemcpy3D.
struct KILN_EXPORT Memcpy3D : Memcpy2D {
  std::size_t src_z = 0;  ///< the first rectangle of the source
  /// The driver wants 0.
  std::size_t src_lod = 0;
  /// Rows from one rectangle to the next; 0 for no gap (src_y + height). Not used for arrays.
  std::size_t src_height = 0;
  std::size_t dst_z = 0;       ///< the first rectangle of the target
  std::size_t dst_lod = 0;     ///< the driver wants 0
  std::size_t dst_height = 0;  ///< as src_height, of the target
  std::size_t depth = 1;       ///< how many rectangles

  /// As Memcpy2D's.
  void operator()() const;
  void operator()(CUstream stream) const;
};

/// As Memcpy3D, between two contexts. Peer access need not be enabled.
/// Counterpart: pycuda.driver.Memcpy3DPeer, cuMemcpy3DPeer.
struct KILN_EXPORT Memcpy3DPeer : Memcpy3D {
  /// The context of the source's or target's memory; null asks the driver whose device memory it is, and is the calling
  /// thread's context for host memory. Not used for arrays.
  CUcontext src_context = nullptr;
  CUcontext dst_context = nullptr;  ///< as src_context, of the target

  /// As Memcpy2D's; the copy waits for earlier work of both contexts.
  void operator()() const;
  /// In the order of `stream` alone.
  void operator()(CUstream stream) const;
};

}  // namespace kiln
