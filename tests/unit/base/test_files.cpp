#include "base/files.hpp"

#include "fault_file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"
#include "small_stack.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace files_test {

using namespace kiln;
using kiln::test::FaultFileSystem;
using kiln::test::ScratchFolder;

namespace {

std::vector<std::string> names_in(const ScratchFolder& folder) {
  std::vector<std::string> names;
  REQUIRE(FileSystem::real().list(folder.path().string(), names) == 0);
  std::sort(names.begin(), names.end());
  return names;
}

const std::string text =
    "some bytes\0and more"
    "\xff";

}  // namespace

TEST_CASE("a published file is read back as it was, of mode 0600, and is all there is") {
  ScratchFolder folder;
  FaultFileSystem files;
  const std::string path = (folder / "file").string();
  REQUIRE(publish_file(files, folder.path().string(), path, text) == 0);
  std::string bytes;
  FileStatus status;
  REQUIRE(read_file(files, path, bytes, status) == 0);
  CHECK(bytes == text);
  CHECK(status.size == text.size());
  CHECK((status.mode & 07777) == 0600);
  CHECK(names_in(folder) == std::vector<std::string>{"file"});
  REQUIRE(publish_file(files, folder.path().string(), path, "") == 0);
  REQUIRE(read_file(files, path, bytes) == 0);
  CHECK(bytes.empty());
}

