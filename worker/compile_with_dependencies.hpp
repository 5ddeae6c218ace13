// A compile, and what it depended on.
#pragma once

#include "compile/jobs/worker_job.hpp"
#include "worker/nvrtc/make_code.hpp"

namespace kiln {

/// What NVRTC or nvcc makes of the request, with what must stay the same for it to be used again, by the record of all
/// that the compiler asked the file system. Throws as make_code does.
/// With a folder in `pch`, NVRTC uses precompiled headers of it, and orders what it lacks (pch_maker.hpp).
MadeCode compile_with_dependencies(Request& request, const PchPlace& pch = {});

}  // namespace kiln
