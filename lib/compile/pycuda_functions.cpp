// PyCUDA's functions that are about nvcc alone.
#include <kiln/compile.hpp>

#include "compile/code_data.hpp"
#include "compile/nvcc_compile.hpp"
#include "compile/nvcc_environment.hpp"
#include "toolkit/nvcc.hpp"

#include <kiln/error.hpp>

#include <utility>

namespace kiln {

namespace {

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

CompilerJob verbatim_job(std::string_view source, const std::vector<std::string>& options) {
  CompilerJob job;
  job.source = std::string(source);
  job.name = "kernel.cu";
  job.arguments = nvcc_environment_options_before();
  append(job.arguments, options);
  job.verbatim = true;
  return job;
}

}  // namespace

CodeObject compile_plain(std::string_view source, const CompileOptions& options) {
  if (options.backend == Backend::nvrtc)
    throw ArgumentError("compile_plain compiles by nvcc: ask compile for NVRTC", {}, ArgumentError::no_index,
                        "Backend::nvcc or Backend::automatic", "Backend::nvrtc");
  CompilerJob job = verbatim_job(source, options.options);
  for (const Define& define : options.defines) job.arguments.push_back("-D" + define.name + "=" + define.value);
  for (const auto& folder : options.include_dirs) job.arguments.push_back("-I" + folder.string());
  append(job.arguments, nvcc_environment_options_after());
  if (!options.name.empty()) job.name = options.name;
  job.arch = options.arch;
  job.code = options.code;
  job.target = options.target;
  job.headers = options.headers;
  job.name_expressions = options.name_expressions;
  job.keep = options.keep;
  job.stop.cancel = options.cancel;
  if (options.timeout.count() > 0) job.stop.deadline = Stop::Clock::now() + options.timeout;

  CompilerOutput output = compile_with_nvcc(require_nvcc(options.nvcc), job);
  auto code = std::make_shared<CodeData>();
  code->own(std::move(output.code));
  code->target = job.target;
  code->backend = Backend::nvcc;
  code->log = std::move(output.log);
  code->lowered_names = std::move(output.lowered_names);
  const bool tells_arch = job.target == Target::cubin || job.target == Target::ptx;
  code->arch = tells_arch ? code->info().arch : job.arch;
  return CodeObject(std::move(code), false);
}

std::string preprocess_source(std::string_view source, const std::vector<std::string>& options,
                              const std::string& nvcc) {
  CompilerJob job = verbatim_job(source, options);
  append(job.arguments, nvcc_environment_options_after());
  job.preprocess_only = true;
  return compile_with_nvcc(require_nvcc(nvcc), job).code;
}

}  // namespace kiln
