// What the copies of an Array, and of a MipmappedArray, share.
#pragma once

#include "toolkit/driver/driver_extras.hpp"

#include <kiln/array.hpp>
#include <kiln/mipmapped_array.hpp>

#include <memory>

namespace kiln {

/// Owns the array, unless it is a level of a mipmapped one.
struct Array::Impl {
  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  CUarray handle = nullptr;
  ArrayDescriptor descriptor;
  CUcontext context = nullptr;
  int device = 0;
  /// Of a level: the mipmapped array, which has its memory.
  std::shared_ptr<const void> parent;
};

struct MipmappedArray::Impl {
  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  CUmipmappedArray handle = nullptr;
  ArrayDescriptor descriptor;
  unsigned levels = 0;
  CUcontext context = nullptr;
  int device = 0;
};

/// The descriptor as the driver takes it.
CUDA_ARRAY3D_DESCRIPTOR driver_descriptor(const ArrayDescriptor& descriptor);

}  // namespace kiln
