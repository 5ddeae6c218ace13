#include "compile/jobs/worker_compile.hpp"

#include "base/text_parts.hpp"
#include "base/word_list.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/jobs/run_in_worker.hpp"
#include "compile/options/known_options.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kiln {

namespace {

/// The user's own precompiled headers: --pch, --create-pch, --use-pch, --pch-dir and so on, with one dash or two.
bool is_of_precompiled_headers(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  option = option.substr(0, option.find_first_of("= "));
  return option == "pch" || option.starts_with("pch-") || option.ends_with("-pch");
}

bool has_precompiled_headers(const Request& request) {
  const std::vector<std::string>& options = request.job.arguments;
  return std::any_of(options.begin(), options.end(), is_of_precompiled_headers);
}

/// NVRTC keeps state in its process: precompiled headers, which it also uses after the headers' texts have changed, and
/// -opt-info.
bool leaves_state(const Request& request) {
  if (has_precompiled_headers(request)) return true;
  return std::any_of(request.job.arguments.begin(), request.job.arguments.end(), [](const std::string& option) {
    return option.find("opt-info") != option.npos || option.find("optimization-info") != option.npos;
  });
}

bool has_restrict(const Request& request) {
  const std::vector<std::string>& options = request.job.arguments;
  return std::any_of(options.begin(), options.end(),
                     [](const std::string& option) { return has_word("--restrict -restrict", trimmed(option)); });
}

bool is_before_cxx17(const Request& request) {
  const std::vector<std::string>& options = request.job.arguments;
  bool is_before = false;
  for (std::size_t at = 0; at < options.size();) {
    const ReadOption option = read_option(options, at);
    if (is_option(option, "--std")) is_before = has_word("c++03 c++11 c++14", option.value);
    at += option.words;
  }
  return is_before;
}

/// The group of jobs that may share a process. NVRTC applies --restrict to all later compiles of its process (up to at
/// least 13.5). It gives the __cpp_static_assert of C++17, its default, also to C++11 and C++14 (up to 13.0).
std::string nvrtc_group(const Request& request) {
  std::string group = is_before_cxx17(request) ? "before C++17" : "since C++17";
  return has_restrict(request) ? group + ", --restrict" : group;
}

[[noreturn]] void throw_crash(const std::string& name, const WorkerLost& lost,
                              const std::vector<std::string>& arguments) {
  std::string message = "the compiler crashed on \"" + name + "\", twice: " + lost.what() +
                        "\nThis is a fault of the compiler, or of the machine's limits, rather than of the source; "
                        "another version of the toolkit or another backend may compile it.";
  if (!arguments.empty()) message += " arguments:";
  for (const std::string& argument : arguments) message += " " + argument;
  throw CompileError(message, lost.error_output(), arguments);
}

template <class Job>
typename Job::Answer answer_of(const JobHead& head, const Job& job, const WorkerRequest& run,
                               const std::vector<std::string>& arguments) {
  try {
    return run_job(head, job, run);
  } catch (const WorkerLost& lost) {
    throw_crash(run.name, lost, arguments);
  }
}

}  // namespace

MadeCode make_code_in_worker(const Request& request, bool keep, const PchPlace& pch) {
  const bool by_nvcc = request.compiler.backend == Backend::nvcc;
  MakeCodeJob job{request, keep, pch};
  const JobHead head = job_head<MakeCodeJob>(by_nvcc ? JobLibrary() : nvrtc_for_job(request.compiler.identity));
  WorkerRequest run{request.job.name, by_nvcc ? "nvcc" : "NVRTC", request.job.stop, leaves_state(request)};
  if (!by_nvcc) run.group = nvrtc_group(request);
  if (!pch.folder.empty())
    run.bytes_after_death = [&head, &job] {
      job.pch.has_crashed = true;
      return job_bytes(head, job);
    };
  return answer_of(head, job, run, request.job.arguments);
}

NvvmCode run_nvvm_in_worker(std::string_view ir, const Request& request) {
  const NvvmJob job{std::string(ir), request, libdevice_for_job(request)};
  const WorkerRequest run{request.job.name, "libnvvm", request.job.stop};
  return answer_of(job_head<NvvmJob>(nvvm_for_job()), job, run, request.job.arguments);
}

std::string preprocess_in_worker(const std::string& nvcc, const CompilerJob& job) {
  const WorkerRequest run{job.name, "nvcc", job.stop};
  return answer_of(job_head<PreprocessJob>(), PreprocessJob{nvcc, job}, run, job.arguments);
}

NvccVersion nvcc_version_in_worker(const std::string& nvcc) {
  const Stop soon{Stop::Clock::now() + std::chrono::minutes(1)};
  try {
    return run_job(NvccVersionJob{nvcc}, {nvcc, "nvcc", soon});
  } catch (const CompileStopped&) {
    throw ToolkitError(nvcc + " --version printed no version: it did not end within a minute", {nvcc});
  } catch (const WorkerLost& lost) {
    throw ToolkitError(nvcc + " --version: " + lost.what(), {nvcc});
  }
}

}  // namespace kiln
