// The libraries of jobs: which they are, in a host; and opened, in a worker.
#pragma once

#include "compile/jobs/worker_job.hpp"
#include "compile/nvvm/nvvm_request.hpp"

#include <string>

namespace kiln {

/// The current toolkit's NVRTC, which the key knows as `identity`. Throws ToolkitError where there is none.
JobLibrary nvrtc_for_job(std::string identity);
/// This machine's. Throw ToolkitError where there is none.
JobLibrary nvvm_for_job();
JobLibrary nvjitlink_for_job();

/// Opens the very library for all that this process does from now on. Throws ToolkitError where the file is another by
/// now, and WorkerUnfit where this process has opened another of its kind.
void open_for_job(const JobLibrary& library);

}  // namespace kiln
