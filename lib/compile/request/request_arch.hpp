// Which architectures a request names.
#pragma once

#include "compile/options/option_list.hpp"
#include "compile/request/request.hpp"

namespace kiln {

/// Sets request.explicit_arch, job.arch where only nvcc understands it ("all"), and job.code. Throws ArgumentError for
/// what contradicts itself.
void resolve_arch(Request& request, const OptionList& list, const CompileOptions& options);

}  // namespace kiln