TEST_CASE("short reads, short writes and interruptions") {
  ScratchFolder folder;
  FaultFileSystem files;
  const std::string path = (folder / "file").string();
  const std::string large(10'000, 'x');
  files.limit_transfers(7);
  for (const char* name : {"open", "write", "read"}) files.fail_nth(name, 1, EINTR);
  REQUIRE(publish_file(files, folder.path().string(), path, large) == 0);
  std::string bytes;
  REQUIRE(read_file(files, path, bytes) == 0);
  CHECK(bytes == large);
  CHECK(files.count("read") >= 10'000 / 7);
}

TEST_CASE("a failing publish says why and leaves the old file and nothing else") {
  ScratchFolder folder;
  FaultFileSystem files;
  const std::string path = (folder / "file").string();
  REQUIRE(publish_file(files, folder.path().string(), path, "old") == 0);
  files.limit_transfers(4);
  for (const char* name : {"open", "write", "close", "rename"})
    for (int n = 1; n <= (std::string(name) == "write" ? 3 : 1); ++n)
      for (int error : {EIO, ENOSPC, EDQUOT}) {
        CAPTURE(name);
        CAPTURE(n);
        files.fail_nth(name, n, error);
        CHECK(publish_file(files, folder.path().string(), path, "new and longer") == -error);
        CHECK(folder.read("file") == "old");
        CHECK(names_in(folder) == std::vector<std::string>{"file"});
      }
}

TEST_CASE("a device that takes nothing is an error, not a loop") {
  struct Full : FaultFileSystem {
    std::ptrdiff_t do_write(int, const void*, std::size_t) override { return 0; }
  } files;
  ScratchFolder folder;
  CHECK(publish_file(files, folder.path().string(), (folder / "file").string(), "x") == -EIO);
  CHECK(names_in(folder).empty());
}

TEST_CASE("a temporary name that is taken is not used") {
  struct Taken : FaultFileSystem {
    int do_open(const std::string& path, int flags, unsigned mode) override {
      exclusive = exclusive && (flags & O_EXCL) && (flags & O_CREAT) && (flags & O_NOFOLLOW) && mode == 0600;
      if (first.empty()) {
        first = path;
        test::write_file(path, "another's");
      }
      return FaultFileSystem::do_open(path, flags, mode);
    }
    std::string first;
    bool exclusive = true;
  } files;
  ScratchFolder folder;
  REQUIRE(publish_file(files, folder.path().string(), (folder / "file").string(), "mine") == 0);
  CHECK(files.exclusive);
  CHECK(test::file_bytes(files.first) == "another's");
  CHECK(folder.read("file") == "mine");
}

TEST_CASE("reading what is not there, too large, of unknown size, or failing") {
  ScratchFolder folder;
  FaultFileSystem files;
  std::string bytes;
  FileStatus status;
  CHECK(read_file(files, (folder / "none").string(), bytes) == -ENOENT);
  CHECK(read_file(files, folder.path().string(), bytes) == -EISDIR);
  const std::string path = folder.write("file", "12345").string();
  CHECK(read_file(files, path, bytes, status, {0, 4}) == -EFBIG);
  CHECK(read_file(files, path, bytes, status, {0, 5}) == 0);
  std::filesystem::create_symlink(path, folder / "link");
  CHECK(read_file(files, (folder / "link").string(), bytes) == 0);
  CHECK(read_file(files, (folder / "link").string(), bytes, status, {O_NOFOLLOW, 5}) == -ELOOP);
  CHECK(read_file(files, "/proc/self/maps", bytes) == 0);
  CHECK(bytes.size() > 4096);
  CHECK(bytes.back() == '\n');
  CHECK(read_file(files, "/proc/self/maps", bytes, status, {0, 4096}) == -EFBIG);
  for (const char* name : {"open", "status", "read"}) {
    files.reset_counts();
    files.fail_nth(name, 1, EIO);
    CHECK(read_file(files, path, bytes) == -EIO);
    CHECK(files.count("close") == (std::string(name) == "open" ? 0 : 1));
  }
}

TEST_CASE("folders are made with their parents, of mode 0700 whatever the umask") {
  ScratchFolder folder;
  FaultFileSystem files;
  const mode_t before = umask(0777);
  const int code = make_directories(files, (folder / "a/b//c/").string());
  umask(before);
  CHECK(code == 0);
  FileStatus status;
  for (const char* name : {"a", "a/b", "a/b/c"}) {
    REQUIRE(files.status((folder / name).string(), status) == 0);
    CHECK(status.is_directory());
    CHECK((status.mode & 07777) == 0700);
  }
  CHECK(make_directories(files, (folder / "a/b").string()) == 0);
  folder.write("file", "");
  CHECK(make_directories(files, (folder / "file").string()) == -ENOTDIR);
  CHECK(make_directories(files, (folder / "file/below").string()) == -ENOTDIR);
  files.fail_always("make_directory", EROFS);
  CHECK(make_directories(files, (folder / "x/y").string()) == -EROFS);
}

TEST_CASE("a path of many folders is made on a small stack") {
  ScratchFolder folder;
  FaultFileSystem files;
  const std::string path = (folder / kiln::test::repeated("a/", 1700)).string();
  kiln::test::on_small_stack([&] { CHECK(make_directories(files, path) == 0); });
  CHECK(std::filesystem::is_directory(path));
  // The scratch folder's removal takes a descriptor a level, and many systems allow a thousand.
  for (std::string deepest = path; deepest.size() > (folder / "a/").string().size(); deepest.resize(deepest.size() - 2))
    CHECK(::rmdir(deepest.c_str()) == 0);
}

TEST_CASE("a part of a file is read whole, or up to the file's end") {
  ScratchFolder folder;
  FaultFileSystem files;
  const int descriptor = files.open(folder.write("file", "0123456789"), O_RDONLY, 0);
  REQUIRE(descriptor >= 0);
  files.limit_transfers(3);
  std::string bytes = "what was there before";
  CHECK(read_part(files, descriptor, 2, 7, bytes) == 0);
  CHECK(bytes == "2345678");
  CHECK(read_part(files, descriptor, 8, 100, bytes) == 0);
  CHECK(bytes == "89");
  CHECK(read_part(files, descriptor, 50, 1, bytes) == 0);
  CHECK(bytes.empty());
  files.fail_nth("read_at", 2, EIO);
  CHECK(read_part(files, descriptor, 0, 10, bytes) == -EIO);
  files.close(descriptor);
}

TEST_CASE("the digest of a file is that of its bytes, also of exactly some pieces") {
  ScratchFolder folder;
  FaultFileSystem files;
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{1} << 20, (std::size_t{1} << 20) + 1}) {
    const std::string content(size, 'x');
    const int descriptor = files.open(folder.write("file", content), O_RDONLY, 0);
    REQUIRE(descriptor >= 0);
    Digest digest;
    CHECK(digest_file(files, descriptor, digest) == 0);
    CHECK(digest == digest_of(content));
    files.fail_nth("read_at", 1, EIO);
    CHECK(digest_file(files, descriptor, digest) == -EIO);
    files.close(descriptor);
  }
}

