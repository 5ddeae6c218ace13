// A compile of NVVM IR, resolved: options, architecture, what is needed for it, and the key.
#pragma once

#include "compile/request/request.hpp"

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>

#include <string>
#include <string_view>
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

/// The request less its compiler's identity and its key. The IR is not in it: it goes beside. Its arguments are
/// libnvvm's options. Throws ArgumentError for options that make no sense for NVVM IR.
Request make_ir_request(std::string_view ir, const CompileOptions& options, const CompileContext& context);

/// The file of libdevice, or nothing where the request needs none. Throws ToolkitError, with the functions that need it
/// and what was searched, where it is missing.
std::string libdevice_for_job(const Request& request);

/// The canonical bytes of a request whose compiler's identity is set.
std::string ir_key(std::string_view ir, const Request& request);

}  // namespace kiln
