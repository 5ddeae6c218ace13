// Folders that can only be read, that go away, and that are full: the right results, and at most one warning a process,
// which says why and what to do.
#include "cache/compile_lock.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "one_process.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <string>
#include <vector>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

TEST_CASE("a folder that can only be read serves what it has") {
  const Warmed cache;
  if (is_root()) {
    fs::permissions(cache.scratch.path(), static_cast<fs::perms>(0755));
    for (const auto& item : fs::recursive_directory_iterator(cache.root))
      REQUIRE(::chown(item.path().c_str(), nobody, nobody) == 0);
    REQUIRE(::chown(cache.root.c_str(), nobody, nobody) == 0);
  }
  std::vector<fs::path> folders = {cache.root};
  for (const auto& item : fs::recursive_directory_iterator(cache.root))
    if (item.is_directory()) folders.push_back(item.path());
  for (const fs::path& folder : folders) fs::permissions(folder, static_cast<fs::perms>(0500));
  const Report report = in_process([&](Report& mine) {
    if (is_root() && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(3);
    CacheStore store(FileSystem::real(), cache.root.string());
    use(mine, store);
  });
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.from_cache == 2);
  CHECK(report.warnings == 1);
  for (const std::string& part : {cache.root.string(), std::string("Permission denied"), std::string("KILN_CACHE_DIR")})
    CHECK(report.says(part));
  for (const fs::path& folder : folders) fs::permissions(folder, fs::perms::owner_all);
}

TEST_CASE("a folder that is removed while in use") {
  const Warmed cache;
  CacheStore store(FileSystem::real(), cache.root.string());
  const auto right = [](int number) { return right_code(plain_source(number).request); };
  REQUIRE(find_code(store, plain_source(0)) == right(0));

  fs::remove_all(cache.root);  // before a look-up
  CHECK(locked_compile(store, plain_source(0)) == right(0));
  CHECK(find_code(store, plain_source(0)) == right(0));

  const auto remove_meanwhile = [&](int number) {  // while the lock is held, between look-up and put
    return locked_compile(store, plain_source(number), [&] {
      fs::remove_all(cache.root);
      return right(number);
    });
  };
  CHECK(remove_meanwhile(1) == right(1));
  CHECK(find_code(store, plain_source(1)) == right(1));
  CHECK(find_code(store, plain_source(0)) == "(miss)");

  CompileLock lock(&store);
  CHECK_FALSE(lock.lock(plain_source(2).request, false, {}));
  fs::remove_all(cache.root / "v3");
  lock.release();
  CHECK(locked_compile(store, plain_source(2)) == right(2));
  CHECK(find_code(store, plain_source(2)) == right(2));
  fs::remove_all(cache.root / "v3/entries");
  fs::remove_all(cache.root / "v3/tmp");
  CHECK(prune_entries(store.folder(), 0).bytes_left == 0);
  CHECK(clear_entries(store.folder()) == 0);
  CHECK(locked_compile(store, plain_source(2)) == right(2));
  CHECK(find_code(store, plain_source(2)) == right(2));
  CHECK(folder_stats(store.folder()).corrupt == 0);
}

namespace {

bool write_to_kernel(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return written;
}

/// Where this process alone sees what it mounts. False where that is not allowed.
bool enter_own_namespace() {
  if (is_root()) return ::unshare(CLONE_NEWNS) == 0;
  const std::string user = "0 " + std::to_string(::geteuid()) + " 1";
  const std::string group = "0 " + std::to_string(::getegid()) + " 1";
  return ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_to_kernel("/proc/self/setgroups", "deny") &&
         write_to_kernel("/proc/self/uid_map", user) && write_to_kernel("/proc/self/gid_map", group);
}

/// A file system of 64 KB.
bool mount_small(const fs::path& folder) {
  return enter_own_namespace() && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0;
}

struct FullDisk {
  bool mounted = false;
  int wrong = 0;
  int wrong_later = 0;
  int temporary_files = 0;
  CacheStats stats;
  CacheStats later;
};

}  // namespace

TEST_CASE("a disk that is full") {
  const ScratchFolder folder;
  const Shared<FullDisk> disk;
  const Report report = in_process([&](Report& mine) {
    disk->mounted = mount_small(folder.path());
    if (!disk->mounted) return;
    constexpr int many = 40;
    constexpr std::size_t size = 5000;
    CacheStore store(FileSystem::real(), (folder / "cache").string());
    const auto round = [&](int& wrong) {
      for (int i = 0; i < many; ++i) {
        const Source source = plain_source(i);
        const std::string right = right_code(source.request, size);
        wrong += locked_compile(store, source, [&] { return right; }) != right;
        const std::string found = find_code(store, source);
        wrong += found != right && found != "(miss)";
      }
    };
    round(mine.wrong);
    disk->stats = folder_stats(store.folder());
    // Files that were not published have a process's number and a '-' in their names; the marks of failed compiles,
    // which are empty, have none.
    for (const auto& item : fs::directory_iterator(folder / "cache/v3/tmp"))
      disk->temporary_files += item.path().filename().string().find('-') != std::string::npos;
    clear_entries(store.folder());
    round(disk->wrong_later);
    disk->later = folder_stats(store.folder());
  });
  if (!disk->mounted) return leave_out("no namespace of its own, or no mount, is allowed here");
  CAPTURE(report.text);
  CHECK(report.wrong == 0);
  CHECK(report.warnings == 1);
  CHECK(report.says("No space left on device"));
  CHECK(report.says("KILN_CACHE_DIR"));
  CHECK(disk->stats.stores > 2);
  CHECK(disk->stats.store_failures > 2);
  CHECK(disk->stats.stores + disk->stats.store_failures == disk->stats.misses);
  CHECK(disk->stats.entries == disk->stats.stores);
  CHECK(disk->stats.corrupt == 0);
  CHECK(disk->temporary_files == 0);
  CHECK(disk->wrong_later == 0);
  CHECK(disk->later.stores > disk->stats.stores);  // room again
}
