// What the copies of a MipmappedArray share.
#pragma once

#include "toolkit/driver/driver_extras.hpp"

#include <kiln/mipmapped_array.hpp>

namespace kiln {

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

}  // namespace kiln
