// PyCUDA's functions that are about nvcc alone.
#include <kiln/compile.hpp>

#include "base/argument_error.hpp"
#include "compile/compiler.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/request/request.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <utility>

namespace kiln {

namespace {

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

CompilerJob verbatim_job(std::string_view source, const std::string& name, const std::vector<std::string>& options) {
  CompilerJob job;
  job.source = std::string(source);
  job.name = name;
  job.arguments = nvcc_environment_options_before();
  append(job.arguments, options);
  job.verbatim = true;
  return job;
}

}  // namespace

CodeObject compile_plain(std::string_view source, const CompileOptions& options) {
  if (options.backend == Backend::nvrtc)
    throw_argument_error("compile_plain compiles by nvcc: ask compile for NVRTC", "Backend::nvcc or Backend::automatic",
                         "Backend::nvrtc");
  CompileContext context;
  context.plain = true;
  return compile_for(source, options, context);
}

std::string preprocess_source(std::string_view source, const std::vector<std::string>& options,
                              const std::string& nvcc) {
  return preprocess_named_source(source, default_source_name, options, nvcc);
}

std::string preprocess_named_source(std::string_view source, const std::string& name,
                                    const std::vector<std::string>& options, const std::string& nvcc) {
  CompilerJob job = verbatim_job(source, name, options);
  append(job.arguments, nvcc_environment_options_after());
  job.preprocess_only = true;
  return preprocess_in_worker(require_nvcc(nvcc), job);
}

}  // namespace kiln