TEST_CASE("A pipe and a device are refused, and nothing blocks") {
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string bytes;
  CHECK(read_file(FileSystem::real(), pipe, bytes) == -EINVAL);
  CHECK(read_file(FileSystem::real(), "/dev/zero", bytes) == -EINVAL);
  CHECK(read_file(FileSystem::real(), folder.path().string(), bytes) == -EISDIR);
  CHECK_THROWS_WITH_AS(read_named_file("/dev/zero"), doctest::Contains("/dev/zero: it is no regular file"), Error);
  CHECK(read_named_file("/proc/self/cmdline").find("unit_base") != std::string::npos);
}

TEST_CASE("A pipe that a person names is read to its end") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  REQUIRE(::write(ends[1], "text", 4) == 4);
  ::close(ends[1]);
  CHECK(read_named_file("/dev/fd/" + std::to_string(ends[0])) == "text");
  ::close(ends[0]);
}

TEST_CASE("a file that is named by somebody else's file is no link") {
  const ScratchFolder folder;
  folder.write("secret", "secret");
  std::filesystem::create_symlink(folder / "secret", folder / "source.cu");
  CHECK(read_unlinked_file((folder / "secret").string()) == "secret");
  CHECK_THROWS_WITH_AS(read_unlinked_file((folder / "source.cu").string()),
                       doctest::Contains("source.cu: it is a link, which may lead to any file"), Error);
  CHECK_THROWS_WITH_AS(read_unlinked_file("/dev/zero"), doctest::Contains("no regular file"), Error);
}

TEST_CASE("a named output is whole, keeps its permissions, and a link stays a link") {
  const ScratchFolder folder;
  const auto mode = [&](const char* name) {
    return static_cast<unsigned>(std::filesystem::status(folder / name).permissions());
  };
  const mode_t mask = ::umask(027);
  CHECK(write_named_file((folder / "new").string(), text) == 0);
  CHECK(folder.read("new") == text);
  CHECK(mode("new") == 0640);
  std::filesystem::permissions(folder / "new", std::filesystem::perms{0666});
  CHECK(write_named_file((folder / "new").string(), "shorter") == 0);
  ::umask(mask);
  CHECK(folder.read("new") == "shorter");
  CHECK(mode("new") == 0666);
  std::filesystem::create_symlink("new", folder / "link");
  std::filesystem::create_symlink("none yet", folder / "dangling");
  CHECK(write_named_file((folder / "link").string(), "by a link") == 0);
  CHECK(write_named_file((folder / "dangling").string(), "as well") == 0);
  CHECK(folder.read("new") == "by a link");
  CHECK(folder.read("none yet") == "as well");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(names_in(folder) == std::vector<std::string>{"dangling", "link", "new", "none yet"});
  CHECK(write_named_file(folder.path().string(), "") == -EISDIR);
  CHECK(write_named_file((folder / "missing/file").string(), "") == -ENOENT);
  CHECK(write_named_file("", "") < 0);
}

TEST_CASE("a name without a folder is one in the working folder") {
  const ScratchFolder folder;
  CHECK(kiln::test::in_child([&] {
          if (::chdir(folder.path().c_str()) != 0) return 1;
          return write_named_file("report.json", "{}");
        }) == 0);
  CHECK(folder.read("report.json") == "{}");
}

TEST_CASE("a device and a FIFO are written to, and are there afterwards") {
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  CHECK(write_named_file(pipe, "a report") == 0);
  std::array<char, 16> got{};
  CHECK(::read(reader, got.data(), got.size()) == 8);
  CHECK(std::string(got.data()) == "a report");
  ::close(reader);
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(names_in(folder) == std::vector<std::string>{"pipe"});
  // Devices of the test's own: a fault here must not replace the machine's. Only root can make some, and replace some.
  const std::string null = (folder / "null").string(), full = (folder / "full").string();
  if (::mknod(null.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) return;
  REQUIRE(::mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0);
  std::filesystem::create_symlink("null", folder / "link");
  CHECK(write_named_file((folder / "link").string(), text) == 0);
  CHECK(std::filesystem::is_character_file(null));
  CHECK(write_named_file(full, text) == -ENOSPC);
  CHECK(names_in(folder) == std::vector<std::string>{"full", "link", "null", "pipe"});
}

}  // namespace files_test
