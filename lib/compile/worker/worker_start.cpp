#include "compile/worker/worker_start.hpp"

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/owned_descriptor.hpp"
#include "base/temporary_folder.hpp"
#include "compile/worker/worker_program.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace kiln {

namespace {

#ifndef MFD_EXEC
constexpr unsigned MFD_EXEC = 0x10;
#endif

[[noreturn]] void throw_no_image(const std::string& place, int error) {
  const std::string reason = place + ": " + std::generic_category().message(error);
  throw NotStarted("cannot start " + std::string(carried_worker) + ": " + reason, error);
}

void write_image(int file, const std::string& place) {
  if (const int code = write_all(FileSystem::real(), file, worker_image()); code != 0) throw_no_image(place, -code);
}

OwnedDescriptor image_in_memory() {
  int file = ::memfd_create("kiln-worker", MFD_CLOEXEC | MFD_EXEC);
  if (file < 0 && errno == EINVAL) file = ::memfd_create("kiln-worker", MFD_CLOEXEC);  // before Linux 6.3
  OwnedDescriptor memory(file);
  if (file < 0) throw_no_image("memfd_create", errno);
  write_image(file, "memfd_create");
  return memory;
}

pid_t start_from_memory(SpawnRequest request) {
  const OwnedDescriptor image = image_in_memory();
  request.program = "/proc/self/fd/" + std::to_string(3 + request.further.size());  // as the child has it
  request.further.push_back(image.get());
  return spawn_orphan(request);
}

void write_program(const std::string& path) {
  const OwnedDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU));
  if (file.get() < 0) throw_no_image(path, errno);
  write_image(file.get(), path);
}

/// While it is written, another thread may fork, and until that child has started its program this one is busy.
pid_t start_when_closed(const SpawnRequest& request) {
  for (int tries = 0;; ++tries) try {
      return spawn_orphan(request);
    } catch (const NotStarted& failure) {
      if (failure.error() != ETXTBSY || tries == 100) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

pid_t start_from_file(SpawnRequest request) {
  const TemporaryFolder folder(temporary_files(), "program");
  if (folder.error() != 0) throw_no_image(temporary_files(), folder.error());
  request.program = folder.path() + "/kiln-worker";
  write_program(request.program);
  return start_when_closed(request);
}

}  // namespace

StartedWorker start_worker(const std::string& program, SpawnRequest request) {
  const bool is_carried = program == carried_worker;
  request.arguments.insert(request.arguments.begin(), is_carried ? "kiln-worker" : program);
  if (!is_carried) return {spawn_orphan(request), WorkerOrigin::program};
  try {
    return {start_from_memory(request), WorkerOrigin::memory};
  } catch (const NotStarted& error) {
    if (error.error() == EAGAIN || error.error() == ENOMEM) throw;  // no process can be started at all
    log_message(LogLevel::debug, std::string(error.what()) + ". Kiln starts it from a private file instead");
  }
  return {start_from_file(std::move(request)), WorkerOrigin::private_file};
}

}  // namespace kiln
