// The compile room's face to the other rooms.
#pragma once

#include "compile/code_data.hpp"

#include <kiln/compile.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// As kiln::compile, for a device of that architecture ("sm_90") where the options name none: cubin where the compiler
/// knows it, else PTX for the newest architecture that the compiler knows below it. An empty `device_arch` is
/// kiln::compile's own default. `loads_cubin` false asks for PTX.
CodeObject compile_for(std::string_view source, const CompileOptions& options, const std::string& device_arch,
                       bool loads_cubin);

struct CompileWish {
  std::string device_arch = {};  // as above
  bool loads_cubin = true;
  bool in_worker = false;  // where there are any; a compile that may be stopped is done there anyway
};

/// The same, and where the compile is done.
CodeObject compile_for(std::string_view source, const CompileOptions& options, const CompileWish& wish);

/// The same as far as memory and disk have it: nothing where a compiler is needed, or where only trying tells.
std::optional<CodeObject> find_code_for(std::string_view source, const CompileOptions& options,
                                        const CompileWish& wish);

/// Forgets code that a driver refused, in memory and on disk, so that the next compile makes it anew.
void forget(const CodeObject& code);

}  // namespace kiln
