// How workers are started: which program, from memory or a file, and what there is where none can be.
#include "base/owned_descriptor.hpp"
#include "base/spawn.hpp"
#include "compile/worker/worker_channel.hpp"
#include "compile/worker/worker_end.hpp"
#include "compile/worker/worker_program.hpp"
#include "compile/worker/worker_start.hpp"
#include "fake_worker.hpp"
#include "in_child.hpp"
#include "job_in_worker.hpp"
#include "toolkit/locate/library_identity.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace worker_start_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string carried(carried_worker);

/// Whether a worker of that program is there, started in that way.
bool serves(const std::string& program, WorkerOrigin origin) {
  WorkerProcess worker(program);
  return worker.wait_for_hello({}) == WorkerProcess::Start::ready && worker.can_serve(program) &&
         worker.origin() == origin;
}

/// Has a system call fail from now on, also in children.
bool forbid(int call, int error) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {4, program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// No process more; as a user to whom limits apply.
bool forbid_processes() {
  constexpr uid_t nobody = 65534;
  const rlimit limit = {0, 0};
  return ::setrlimit(RLIMIT_NPROC, &limit) == 0 && (::geteuid() != 0 || ::setuid(nobody) == 0);
}

constexpr int not_allowed = 77;

/// `body` as the first process of a namespace of its own; not_allowed where this user may make none.
template <class Body>
int in_own_namespace(int kind, Body body) {
  return in_child([&] { return ::unshare(kind) == 0 ? in_child(body) : not_allowed; });
}

/// The result of a test in a namespace: no mistake where there is none to be had.
bool is_right(int result) {
  if (result == not_allowed) MESSAGE("skipped: this user may not make a namespace, or not change it");
  return result == 0 || result == not_allowed;
}

bool write_to(const char* path, std::string_view text) {
  const OwnedDescriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  return ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

TEST_CASE("without any setting the carried worker is used, from memory, and serves") {
  EnvironmentGuard guard;
  guard.unset("KILN_WORKER");
  CHECK(find_worker_program() == carried);
  const CleanTemporaryFolder temporary;
  CHECK(serves(carried, WorkerOrigin::memory));
  CHECK(temporary.is_empty());
  CHECK(has_no_child());
}

TEST_CASE("a program that never says hello is not waited for without end, and is ended") {
  const FakeWorker fake("silent");
  WorkerProcess worker(KILN_FAKE_WORKER_PROGRAM);
  CHECK(worker.wait_for_hello({Stop::Clock::now()}) == WorkerProcess::Start::stopped);
  REQUIRE(worker.wait_for_hello({}, std::chrono::milliseconds(50)) == WorkerProcess::Start::silent);
  CHECK(worker.why_no_hello(WorkerProcess::Start::silent).find("does not answer") != std::string::npos);
}

TEST_CASE("the identity of the carried worker is the one of its file") {
  const ScratchFolder folder;
  const auto path = folder.write("kiln-worker", std::string(worker_image()));
  CHECK(library_identity(FileSystem::real(), path) == worker_image_identity());
}

TEST_CASE("an installed worker that others could replace is not used") {
  const ScratchFolder folder;
  const std::string path = folder.write("kiln-worker", std::string(worker_image()));
  const auto mode = [](const std::filesystem::path& file, unsigned bits) {
    std::filesystem::permissions(file, std::filesystem::perms(bits));
  };
  mode(path, 0755);
  CHECK(usable_worker(path) == path);
  const std::filesystem::path open_to_all = folder.path() / "open";
  std::filesystem::create_directory(open_to_all);
  mode(open_to_all, 0777);
  std::filesystem::create_symlink(path, open_to_all / "kiln-worker");
  CHECK(usable_worker(open_to_all / "kiln-worker") == path);  // what is started is the file, not the link
  std::filesystem::copy_file(path, open_to_all / "copy");
  CHECK_FALSE(usable_worker(open_to_all / "copy").has_value());
  mode(path, 0775);
  CHECK_FALSE(usable_worker(path).has_value());
  mode(path, 0755);
  if (::geteuid() == 0) {
    constexpr uid_t nobody = 65534;
    REQUIRE(::chown(path.c_str(), nobody, nobody) == 0);
    CHECK_FALSE(usable_worker(path).has_value());
  }
}

TEST_CASE("where nothing may be run from memory, the carried worker is started from a file, which is then gone") {
  const CleanTemporaryFolder temporary;
  CHECK(in_child([] {
          if (!forbid(SYS_memfd_create, EACCES)) return 1;
          return serves(carried, WorkerOrigin::private_file) ? 0 : 2;
        }) == 0);
  CHECK(temporary.is_empty());
}

TEST_CASE("where the system forbids to run what is in memory (vm.memfd_noexec), it is started from a file") {
  const CleanTemporaryFolder temporary;
  CHECK(is_right(in_own_namespace(CLONE_NEWPID, [] {
    if (!write_to("/proc/sys/vm/memfd_noexec", "2")) return not_allowed;
    return serves(carried, WorkerOrigin::private_file) ? 0 : 1;
  })));
  CHECK(temporary.is_empty());
}

TEST_CASE("without /proc the carried worker is started from a file, and compiles") {
  const CleanTemporaryFolder temporary;
  CHECK(is_right(in_own_namespace(CLONE_NEWNS, [] {
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return not_allowed;
    if (::mount("none", "/proc", "tmpfs", MS_RDONLY, nullptr) != 0) return not_allowed;
    if (!serves(carried, WorkerOrigin::private_file)) return 1;
    const bool compiles = compiles_there(job("__global__ void k() {}"));
    WorkerPool::get().clear();  // waits until the idle one has taken its folder away
    return compiles ? 0 : 2;
  })));
  CHECK(temporary.is_empty());
}

TEST_CASE("where it can be put nowhere it is an error, and SIGXFSZ is not raised") {
  const CleanTemporaryFolder temporary;
  CHECK(in_child([] {
          const rlimit small = {1000, 1000};
          if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
          try {
            const WorkerProcess worker(carried);
          } catch (const Error& error) {
            return std::string(error.what()).find("File too large") != std::string::npos ? 0 : 2;
          }
          return 3;
        }) == 0);
  CHECK(temporary.is_empty());
}

TEST_CASE("where the limit of processes is reached, starting is an error that says so") {
  CHECK(in_child([] {
          if (!forbid_processes()) return 1;
          try {
            const WorkerProcess worker(carried);
          } catch (const Error& error) {
            return std::string(error.what()).find("temporarily unavailable") != std::string::npos ? 0 : 2;
          }
          return 3;
        }) == 0);
}

TEST_CASE("a library that the user preloads does not disturb a worker") {
  const FakeWorker fake("compile");
  EnvironmentGuard guard;
  guard.set("LD_PRELOAD", KILN_PRELOADED_LIBRARY);
  const char* const sanitizer = std::getenv("ASAN_OPTIONS");
  guard.set("ASAN_OPTIONS", std::string(sanitizer == nullptr ? "" : sanitizer) + ":verify_asan_link_order=0");
  CHECK(compiles_there(job("__global__ void k() {}")));
  CHECK(fake.started().size() == 1);
}

TEST_CASE("a worker refuses a host of another build, and a host a worker") {
  int channel[2], control[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) == 0);
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) == 0);
  SpawnRequest request;
  request.arguments = {std::to_string(::getpid()), "60000"};
  request.input = channel[1];
  request.further = {control[1], -1};
  start_worker(carried, request);
  ::close(channel[1]), ::close(control[1]);
  const auto wait = [](int descriptor) {
    return [descriptor](short events) {
      pollfd socket = {descriptor, events, 0};
      ::poll(&socket, 1, -1);
    };
  };
  REQUIRE(send_message(channel[0], Message::Type::hello, "another", wait(channel[0])));
  const auto hello = receive_message(channel[0], wait(channel[0]));
  REQUIRE(hello.has_value());
  CHECK(hello->type == Message::Type::hello);
  CHECK(hello->bytes == worker_build());
  CHECK_FALSE(receive_message(channel[0], wait(channel[0])).has_value());
  const auto end = receive_message(control[0], wait(control[0]));
  REQUIRE(end.has_value());
  CHECK(decode_end(end->bytes)->code == 2);
  ::close(channel[0]), ::close(control[0]);

  const FakeWorker fake("other build");
  CHECK_FALSE(serves(KILN_FAKE_WORKER_PROGRAM, WorkerOrigin::program));
}

}  // namespace worker_start_test
