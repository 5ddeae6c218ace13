// NVRTC has refused what nvcc may take.
#pragma once

#include <kiln/error.hpp>

#include <string>
#include <utility>

namespace kiln {

/// Not seen outside of the room: whoever made the attempt either asks nvcc or throws error() instead.
class NvccWanted : public CompileError {
 public:
  NvccWanted(const CompileError& error, std::string reason) : CompileError(error), reason_(std::move(reason)) {}
  /// Such as "NVRTC has no header <vector>".
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

}  // namespace kiln
