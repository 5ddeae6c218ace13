#include "worker/answer_job.hpp"

#include "base/environment.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/jobs/wire_values.hpp"
#include "compile/request/bundled_headers.hpp"
#include "compile/worker/worker_answer.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"
#include "worker/compile_with_dependencies.hpp"
#include "worker/compiler_memory.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvcc/nvcc_version.hpp"
#include "worker/nvcc/run_nvcc.hpp"
#include "worker/nvjitlink/run_nvjitlink.hpp"
#include "worker/nvrtc/make_code.hpp"
#include "worker/nvrtc/unpack_headers.hpp"
#include "worker/nvvm/run_nvvm.hpp"
#include "worker/own_headers.hpp"
#include "worker/remote/remote_jobs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <utility>
#include <vector>

namespace kiln {

namespace {

MadeCode run(MakeCodeJob& job) {
  // A precompiled header outlasts this process, its own headers do not.
  if (needs_bundled_headers(job.request)) job.pch = {};
  const std::string lacking = give_own_headers(job.request);
  const bool by_nvcc = job.request.compiler.backend == Backend::nvcc;
  // The headers that were read also decide whether late macros are refused and whether nvcc is needed.
  if (job.keep || !job.request.job.late_defines.empty() || (!by_nvcc && job.request.may_include)) {
    MadeCode made = compile_with_dependencies(job.request, job.pch);
    if (!job.keep) made.headers = {};
    if (!lacking.empty()) made.headers.refusal.add(Counter::refused_unknown_headers, lacking);
    return made;
  }
  return make_code(job.request,
                   [by_nvcc](Request& request) { return by_nvcc ? run_nvcc(request) : run_nvrtc(request); });
}

NvvmCode run(NvvmJob& job) { return run_nvvm(job); }

LinkResult run(LinkTask& task) {
  task.order.options = &task.options;
  LinkResult result{run_nvjitlink(task.order)};
  const LinkInputs& inputs = task.order.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].get() == result.outcome.failed_input) result.failed_input = i + 1;
  return result;
}

std::string run(PreprocessJob& job) { return compile_with_nvcc(job.nvcc, job.job).code; }

NvccVersion run(NvccVersionJob& job) { return version_of_nvcc(job.nvcc); }

Version run(NvJitLinkVersionJob&) { return NvJitLinkLibrary::get().version_number(); }

/// For this user's eyes alone, whatever the umask.
std::string run(UnpackHeadersJob& job) {
  const mode_t before = ::umask(077);
  try {
    unpack_headers(job.folder);
  } catch (...) {
    ::umask(before);
    throw;
  }
  ::umask(before);
  return job.folder;
}

RemoteFound run(RemoteGetJob& job) { return get_from_remotes(job); }

std::string run(RemotePutJob& job) { return put_at_remotes(job); }

std::string run(RemoteWaitJob& job) { return wait_for_remote_claim(job); }

std::string run(RemoteReleaseJob& job) { return release_remote_claim(job); }

RemoteReports run(RemoteReportJob& job) { return report_of_remotes(job); }

RemoteListed run(RemoteListJob& job) { return list_remote(job); }

RemotePushed run(RemotePushJob& job) { return push_to_remote(job); }

/// This process's own TMPDIR stays, which ends with it. Libraries may hold what getenv gave them, so that the variables
/// stay where they are as long as they are the same.
void take_on(std::vector<std::string> variables) {
  static const std::optional<std::string> own_folder = environment("TMPDIR");
  static std::vector<std::string> texts;
  static std::vector<char*> pointers;
  static const bool had_folder = own_folder && ::access(own_folder->c_str(), W_OK) == 0;
  if (had_folder && ::access(own_folder->c_str(), W_OK) != 0) throw WorkerUnfit{};  // somebody cleared TMPDIR
  if (own_folder) {
    std::erase_if(variables, [](const std::string& variable) { return variable.starts_with("TMPDIR="); });
    variables.push_back("TMPDIR=" + *own_folder);
  }
  if (variables == texts) return;
  texts = std::move(variables);
  pointers.clear();
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  ::environ = pointers.data();
}

template <class Job>
std::optional<std::string> answer(WireReader& in, JobHead& head) {
  Job job;
  in(job);
  if (!in.is_whole()) return std::nullopt;
  try {
    take_on(std::move(head.environment));
    keep_folders_below(std::move(head.temporary_files));
    open_for_job(head.library);
    if (head.library.kind == JobLibrary::Kind::nvrtc) populate_memory();
    return encode_result(run(job));
  } catch (...) {
    return encode_failure(std::current_exception());
  }
}

}  // namespace

std::optional<std::string> answer_job(std::string_view bytes, const RangeSink* ranges) {
  WireReader in(bytes);
  JobHead head;
  in(head);
  set_range_sink(head.has_ranges ? ranges : nullptr);
  std::optional<std::string> answered;
  const auto answer_first = [&]<class... All>(const std::tuple<All...>*) {
    (void)((head.kind == job_kind<All> && (answered = answer<All>(in, head), true)) || ...);
  };
  answer_first(static_cast<const Jobs*>(nullptr));
  return answered;
}

}  // namespace kiln
