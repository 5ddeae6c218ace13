// Folders and files that must not be used: the right results, at most one warning a process, which says why and what to
// do, and nothing changed in a folder that is refused.
#include "cache/listing.hpp"
#include "file_tree.hpp"
#include "one_process.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <string>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

void check_refused(const Warmed& cache, const fs::path& directory, const std::string& reason,
                   std::optional<std::uint32_t> user = {}) {
  CAPTURE(reason);
  const FileTree before = read_tree(cache.scratch.path());
  const Report report = use(directory, user);
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.from_cache == 0);
  CHECK(report.warnings == 1);
  for (const std::string& part : {directory.string(), reason, std::string("KILN_CACHE_DIR")}) CHECK(report.says(part));
  CHECK(read_tree(cache.scratch.path()) == before);
}

}  // namespace

TEST_CASE("folders that another can write") {
  const Warmed cache;
  for (const auto mode : {0777U, 0770U, 0702U})
    for (const fs::path& folder : {cache.root, cache.root / "v3"}) {
      CAPTURE(folder);
      fs::permissions(folder, static_cast<fs::perms>(mode));
      check_refused(cache, cache.root, "can be written by other users");
      fs::permissions(folder, fs::perms::owner_all);
    }
  CHECK(use(cache.root).from_cache == 4);
}

TEST_CASE("folders that are links") {
  const Warmed cache;
  fs::create_directory_symlink(cache.root, cache.scratch / "link");
  check_refused(cache, cache.scratch / "link", "is a symbolic link");
  const Warmed inner;
  fs::create_directory(inner.scratch / "outer");
  fs::permissions(inner.scratch / "outer", fs::perms::owner_all);
  fs::create_directory_symlink(inner.root / "v3", inner.scratch / "outer/v3");
  check_refused(inner, inner.scratch / "outer", "is a symbolic link");
}

TEST_CASE("folders of another user") {
  const Warmed cache;
  check_refused(cache, cache.root, "belongs to user " + std::to_string(::geteuid()), ::geteuid() + 1);
  if (!is_root()) return leave_out("not root: no folder is really another's");
  for (const fs::path& folder : {cache.root, cache.root / "v3"}) {
    REQUIRE(::chown(folder.c_str(), nobody, nobody) == 0);
    check_refused(cache, cache.root, "belongs to user " + std::to_string(nobody));
    REQUIRE(::chown(folder.c_str(), 0, 0) == 0);
  }
}

TEST_CASE("a file where the folder should be") {
  const Warmed cache;
  cache.scratch.write("file", "mine");
  check_refused(cache, cache.scratch / "file", "is no folder");
}

TEST_CASE("an entry that another owns or can write is not served, and replaced") {
  const Warmed cache;
  const std::string right = right_code(plain_source(0).request);
  const auto check = [&] {
    CacheStore store(FileSystem::real(), cache.root.string());
    const CacheStats before = folder_stats(store.folder());
    CHECK(find_code(store, plain_source(0)) == "(miss)");
    CHECK(folder_stats(store.folder()).refused_untrusted == before.refused_untrusted + 1);
    CHECK(folder_stats(store.folder()).corrupt == before.corrupt);
    CHECK(fs::exists(cache.entry()));
    CHECK(locked_compile(store, plain_source(0)) == right);
    CHECK(find_code(store, plain_source(0)) == right);
    FileStatus status;
    CHECK(FileSystem::real().status(cache.entry().string(), status) == 0);
    CHECK((status.mode & 07777) == 0600);
    CHECK(status.owner == ::geteuid());
  };
  for (const auto mode : {0666U, 0620U, 0602U}) {
    fs::permissions(cache.entry(), static_cast<fs::perms>(mode));
    check();
  }
  if (!is_root()) return leave_out("not root: no entry is really another's");
  REQUIRE(::chown(cache.entry().c_str(), nobody, nobody) == 0);
  check();
}

TEST_CASE("an entry that is a link, a pipe or a folder") {
  const Warmed cache;
  const std::string right = right_code(plain_source(0).request);
  const fs::path outside = cache.scratch / "outside";
  fs::rename(cache.entry(), outside);
  const std::string good = file_bytes(outside);
  const auto check = [&](bool replaced) {
    const Report report = use(cache.root);
    CHECK(report.wrong == 0);
    CHECK(report.from_cache == (replaced ? 3 : 2));
    CHECK(fs::is_regular_file(fs::symlink_status(cache.entry())) == replaced);
    CHECK(report.warnings == (replaced ? 0 : 1));
    if (!replaced) CHECK(report.says("KILN_CACHE_DIR"));
    std::error_code ignored;
    fs::remove_all(cache.root / "v3/entries", ignored);
    fs::create_directories(cache.entry().parent_path());
    CHECK(file_bytes(outside) == good);
  };
  fs::create_symlink(outside, cache.entry());
  check(true);
  fs::create_symlink(cache.scratch / "nothing", cache.entry());
  check(true);
  CHECK_FALSE(fs::exists(cache.scratch / "nothing"));
  REQUIRE(::mkfifo(cache.entry().c_str(), 0600) == 0);
  check(true);
  fs::create_directory(cache.entry());
  check(false);
}

TEST_CASE("a lock file, and counters, that are no files") {
  for (const char* name : {"v3/lock", "v3/statistics"})
    for (const bool link : {false, true}) {
      CAPTURE(name);
      CAPTURE(link);
      const Warmed cache;
      const fs::path outside = cache.scratch.write("outside", "outside");
      fs::remove(cache.root / name);
      if (link) fs::create_symlink(outside, cache.root / name);
      if (!link) fs::create_directory(cache.root / name);
      const Report report = use(cache.root);
      CHECK(report.wrong == 0);
      CHECK(report.from_cache == 4);
      CHECK(file_bytes(outside) == "outside");
    }
}
