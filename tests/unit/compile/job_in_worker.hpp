// A small job as a request to NVRTC: compiled in a worker, or in this process.
#pragma once

#include "compile/identity/chosen_compiler.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "small_job.hpp"
#include "worker/nvrtc/make_code.hpp"

#include <utility>

namespace kiln::test {

inline Request request_of(CompilerJob made) {
  Request request;
  request.compiler = *nvrtc_here();
  request.job = std::move(made);
  request.context.device_arch = request.job.arch;
  return request;
}

inline MadeCode compile_there(const CompilerJob& made) { return make_code_in_worker(request_of(made), false); }

inline bool compiles_there(const CompilerJob& made) { return compile_there(made).code->bytes.substr(1, 3) == "ELF"; }

inline MadeCode compile_here(const CompilerJob& made) {
  Request request = request_of(made);
  return make_code(request);
}

}  // namespace kiln::test
