#include "compile/worker_compile.hpp"

#include "base/log.hpp"
#include "compile/header_trace.hpp"
#include "compile/job_codec.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/stopped.hpp"
#include "compile/worker_descriptors.hpp"
#include "compile/worker_pool.hpp"
#include "compile/worker_program.hpp"
#include "toolkit/library_identity.hpp"

#include <kiln/error.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kiln {

namespace {

/// One that has started, or is not waited for any more.
std::unique_ptr<WorkerProcess> start_new(const std::string& program, const Stop& stop) {
  auto worker = std::make_unique<WorkerProcess>(program);
  if (worker->is_ready(StopWait(stop)) || stop.is_due()) return worker;
  const WorkerProcess::Death death = worker->end();
  throw Error("cannot start " + program + ": it " + death.how + ". " + death.last_words);
}

/// One that waits, else a new one; null where none can be started.
std::unique_ptr<WorkerProcess> find_worker(const std::string& program, const Stop& stop, bool must_be_new) {
  if (!must_be_new)
    if (auto idle = WorkerPool::get().take(program)) return idle;
  try {
    return start_new(program, stop);
  } catch (const Error& error) {
    log_message(LogLevel::info, std::string(error.what()) + ". Kiln compiles in this process instead");
    return nullptr;
  }
}

/// The answer to one job, which is the output or an error thrown; nothing where there was none, and then `death` tells
/// why.
std::optional<CompilerOutput> ask(std::unique_ptr<WorkerProcess> worker, const CompilerJob& job,
                                  const std::string& bytes, Stop::Clock::time_point start,
                                  WorkerProcess::Death& death) {
  std::string answer;
  const StopWait stop(job.stop);
  const auto outcome = worker->ask(bytes, stop, answer);
  if (outcome == WorkerProcess::Outcome::stopped) {
    worker.reset();
    throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
  }
  if (outcome == WorkerProcess::Outcome::lost) {
    death = worker->end();
    return std::nullopt;
  }
  try {
    auto output = decode_answer(answer);
    if (output) {
      WorkerPool::get().give_back(std::move(worker));
    } else {
      death = {"gave an answer that is not of this version of Kiln", worker->end().last_words};
    }
    return output;
  } catch (const Error&) {
    WorkerPool::get().give_back(std::move(worker));
    throw;
  }
}

[[noreturn]] void throw_lost(const CompilerJob& job, const std::string& program, const WorkerProcess::Death& death) {
  std::string message = "the compiler crashed on \"" + job.name + "\", twice: the process " + program +
                        ", in which NVRTC compiles, " + death.how;
  if (!death.last_words.empty()) message += ". It said:\n" + death.last_words;
  message +=
      "\nThis is a fault of the compiler, or of the machine's limits, rather than of the source; another "
      "version of the toolkit or another backend may compile it. arguments:";
  for (const std::string& argument : job.arguments) message += " " + argument;
  throw CompileError(message, death.last_words, job.arguments);
}

}  // namespace

bool has_workers() { return find_worker_program().has_value(); }

CompilerOutput compile_in_worker(const CompilerJob& job) {
  const auto start = Stop::Clock::now();
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  const auto program = find_worker_program();
  if (!program) return compile_with_nvrtc(nvrtc, job);
  std::optional<TraceFolder> trace;
  if (job.trace_headers) trace.emplace(worker_trace);
  const std::string bytes = encode_job(
      {job, nvrtc.path, library_identity(FileSystem::real(), nvrtc.path), trace ? trace->path() : std::string()});
  WorkerProcess::Death death;
  for (const bool is_second : {false, true}) {
    if (job.stop.is_due()) throw_stopped(job.name, job.stop, Stop::Clock::now() - start);
    auto worker = find_worker(*program, job.stop, is_second);
    if (!worker) return compile_with_nvrtc(nvrtc, job);
    if (auto output = ask(std::move(worker), job, bytes, start, death)) return *std::move(output);
    log_message(LogLevel::info, job.name + ": the process that compiled it " + death.how +
                                    (is_second ? "" : "; compiling again in a new one"));
  }
  throw_lost(job, *program, death);
}

}  // namespace kiln
