#include "compile/jobs/ask_worker.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/temporary_folder.hpp"
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
  auto worker = std::make_unique<WorkerProcess>(program);
  const WorkerProcess::Start start = worker->wait_for_hello(stop);
  if (start == WorkerProcess::Start::ready || start == WorkerProcess::Start::stopped) return worker;
  throw Error("cannot start " + program + ": it " + worker->why_no_hello(start));
}

/// One that waits, else a new one; null where none can be started.
std::unique_ptr<WorkerProcess> find_worker(const std::string& program, const Stop& stop, bool must_be_new) {
  if (!must_be_new)
    if (auto idle = WorkerPool::get().take(program)) return idle;
  try {
    return start_new(program, stop);
  } catch (const Error& error) {
    log_message(LogLevel::info, error.what());
    return nullptr;
  }
}

class Asking {
 public:
  Asking(const WorkerAsk& ask, const std::function<bool(std::string_view)>& take) : ask_(ask), take_(take) {}

  bool run() {
    const auto program = find_worker_program();
    if (!program) {
      log_message(LogLevel::info, "KILN_WORKER (" + environment("KILN_WORKER").value_or("") + ") names no program");
      return false;
    }
    int deaths = 0;
    for (bool must_be_new = false; deaths < most_deaths; must_be_new = true) {
      if (ask_.stop.is_due()) throw_stopped(ask_.name, ask_.stop, Stop::Clock::now() - start_);
      auto worker = find_worker(*program, ask_.stop, must_be_new);
      if (!worker) return false;
      if (is_done_by(std::move(worker))) return true;
      if (is_unfit_ && !must_be_new) continue;
      const char* const next = ++deaths < most_deaths ? "; doing it again in a new one" : "";
      log_message(LogLevel::info, ask_.name + ": the process that worked on it " + death_.how + next);
    }
    throw WorkerLost(*program, ask_.compiler, death_.how, death_.error_output);
  }

 private:
  bool is_done_by(std::unique_ptr<WorkerProcess> worker) {
    std::string answer;
    const auto outcome = worker->ask(ask_.bytes, StopWait(ask_.stop), answer);
    if (outcome == WorkerProcess::Outcome::stopped) {
      const std::string kept_folder = worker->kept_folder();
      worker.reset();
      throw_stopped(ask_.name, ask_.stop, Stop::Clock::now() - start_, kept_folder);
    }
    is_unfit_ = false;
    if (outcome == WorkerProcess::Outcome::lost) {
      death_ = worker->end();
      return false;
    }
    try {
      if (take_(answer)) return leave(std::move(worker));
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

  bool leave(std::unique_ptr<WorkerProcess> worker) const {
    if (!ask_.spoils_worker) WorkerPool::get().give_back(std::move(worker));
    return true;
  }

  const WorkerAsk& ask_;
  const std::function<bool(std::string_view)>& take_;
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

bool ask_worker(const WorkerAsk& ask, const std::function<bool(std::string_view)>& take) {
  return Asking(ask, take).run();
}

JobHead job_head(JobKind kind, JobLibrary library) {
  return {kind, std::move(library), all_variables(), temporary_files()};
}

}  // namespace kiln
