#include "serve.hpp"

#include "base/file_system.hpp"
#include "compile/job_codec.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/worker_build.hpp"
#include "compile/worker_channel.hpp"
#include "compile/worker_descriptors.hpp"
#include "toolkit/library_identity.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>

namespace kiln::worker {

namespace {

/// The very library that the key means, which may have been replaced since.
const NvrtcLibrary& library_for(const WorkerJob& job) {
  if (library_identity(FileSystem::real(), job.nvrtc) != job.identity)
    throw ToolkitError(
        "the compiler library " + job.nvrtc + " was replaced while the program ran: start the program again",
        {job.nvrtc});
  return NvrtcLibrary::get(job.nvrtc);
}

std::string answer(const WorkerJob& job) try {
  const NvrtcLibrary& nvrtc = library_for(job);
  const HeaderTrace trace(job.trace_folder, worker_trace);
  return encode_output(compile_with_nvrtc(nvrtc, job.job, &trace));
} catch (...) {
  return encode_error(std::current_exception());
}

void make_trace_file() {
  const int memory = ::memfd_create("kiln-trace", MFD_CLOEXEC);
  if (memory < 0 || memory == worker_trace) return;
  ::dup2(memory, worker_trace);
  ::close(memory);
}

void wait_for_channel(short events) {
  pollfd channel = {worker_channel, events, 0};
  ::poll(&channel, 1, -1);
}

bool comes_within(std::chrono::milliseconds time) {
  pollfd channel = {worker_channel, POLLIN, 0};
  return ::poll(&channel, 1, static_cast<int>(time.count())) != 0;
}

}  // namespace

bool greet(std::chrono::milliseconds longest_idle) {
  send_message(worker_channel, Message::Type::hello, worker_build(), wait_for_channel);
  if (!comes_within(longest_idle)) return false;
  const auto hello = receive_message(worker_channel, wait_for_channel);
  if (!hello) return false;
  const bool is_same = hello->type == Message::Type::hello && hello->bytes == worker_build();
  if (!is_same) std::fprintf(stderr, "kiln-worker: the program that started it is of another build of Kiln\n");
  return is_same;
}

int serve(std::chrono::milliseconds longest_idle) {
  make_trace_file();
  set_log_handler([](LogLevel level, const std::string& text) {
    send_message(worker_channel, Message::Type::log, std::string(1, static_cast<char>(level)).append(text),
                 wait_for_channel);
  });
  while (comes_within(longest_idle)) {
    const auto message = receive_message(worker_channel, wait_for_channel);
    if (!message) break;
    const auto job = message->type == Message::Type::job ? decode_job(message->bytes) : std::nullopt;
    if (!job) {
      std::fprintf(stderr, "kiln-worker: the job is not of this version of Kiln\n");
      return 2;
    }
    if (!send_message(worker_channel, Message::Type::answer, answer(*job), wait_for_channel)) break;
  }
  return 0;
}

}  // namespace kiln::worker
