// A limit on the size of files, which batch systems set: an error of the write, and no signal that is noticed.
#include "base/file_size_limit.hpp"

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace file_size_limit_test {

using namespace kiln;
using namespace kiln::test;

namespace {

void limit_file_size(rlim_t bytes) {
  const struct rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const struct rlimit limit = {bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

bool is_default_and_free(int signal) {
  struct sigaction action = {};
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL &&
         ::sigismember(&blocked, signal) == 0;
}

bool is_pending(int signal) {
  sigset_t pending;
  ::sigpending(&pending);
  return ::sigismember(&pending, signal) == 1;
}

}  // namespace

TEST_CASE("A write beyond the limit is an error, leaves no file, and changes nothing of the signal") {
  const ScratchFolder folder;
  for (const rlim_t limit : {0U, 1U, 999U, 1000U, 3000U})
    CHECK(in_child([&] {
            limit_file_size(limit);
            const std::string bytes(1000, 'x');
            const int code =
                publish_file(FileSystem::real(), folder.path().string(), (folder / "file").string(), bytes);
            if (code != (limit < 1000 ? -EFBIG : 0)) return 1;
            if (std::filesystem::exists(folder / "file") != (code == 0)) return 2;
            return is_default_and_free(SIGXFSZ) && !is_pending(SIGXFSZ) ? 0 : 3;
          }) == 0);
}

TEST_CASE("A write of other code beyond the limit still ends the process") {
  const ScratchFolder folder;
  CHECK(in_child([&] {
          limit_file_size(0);
          publish_file(FileSystem::real(), folder.path().string(), (folder / "file").string(), "x");
          const int descriptor = ::open((folder / "other").c_str(), O_WRONLY | O_CREAT, 0600);
          [[maybe_unused]] const auto written = ::write(descriptor, "x", 1);
          return 1;
        }) == 128 + SIGXFSZ);
}

TEST_CASE("A signal that waits already is not taken away") {
  const ScratchFolder folder;
  CHECK(in_child([&] {
          limit_file_size(0);
          sigset_t set;
          ::sigemptyset(&set);
          ::sigaddset(&set, SIGXFSZ);
          ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
          ::raise(SIGXFSZ);
          publish_file(FileSystem::real(), folder.path().string(), (folder / "file").string(), "x");
          return is_pending(SIGXFSZ) ? 0 : 1;
        }) == 0);
}

TEST_CASE("Whether a size is allowed") {
  CHECK(in_child([] {
          limit_file_size(1000);
          return file_size_limit() == 1000 ? 0 : 1;
        }) == 0);
}

}  // namespace file_size_limit_test
