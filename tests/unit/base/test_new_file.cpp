#include "base/new_file.hpp"

#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>

#include <sys/stat.h>

namespace new_file_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a file appears when it is published, whole") {
  ScratchFolder folder;
  FaultFileSystem files;
  files.limit_transfers(3);
  NewFile file(files, folder.path().string());
  REQUIRE(file.error() == 0);
  CHECK(file.write("one, ") == 0);
  CHECK(file.write("two") == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "file"));
  CHECK(file.publish((folder / "file").string()) == 0);
  CHECK(folder.read("file") == "one, two");
}

TEST_CASE("what is not published is gone, and a failure stays one") {
  ScratchFolder folder;
  FaultFileSystem files;
  {
    NewFile file(files, folder.path().string());
    files.fail_nth("write", 1, ENOSPC);
    CHECK(file.write("one") == -ENOSPC);
    CHECK(file.write("two") == -ENOSPC);
    CHECK(file.publish((folder / "file").string()) == -ENOSPC);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(NewFile(files, (folder / "none").string()).error() == -ENOENT);
}

TEST_CASE("the mode is the caller's, less the umask") {
  ScratchFolder folder;
  const mode_t before = umask(027);
  for (const auto& [mode, expected] : {std::pair(0600u, 0600u), {0666u, 0640u}}) {
    NewFile file(FileSystem::real(), folder.path().string(), mode);
    REQUIRE(file.publish((folder / "file").string()) == 0);
    struct stat status;
    REQUIRE(stat((folder / "file").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == expected);
  }
  umask(before);
}

}  // namespace new_file_test
