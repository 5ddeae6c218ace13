#include "base/temporary_folder.hpp"

#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace temporary_folder_test {

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

/// Older than the folders that nobody sweeps.
void make_old(const fs::path& path) {
  const struct timespec long_ago[2] = {{::time(nullptr) - 7200, 0}, {::time(nullptr) - 7200, 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), long_ago, AT_SYMLINK_NOFOLLOW) == 0);
}

/// What a process that is killed in its work leaves.
fs::path leave(const ScratchFolder& parent) {
  const int status = in_child([&] {
    const TemporaryFolder folder(parent.path().string(), "left");
    write_file(fs::path(folder.path()) / "sub/file", "x");
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  REQUIRE(status == 128 + SIGKILL);
  for (const auto& entry : fs::directory_iterator(parent.path()))
    if (entry.path().filename().string().starts_with("kiln-tmp-left-")) return entry.path();
  FAIL("nothing was left");
  return {};
}

}  // namespace

TEST_CASE("A temporary folder is private, and removed with all in it") {
  const ScratchFolder parent;
  {
    const TemporaryFolder folder(parent.path().string(), "test");
    REQUIRE(folder.error() == 0);
    CHECK((fs::status(folder.path()).permissions() & fs::perms::all) == fs::perms::owner_all);
    write_file(fs::path(folder.path()) / "sub/file", "x");
  }
  CHECK(fs::is_empty(parent.path()));
  CHECK(TemporaryFolder((parent / "absent").string(), "test").error() == ENOENT);
}

TEST_CASE("What a killed process left is swept when it is old") {
  const ScratchFolder parent;
  const fs::path left = leave(parent);
  sweep_temporary_folders(parent.path().string());
  CHECK(fs::exists(left));  // young: its maker may be about to lock it
  make_old(left);
  sweep_temporary_folders(parent.path().string());
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("What is in use, another's, or of another name is not swept") {
  const ScratchFolder parent;
  const TemporaryFolder used(parent.path().string(), "used");
  make_old(used.path());
  fs::create_directory(parent / "kiln-nvcc-kept");
  make_old(parent / "kiln-nvcc-kept");
  fs::create_directory(parent / "target");
  write_file(parent / "target/file", "x");
  make_old(parent / "target");
  fs::create_directory_symlink(parent / "target", parent / "kiln-tmp-link-123456");
  make_old(parent / "kiln-tmp-link-123456");
  parent.write("kiln-tmp-file-123456", "x");
  make_old(parent / "kiln-tmp-file-123456");
  for (const char* name :
       {"kiln-tmp-of_mine", "kiln-tmp-of-mine", "kiln-tmp-12345", "kiln-tmp-123456", "kiln-tmp--12_456"}) {
    REQUIRE(::mkdir((parent / name).c_str(), 0700) == 0);
    make_old(parent / name);
  }
  REQUIRE(::mkdir((parent / "kiln-tmp-open-123456").c_str(), 0700) == 0);
  fs::permissions(parent / "kiln-tmp-open-123456", fs::perms(0755));
  make_old(parent / "kiln-tmp-open-123456");
  const fs::path others = parent / "kiln-tmp-others-123456";
  REQUIRE(::mkdir(others.c_str(), 0700) == 0);
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::chown(others.c_str(), 12345, 12345) == 0);
  make_old(others);
  sweep_temporary_folders(parent.path().string());
  CHECK(fs::exists(used.path()));
  CHECK(fs::exists(parent / "kiln-nvcc-kept"));
  CHECK(fs::exists(parent / "target/file"));
  for (const char* name : {"kiln-tmp-file-123456", "kiln-tmp-of_mine", "kiln-tmp-of-mine", "kiln-tmp-12345",
                           "kiln-tmp-123456", "kiln-tmp--12_456", "kiln-tmp-open-123456"})
    CHECK_MESSAGE(fs::exists(parent / name), std::string(name));
  CHECK(fs::exists(others) == is_root);
}

TEST_CASE("Without a descriptor for its lock there is no folder: another process would sweep it") {
  const ScratchFolder parent;
  CHECK(in_child([&] {
          const struct rlimit none = {3, 3};
          ::setrlimit(RLIMIT_NOFILE, &none);
          return TemporaryFolder(parent.path().string(), "test").error() == EMFILE ? 0 : 1;
        }) == 0);
  CHECK(fs::is_empty(parent.path()));
}

TEST_CASE("A child of fork leaves its parent's folder alone") {
  const ScratchFolder parent;
  auto folder = std::make_unique<TemporaryFolder>(parent.path().string(), "test");
  CHECK(in_child([&] {
          folder.reset();
          return 0;
        }) == 0);
  CHECK(fs::exists(folder->path()));
}

}  // namespace temporary_folder_test
