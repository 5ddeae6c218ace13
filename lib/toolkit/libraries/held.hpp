// The libraries' public classes: what an object holds, as long as it holds it.
#pragma once

#include "base/argument_error.hpp"

#include <memory>

namespace kiln {

/// Throws ArgumentError where the object was moved from or released; `object` names it, such as "nvrtc::Program".
template <class Impl>
Impl& held(const std::unique_ptr<Impl>& impl, const char* object, const char* handle) {
  if (impl == nullptr) refuse(object, handle, "one that was moved from or released");
  return *impl;
}

}  // namespace kiln
