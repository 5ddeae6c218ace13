// A compile of NVVM IR, resolved: options, architecture, what is needed for it, and the key.
#pragma once

#include "base/stop.hpp"
#include "compile/request/request.hpp"

#include <kiln/code_object.hpp>
#include <kiln/compile_options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct IrRequest {
  std::string_view ir;  // the caller's
  std::string name;
  Stop stop;
  /// Architecture, target and context, for choose_arch; its arguments are libnvvm's options.
  Request request;
  std::vector<std::string> libdevice;  // the functions of it that the IR needs
  bool wants_cubin = false;            // unless the compiler or the driver does not know the device
};

/// What libnvvm made: PTX or LTO-IR, which is not yet the cubin that may be wanted.
struct NvvmCode {
  std::string code;
  std::string log;
  Target target = Target::ptx;  // the request's; ptx instead of a cubin for a device that libnvvm does not know
  std::string arch;
  std::vector<std::string> options;  // as libnvvm took them
};

/// Throws ArgumentError for options that make no sense for NVVM IR.
IrRequest make_ir_request(std::string_view ir, const CompileOptions& options, const CompileContext& context,
                          const Stop& stop);

/// The file of libdevice, or nothing where the request needs none. Throws ToolkitError, with the functions that need it
/// and what was searched, where it is missing.
std::string libdevice_for_job(const IrRequest& request);

std::string ir_key(const IrRequest& request, const std::string& maker);

}  // namespace kiln
