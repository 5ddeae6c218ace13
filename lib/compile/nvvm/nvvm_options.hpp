// The options of a compile of NVVM IR: libnvvm's spelling, and what CUDA C++ users are used to.
#pragma once

#include <kiln/compile_options.hpp>

#include <string>
#include <vector>

namespace kiln {

struct NvvmOptions {
  /// As libnvvm takes them, each once, less the architecture and -gen-lto: equal for options that mean the same.
  std::vector<std::string> arguments;
  std::string arch;  // of -arch, as spelled; empty where there is none
};

/// Reads the user's options. What NVRTC and nvcc spell otherwise is translated where libnvvm has it (--ftz=true,
/// --use_fast_math); of an option given twice the last counts, which libnvvm refuses. Throws ArgumentError, with what
/// replaced it, for what libnvvm no longer has or never had. What Kiln does not know is handed on.
NvvmOptions read_nvvm_options(const std::vector<std::string>& options);

/// Throws ArgumentError, which names the member, for those of the options that say nothing about NVVM IR.
void require_sense_for_ir(const CompileOptions& options);

}  // namespace kiln
