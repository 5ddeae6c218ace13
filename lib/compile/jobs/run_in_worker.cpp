#include "compile/jobs/run_in_worker.hpp"

#include "base/log.hpp"
#include "base/range.hpp"
#include "compile/compiler/stopped.hpp"
#include "compile/worker/worker_pool.hpp"
#include "compile/worker/worker_program.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace kiln {

namespace {

constexpr int most_deaths = 2;

/// One that has started, or where the stop was due first.
std::unique_ptr<WorkerProcess> start_new(const std::string& program, const Stop& stop) {
  const Range range("stage", "start kiln-worker");
  auto worker = std::make_unique<WorkerProcess>(program);
  const WorkerProcess::Start start = worker->wait_for_hello(stop);
  if (start == WorkerProcess::Start::ready || start == WorkerProcess::Start::stopped) return worker;
  throw Error("cannot start " + program + ": it " + worker->why_no_hello(start));
}

[[noreturn]] void throw_no_process(const WorkerRequest& request, const std::string& program, const std::string& why) {
  const char* const way_out =
      environment_has("KILN_WORKER")
          ? "unset KILN_WORKER, and Kiln takes its own"
          : "allow processes here (ulimit -u, ulimit -f, the rules of the sandbox or container)";
  throw WorkerError("no process can be started, and " + request.compiler + " works only in one, kiln-worker: " + why +
                        "; " + way_out +
                        ". Code that the cache has needs none: fill it elsewhere (kiln cache warm, kiln cache export), "
                        "or put the code into the program (kiln embed)",
                    {program});
}

/// One that waits, else a new one. Throws WorkerError.
std::unique_ptr<WorkerProcess> find_worker(const std::string& program, const WorkerRequest& request, bool must_be_new) {
  if (!must_be_new)
    if (auto idle = WorkerPool::get().take(program, request.group)) return idle;
  try {
    return start_new(program, request.stop);
  } catch (const Error& error) {
    throw_no_process(request, program, error.what());
  }
}

class JobRun {
 public:
  JobRun(const WorkerRequest& request, const std::function<Taken(std::string_view)>& take)
      : request_(request), take_(take) {}

  void run() {
    const auto program = find_worker_program();
    if (!program) {
      const std::string named = environment("KILN_WORKER").value_or("");
      throw_no_process(request_, named, "KILN_WORKER (" + named + ") names no program");
    }
    int deaths = 0;
    for (bool must_be_new = request_.leaves_state; deaths < most_deaths; must_be_new = true) {
      if (request_.stop.is_due()) throw_stopped(request_.name, request_.stop, Stop::Clock::now() - start_);
      auto worker = find_worker(*program, request_, must_be_new);
      if (is_done_by(std::move(worker))) return;
      if (is_unfit_ && !must_be_new) continue;
      const char* const next = ++deaths < most_deaths ? "; doing it again in a new one" : "";
      log_message(LogLevel::info, request_.name + ": the process that worked on it " + death_.how + next);
    }
    throw WorkerLost(*program, request_.compiler, death_.how, death_.error_output);
  }

 private:
  bool is_done_by(std::unique_ptr<WorkerProcess> worker) {
    std::string answer;
    const bool is_again = !death_.how.empty() && request_.bytes_after_death;
    const std::string again = is_again ? request_.bytes_after_death() : std::string();
    worker->join(request_.group);
    const auto outcome = worker->run(is_again ? again : request_.bytes, StopWait(request_.stop), answer);
    if (outcome == WorkerProcess::Outcome::stopped) {
      const std::string kept_folder = worker->kept_folder();
      worker.reset();
      throw_stopped(request_.name, request_.stop, Stop::Clock::now() - start_, kept_folder);
    }
    is_unfit_ = false;
    if (outcome == WorkerProcess::Outcome::lost) {
      death_ = worker->end();
      return false;
    }
    try {
      const Taken taken = take_(answer);
      if (taken == Taken::yes) leave(std::move(worker));
      if (taken != Taken::no) return true;
    } catch (const WorkerUnfit&) {
      is_unfit_ = true;
      death_ = {"has opened another library than the job needs", {}};
      return false;
    } catch (...) {
      leave(std::move(worker));
      throw;
    }
    death_ = {"gave an answer that is not of this version of Kiln", worker->end().error_output};
    return false;
  }

  void leave(std::unique_ptr<WorkerProcess> worker) const {
    if (!request_.leaves_state) WorkerPool::get().give_back(std::move(worker));
  }

  const WorkerRequest& request_;
  const std::function<Taken(std::string_view)>& take_;
  const Stop::Clock::time_point start_ = Stop::Clock::now();
  bool is_unfit_ = false;
  WorkerProcess::Death death_;
};

}  // namespace

WorkerLost::WorkerLost(const std::string& program, const std::string& compiler, const std::string& how,
                       std::string error_output)
    : Error("the process " + program + ", in which " + compiler + " works, " + how +
            (error_output.empty() ? "" : ". It said:\n" + error_output)),
      error_output_(std::move(error_output)) {}

void run_in_worker(const WorkerRequest& request, const std::function<Taken(std::string_view)>& take) {
  JobRun(request, take).run();
}

}  // namespace kiln
