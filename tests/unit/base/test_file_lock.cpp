#include "base/file_lock.hpp"

#include "fault_file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace file_lock_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct LockFixture {
  ScratchFolder folder;
  std::string path = (folder / "lock").string();
  int try_again(std::int64_t offset = 5) {
    FileLock lock(FileSystem::real());
    REQUIRE(lock.open(path) == 0);
    return lock.try_lock(offset);
  }
};

struct Pipe {
  std::array<int, 2> ends = {-1, -1};
  Pipe() { REQUIRE(pipe(ends.data()) == 0); }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  void tell() const { REQUIRE(write(ends[1], "x", 1) == 1); }
  /// False where the other end is closed instead.
  bool wait() const {
    char byte = 0;
    return read(ends[0], &byte, 1) == 1;
  }
};

}  // namespace

TEST_CASE("a lock excludes other objects of this process, for its byte only") {
  LockFixture f;
  FileLock lock(FileSystem::real());
  CHECK(lock.try_lock(5) == -EBADF);
  REQUIRE(lock.open(f.path) == 0);
  REQUIRE(lock.try_lock(5) == 0);
  CHECK(f.try_again(5) == -EAGAIN);
  CHECK(f.try_again(6) == 0);
  CHECK(f.try_again((std::int64_t{1} << 62) + 1) == 0);
  lock.close();
  CHECK(f.try_again(5) == 0);
}

TEST_CASE("a lock file that is a link is refused") {
  LockFixture f;
  std::filesystem::create_symlink(f.folder / "other", f.path);
  FileLock lock(FileSystem::real());
  CHECK(lock.open(f.path) == -ELOOP);
  CHECK_FALSE(std::filesystem::exists(f.folder / "other"));
}

TEST_CASE("a holder that is killed frees its lock") {
  LockFixture f;
  Pipe locked;
  const pid_t child = fork();
  if (child == 0) {
    FileLock lock(FileSystem::real());
    if (lock.open(f.path) != 0 || lock.try_lock(5) != 0) _exit(1);
    locked.tell();
    pause();
  }
  REQUIRE(locked.wait());
  CHECK(f.try_again() == -EAGAIN);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(f.try_again() == 0);
}

TEST_CASE("a child of fork has no part in its parent's lock, and does not release it") {
  LockFixture f;
  FileLock lock(FileSystem::real());
  REQUIRE(lock.open(f.path) == 0);
  REQUIRE(lock.try_lock(5) == 0);
  CHECK(in_child([&] {
          const bool closed = lock.descriptor() == -1 && lock.try_lock(5) == -EBADF;
          lock.close();
          return closed && f.try_again() == -EAGAIN ? 0 : 1;
        }) == 0);
  CHECK(f.try_again() == -EAGAIN);
  lock.close();
  CHECK(f.try_again() == 0);
}

TEST_CASE("a child that lives on does not keep the lock of a parent that was killed") {
  LockFixture f;
  Pipe forked, hold;
  const pid_t parent = fork();
  if (parent == 0) {
    FileLock lock(FileSystem::real());
    if (lock.open(f.path) != 0 || lock.try_lock(5) != 0) _exit(1);
    if (fork() == 0) {
      close(hold.ends[1]);
      forked.tell();
      hold.wait();  // until the test closes its end
      _exit(0);
    }
    pause();
  }
  REQUIRE(forked.wait());
  CHECK(f.try_again() == -EAGAIN);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  CHECK(f.try_again() == 0);
}

TEST_CASE("an error that means no locks is not taken for a lock that another has") {
  CHECK(FileLock::has_no_locks(-ENOLCK));
  CHECK(FileLock::has_no_locks(-ENOSYS));
  CHECK(FileLock::has_no_locks(-EOPNOTSUPP));
  CHECK_FALSE(FileLock::has_no_locks(-EAGAIN));
  CHECK_FALSE(FileLock::has_no_locks(-EIO));
  CHECK_FALSE(FileLock::has_no_locks(0));
}

}  // namespace file_lock_test
