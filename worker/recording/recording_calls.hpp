// The base of the recording calls: it differs between a program that compiles with NVRTC and nvcc's programs.
#pragma once

#include "worker/recording/record_area.hpp"

namespace kiln {

struct RecordTarget {
  RecordArea* area;  // null: nothing is recorded now
  Asker asker;
};

/// Asked at every call. No lock, no allocation.
RecordTarget record_target() noexcept;

}  // namespace kiln
