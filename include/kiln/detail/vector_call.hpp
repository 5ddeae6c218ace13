// The arguments of one call of a generated kernel.
#pragma once

#include <kiln/detail/host_argument.hpp>

#include <cstddef>

namespace kiln::detail {

struct VectorCall {
  void** pointers;            // to the values, then to what the kernel takes beside them
  const std::size_t* counts;  // element_count of each
  std::size_t count;          // of arguments
  const Signature* types;     // of these, and of what follows them
  HostSlots slots;
};

}  // namespace kiln::detail
