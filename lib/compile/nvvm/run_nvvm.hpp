// One compile by libnvvm.
#pragma once

#include "compile/nvvm/nvvm_request.hpp"

#include <kiln/code_object.hpp>

#include <string>
#include <vector>

namespace kiln {

/// What libnvvm made: PTX or LTO-IR, which is not yet the cubin that may be wanted.
struct NvvmCode {
  std::string code;
  std::string log;
  Target target = Target::ptx;  // the request's; ptx instead of a cubin for a device that libnvvm does not know
  std::string arch;
  std::vector<std::string> options;  // as libnvvm took them
};

/// Compiles on a thread of its own, in this process; `libdevice` is that file where the request needs it. Throws
/// CompileError, CompileStopped (between two steps), ToolkitError.
NvvmCode run_nvvm(const IrRequest& request, const std::string& libdevice);

/// The file of libdevice, or nothing where the request needs none. Throws ToolkitError, with the functions that need it
/// and what was searched, where it is missing.
std::string libdevice_for_job(const IrRequest& request);

}  // namespace kiln
