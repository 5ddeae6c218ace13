#include "cache/digest_memory.hpp"
#include "cache/file_observer.hpp"

#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace digest_memory_test {

using namespace kiln;

TEST_CASE("a header is read again when its folder has changed") {
  const kiln::test::ScratchFolder scratch;
  const std::string file = scratch.path() / "h.h";
  std::ofstream(file) << "one";
  kiln::test::FaultFileSystem files;
  files.set_clock(files.now_ns());
  DigestMemory memory;
  const auto digest_now = [&] {
    FileStatus folder;
    Digest digest;
    CHECK(files.status(scratch.path(), folder) == 0);
    CHECK(FileObserver(files, false, &memory).digest_in_package(file, folder, digest) == 0);
    return digest;
  };
  CHECK(digest_now() == digest_of("one"));
  CHECK(digest_now() == digest_of("one"));  // now its folder is known to be unchanged for a tick
  const auto opens = files.count("open");
  CHECK(digest_now() == digest_of("one"));
  CHECK(files.count("open") == opens);
  std::ofstream(scratch.path() / "new") << "two";
  std::filesystem::rename(scratch.path() / "new", file);
  CHECK(digest_now() == digest_of("two"));
}

}  // namespace digest_memory_test
