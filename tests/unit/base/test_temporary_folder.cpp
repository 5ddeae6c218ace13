#include "base/temporary_folder.hpp"

#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

/// Older than the folders that nobody sweeps.
void make_old(const fs::path& path) {
  const struct timespec hour_ago[2] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), hour_ago, AT_SYMLINK_NOFOLLOW) == 0);
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
  fs::create_directory_symlink(parent / "target", parent / "kiln-tmp-link");
  make_old(parent / "kiln-tmp-link");
  parent.write("kiln-tmp-file", "x");
  make_old(parent / "kiln-tmp-file");
  fs::create_directory(parent / "kiln-tmp-others");
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::chown((parent / "kiln-tmp-others").c_str(), 12345, 12345) == 0);
  make_old(parent / "kiln-tmp-others");
  sweep_temporary_folders(parent.path().string());
  CHECK(fs::exists(used.path()));
  CHECK(fs::exists(parent / "kiln-nvcc-kept"));
  CHECK(fs::exists(parent / "target/file"));
  CHECK(fs::exists(parent / "kiln-tmp-file"));
  CHECK(fs::exists(parent / "kiln-tmp-others") == is_root);
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
