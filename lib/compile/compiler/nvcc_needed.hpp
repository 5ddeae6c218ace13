// NVRTC has refused what nvcc may take: a value, on which CompilerSelection acts.
#pragma once

#include <kiln/error.hpp>

#include <optional>
#include <string>

namespace kiln {

struct NvccNeeded {
  std::string reason;                   // such as "NVRTC has no header <vector>"
  std::optional<CompileError> refusal;  // NVRTC's; nothing where an earlier compile met it
};

}  // namespace kiln
