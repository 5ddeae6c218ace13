#include "base/file_system.hpp"

#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>

namespace file_system_test {

using namespace kiln;
using kiln::test::ScratchFolder;

TEST_CASE("status has kind, size and times, and follows links") {
  ScratchFolder folder;
  FileSystem& files = FileSystem::real();
  const std::int64_t start = files.now_ns();
  folder.write("file", "12345");
  std::filesystem::create_symlink(folder / "file", folder / "link");
  FileStatus file;
  FileStatus link;
  FileStatus directory;
  REQUIRE(files.status((folder / "file").string(), file) == 0);
  REQUIRE(files.status((folder / "link").string(), link) == 0);
  REQUIRE(files.status(folder.path().string(), directory) == 0);
  CHECK(file.is_regular());
  CHECK_FALSE(file.is_directory());
  CHECK(directory.is_directory());
  CHECK(file.size == 5);
  CHECK(link.inode == file.inode);
  // The kernel's clock for files lags by up to a tick.
  CHECK(file.mtime_ns > start - 1'000'000'000);
  CHECK(file.mtime_ns <= files.now_ns());
  CHECK(files.status((folder / "none").string(), file) == -ENOENT);
}

TEST_CASE("descriptors are not inherited by programs that are started") {
  ScratchFolder folder;
  FileSystem& files = FileSystem::real();
  const int descriptor = files.open(folder.write("file", "").string(), O_RDONLY, 0);
  REQUIRE(descriptor >= 0);
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(files.close(descriptor) == 0);
  CHECK(files.close(descriptor) == -EBADF);
}

TEST_CASE("a lock belongs to one opening of the file") {
  ScratchFolder folder;
  FileSystem& files = FileSystem::real();
  const std::string path = folder.write("file", "").string();
  const int first = files.open(path, O_RDWR, 0);
  const int second = files.open(path, O_RDWR, 0);
  REQUIRE(first >= 0);
  REQUIRE(second >= 0);
  CHECK(files.try_lock(first, 5, 1) == 0);
  CHECK(files.try_lock(second, 5, 1) == -EAGAIN);
  CHECK(files.try_lock(second, 6, 1) == 0);
  CHECK(files.unlock(first, 5, 1) == 0);
  CHECK(files.try_lock(second, 5, 1) == 0);
  files.close(first);
  files.close(second);
}

TEST_CASE("names in a folder") {
  ScratchFolder folder;
  folder.write("one", "");
  folder.write("two/three", "");
  std::vector<std::string> names = {"left over"};
  REQUIRE(FileSystem::real().list(folder.path().string(), names) == 0);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"one", "two"});
  CHECK(FileSystem::real().list((folder / "none").string(), names) == -ENOENT);
}

}  // namespace file_system_test
