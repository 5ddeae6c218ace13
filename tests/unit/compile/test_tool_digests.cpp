#include "cache/open_stores.hpp"
#include "compile/identity/tool_digests.hpp"

#include "fault_file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace tool_digests_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A program that was made a while ago.
std::string tool(const ScratchFolder& folder, const char* name, const char* text) {
  const std::string path = (folder / name).string();
  std::ofstream(path) << text;
  const timespec long_ago[2] = {{1'000'000, 5}, {1'000'000, 5}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), long_ago, 0) == 0);
  return path;
}

}  // namespace

TEST_CASE("the digest is that of the contents in order, and of nothing else") {
  const ScratchFolder folder;
  FaultFileSystem files;
  const std::string a = tool(folder, "a", "one");
  const std::string b = tool(folder, "b", "two");
  const std::string same = tool(folder, "c", "one");
  const std::string digest = tools_digest(files, {a, b}, nullptr);
  CHECK(digest.size() == 64);
  CHECK(tools_digest(files, {same, b}, nullptr) == digest);
  CHECK(tools_digest(files, {b, a}, nullptr) != digest);
  CHECK(tools_digest(files, {a}, nullptr) != digest);
}

TEST_CASE("a file is read once a process, and again when it changed") {
  const ScratchFolder folder;
  FaultFileSystem files;
  files.set_clock(FileSystem::real().now_ns() + 10'000'000'000);  // nothing is young
  const std::string a = tool(folder, "a", "one");
  const std::string digest = tools_digest(files, {a}, nullptr);
  CHECK(files.count("open") == 1);
  CHECK(tools_digest(files, {a}, nullptr) == digest);
  CHECK(files.count("open") == 1);
  tool(folder, "a", "six");
  CHECK(tools_digest(files, {a}, nullptr) != digest);
  CHECK(files.count("open") == 2);
}

TEST_CASE("a file that changes while it is read is read again the next time") {
  struct ChangingFiles : FaultFileSystem {
    std::string path;
    int do_close(int descriptor) override {
      std::ofstream(path, std::ios::app) << "x";
      return FaultFileSystem::do_close(descriptor);
    }
  };
  const ScratchFolder folder;
  ChangingFiles files;
  files.path = tool(folder, "a", "one");
  tools_digest(files, {files.path}, nullptr);
  tools_digest(files, {files.path}, nullptr);
  CHECK(files.count("open") == 2);
}

TEST_CASE("a file that is dated in the future is read once") {
  const ScratchFolder folder;
  FaultFileSystem files;
  const std::string path = tool(folder, "a", "one");
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1000));
  tools_digest(files, {path}, nullptr);
  tools_digest(files, {path}, nullptr);
  CHECK(files.count("open") == 1);
}

TEST_CASE("a missing file is named") {
  const ScratchFolder folder;
  try {
    tools_digest(FileSystem::real(), {(folder / "none").string()}, nullptr);
    FAIL("no error");
  } catch (const ToolkitError& error) {
    CHECK(std::string(error.what()).find("none") != std::string::npos);
    CHECK(std::string(error.what()).find("No such file") != std::string::npos);
  }
}

TEST_CASE("another process has the digest from the cache's note, as long as the file is the same") {
  const ScratchFolder folder;
  const std::string a = tool(folder, "a", "one");
  FaultFileSystem files;
  files.set_clock(FileSystem::real().now_ns() + 10'000'000'000);
  CacheFolder& cache = open_store((folder / "cache").string()).folder();
  cache.prepare();
  CHECK(in_child([&] {
          tools_digest(files, {a}, &cache);
          return files.count("open");
        }) == 1);
  const std::string digest = tools_digest(files, {a}, &cache);
  CHECK(files.count("open") == 0);
  CHECK(digest == digest_of(digest_of("one").hex()).hex());

  tool(folder, "a", "six");
  CHECK(in_child([&] {
          tools_digest(files, {a}, &cache);
          return files.count("open");
        }) == 1);
}

TEST_CASE("where all files have one time, a sample distinguishes two versions, and saves the reading of all") {
  // As of a container image: times in whole seconds, which the next version's file has too.
  struct ImageFiles : FaultFileSystem {
    int do_status(const std::string& path, FileStatus& status) override {
      const int code = FaultFileSystem::do_status(path, status);
      status.inode = 7;
      status.mtime_ns = status.ctime_ns = 1'000'000'000;
      return code;
    }
  };
  const ScratchFolder folder;
  const std::string text(100'000, 'x');
  std::string other = text;
  other.replace(97'000, 3'000, 3'000, 'y');
  const std::string path = tool(folder, "a", text.c_str());
  ImageFiles files;
  CacheFolder& cache = open_store((folder / "cache").string()).folder();
  cache.prepare();
  const std::string digest = tools_digest(files, {path}, &cache);
  const int reads = files.count("read_at");
  CHECK(reads > 1);
  CHECK(tools_digest(files, {path}, &cache) == digest);
  CHECK(files.count("read_at") == reads + 1);  // the sample
  CHECK(in_child(
            [&] { return tools_digest(files, {path}, &cache) == digest && files.count("read_at") == reads + 2; }) == 1);
  tool(folder, "a", other.c_str());
  CHECK(tools_digest(files, {path}, &cache) != digest);
}

}  // namespace tool_digests_test
