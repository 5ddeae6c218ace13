// Runs one job in a worker.
#pragma once

#include "base/stop.hpp"
#include "compile/jobs/worker_job.hpp"
#include "compile/worker/worker_answer.hpp"

#include <kiln/error.hpp>

#include <functional>
#include <string>
#include <string_view>

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
JobHead job_head(JobKind kind, JobLibrary library = {});

/// The same with the job's and the answer's types.
template <class Result, class Job>
Result run_job(const JobHead& head, const Job& job, WorkerRequest request) {
  WireWriter out;
  out(head, job);
  request.bytes = out.take();
  Result result;
  const auto take = [&result](std::string_view answer) {
    result = {};
    if (!decode_answer(answer, result)) return Taken::no;
    return leaves_state(result) ? Taken::last : Taken::yes;
  };
  run_in_worker(request, take);
  return result;
}

}  // namespace kiln
