// PyCUDA's functions that are about nvcc alone.
#include "base/argument_error.hpp"
#include "base/file_system.hpp"
#include "base/fork_safe_instance.hpp"
#include "base/fork_safe_mutex.hpp"
#include "compile/compiler.hpp"
#include "compile/identity/nvcc_environment.hpp"
#include "compile/jobs/worker_compile.hpp"
#include "compile/request/request.hpp"
#include "toolkit/locate/nvcc.hpp"

#include <kiln/compile.hpp>

#include <map>
#include <mutex>
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

namespace {

struct NvccVersions {
  ForkSafeMutex mutex;
  std::map<std::pair<std::string, FileState>, NvccVersion> known;  // by path and state
};

}  // namespace

/// Asked once for each state of that file.
NvccVersion get_nvcc_version(const std::string& nvcc) {
  const std::string path = require_nvcc(nvcc);
  FileStatus status;
  FileSystem::real().status(path, status);
  const std::pair state(path, status.state());
  auto& memo = fork_safe_instance<NvccVersions>();
  {
    const std::lock_guard lock(memo.mutex);
    if (const auto found = memo.known.find(state); found != memo.known.end()) return found->second;
  }
  const NvccVersion version = nvcc_version_in_worker(path);
  const std::lock_guard lock(memo.mutex);
  memo.known[state] = version;
  return version;
}

}  // namespace kiln
