// New keys: they fit each other, nobody else can read the private one, and nothing is overwritten.
#include "cache/signing/keygen.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"
#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <string>

#include <sys/stat.h>

namespace keygen_test {

using namespace kiln;
using kiln::test::FaultFileSystem;
using kiln::test::ScratchFolder;

TEST_CASE("the two files fit each other, and no two calls make the same") {
  const ScratchFolder folder;
  const mode_t before = ::umask(0);
  const KeyFiles made = make_key_files(FileSystem::real(), (folder / "a").string());
  ::umask(before);
  struct stat status = {};
  REQUIRE(::stat(made.private_file.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  REQUIRE(::stat(made.public_file.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0644);
  const SigningKey key(FileSystem::real(), made.private_file);
  CHECK(key.id() == made.id);
  CHECK(PublicKeys(FileSystem::real(), {made.public_file}).verify("text", key.sign("text"), made.id));
  CHECK_FALSE(make_key_files(FileSystem::real(), (folder / "b").string()).id == made.id);
}

TEST_CASE("neither file is ever overwritten, and a half pair is not left") {
  const ScratchFolder folder;
  const std::string name = (folder / "a").string();
  for (const char* file : {"a.key", "a.pub"}) {
    CAPTURE(file);
    folder.write(file, "mine");
    CHECK_THROWS_WITH_AS(make_key_files(FileSystem::real(), name), doctest::Contains(file), Error);
    CHECK(folder.read(file) == "mine");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    std::filesystem::remove(folder / file);
  }
  // Nor where a link leads to nothing.
  std::filesystem::create_symlink(folder / "elsewhere", folder / "a.key");
  CHECK_THROWS_WITH_AS(make_key_files(FileSystem::real(), name), doctest::Contains("is there already"), Error);
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_CASE("where a file cannot be written nothing is left") {
  const ScratchFolder folder;
  for (const char* call : {"open", "write", "sync", "close"}) {
    CAPTURE(call);
    FaultFileSystem files;
    files.fail_always(call, ENOSPC);
    CHECK_THROWS_WITH_AS(make_key_files(files, (folder / "a").string()), doctest::Contains("No space left"), Error);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
  CHECK_THROWS_WITH_AS(make_key_files(FileSystem::real(), (folder / "no/a").string()),
                       doctest::Contains("No such file"), Error);
}

}  // namespace keygen_test
