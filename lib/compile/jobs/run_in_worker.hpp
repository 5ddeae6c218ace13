// Runs one job in a worker.
#pragma once

#include "base/environment.hpp"
#include "base/range.hpp"
#include "base/stop.hpp"
#include "base/temporary_folder.hpp"
#include "compile/jobs/wire_values.hpp"
#include "compile/worker/worker_answer.hpp"

#include <kiln/error.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace kiln {

/// The worker died of the job, and so did the next one.
class WorkerLost : public Error {
 public:
  /// `compiler`: "NVRTC"; `how`: "was ended by signal 11 (SIGSEGV)".
  WorkerLost(const std::string& program, const std::string& compiler, const std::string& how, std::string error_output);
  const std::string& error_output() const noexcept { return error_output_; }

 private:
  std::string error_output_;
};

struct WorkerRequest {
  std::string name;           // of what is compiled
  std::string compiler;       // "NVRTC", for the error of a crash
  Stop stop = {};             // the worker is killed when it is due
  bool leaves_state = false;  // the job changes results of later jobs of its process, so it gets a worker of its own
  std::string group = {};     // no worker does jobs of two groups; a job without a group may use any worker
  std::string bytes = {};     // JobHead and job
  /// What a second worker is given after the death of the first; the same where empty.
  std::function<std::string()> bytes_after_death = {};
};

/// What an answer is to the host. `last`: after this result the worker must not get another job.
enum class Taken { no, yes, last };

/// Has a worker do the job: one that is idle, else a new one. `take` is given the answer, and says whether it was one.
/// A worker that dies by itself is replaced once for the job. Throws WorkerError where no process can be started now,
/// CompileStopped, WorkerLost, and what `take` throws. Thread-safe, also in a child of fork.
void run_in_worker(const WorkerRequest& request, const std::function<Taken(std::string_view answer)>& take);

/// Whether a job with that result changes results of later jobs of its process. Overloaded where such results are
/// declared.
template <class Result>
bool leaves_state(const Result&) {
  return false;
}

/// What a job begins with, in this process as it is now.
template <class Job>
JobHead job_head(JobLibrary library = {}) {
  return {job_kind<Job>, std::move(library), all_variables(), temporary_files(), range_sink() != nullptr};
}

/// The bytes of WorkerRequest.
template <class Job>
std::string job_bytes(const JobHead& head, const Job& job) {
  WireWriter out;
  out(head, job);
  return out.take();
}

/// The same with the types of the job and its answer.
template <class Job>
typename Job::Answer run_job(const JobHead& head, const Job& job, WorkerRequest request) {
  request.bytes = job_bytes(head, job);
  typename Job::Answer result;
  const auto take = [&result](std::string_view answer) {
    result = {};
    if (!decode_answer(answer, result)) return Taken::no;
    return leaves_state(result) ? Taken::last : Taken::yes;
  };
  run_in_worker(request, take);
  return result;
}
template <class Job>
typename Job::Answer run_job(const Job& job, WorkerRequest request) {
  return run_job(job_head<Job>(), job, std::move(request));
}

}  // namespace kiln
