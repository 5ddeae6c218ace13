// kiln-worker: compiles for another process, which started it, until that one ends or closes the channel. It writes no
// file: Kiln's cache is the other process's business. Usage: kiln-worker PARENT, with a socket as standard input.
#include "base/file_system.hpp"
#include "compile/job_codec.hpp"
#include "compile/nvrtc_compile.hpp"
#include "compile/worker_channel.hpp"
#include "compile/worker_descriptors.hpp"
#include "end_with_parent.hpp"
#include "toolkit/library_identity.hpp"

#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace {

using namespace kiln;

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

std::optional<pid_t> process_number(std::string_view text) {
  pid_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

void make_trace_file() {
  const int memory = ::memfd_create("kiln-trace", MFD_CLOEXEC);
  if (memory < 0 || memory == worker_trace) return;
  ::dup2(memory, worker_trace);
  ::close(memory);
}

int work() {
  const auto wait = [](short events) {
    pollfd channel = {worker_channel, events, 0};
    ::poll(&channel, 1, -1);
  };
  set_log_handler([&](LogLevel level, const std::string& text) {
    send_message(worker_channel, Message::Type::log, std::string(1, static_cast<char>(level)).append(text), wait);
  });
  while (const auto message = receive_message(worker_channel, wait)) {
    const auto job = message->type == Message::Type::job ? decode_job(message->bytes) : std::nullopt;
    if (!job) {
      std::fprintf(stderr, "kiln-worker: the job is not of this version of Kiln\n");
      return 2;
    }
    if (!send_message(worker_channel, Message::Type::answer, answer(*job), wait)) break;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto parent = argc == 2 ? process_number(argv[1]) : std::nullopt;
  if (!parent) {
    std::fprintf(stderr, "kiln-worker compiles for programs that use Kiln, which start it; it is of no use by hand\n");
    return 2;
  }
  const rlimit no_core_files = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core_files);
  make_trace_file();
  kiln::worker::end_with_parent(*parent, worker_channel);
  ::_exit(work());  // no exit handlers: NVRTC's have nothing to do, and the other thread is still there
} catch (const std::exception& error) {
  std::fprintf(stderr, "kiln-worker: %s\n", error.what());
  ::_exit(1);
}
