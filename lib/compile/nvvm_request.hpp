// A compile of NVVM IR made definite: options, architecture, what is needed for it, and the key.
#pragma once

#include "base/stop.hpp"
#include "cache/store.hpp"
#include "compile/compiler.hpp"
#include "compile/request.hpp"

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
  /// Architecture, target and wish, for choose_arch; its arguments are libnvvm's options.
  Request request;
  std::vector<std::string> libdevice;  // the functions of it that the IR needs
  bool wants_cubin = false;            // unless the compiler or the driver does not know the device
};

/// Throws ArgumentError for options that make no sense for NVVM IR.
IrRequest make_ir_request(std::string_view ir, const CompileOptions& options, const CompileWish& wish,
                          const Stop& stop);

/// Who makes cubins of PTX on this machine: nvJitLink, or the driver where there is none.
Backend ir_linker();

/// What code of this request is known by on this machine: the contents of libnvvm, of libdevice and the linker where
/// they are needed, told without opening one. Nothing where one is missing. Digests may be remembered in `store`.
std::optional<std::string> ir_maker_here(const IrRequest& request, CacheStore* store);

/// Whether it is such a maker, of any machine.
bool is_ir_maker(std::string_view maker);

std::string ir_key(const IrRequest& request, const std::string& maker);

}  // namespace kiln
