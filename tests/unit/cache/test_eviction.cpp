#include "cache/eviction.hpp"
#include "cache/key_lock.hpp"
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include <kiln/error.hpp>

#include "environment_guard.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>

namespace eviction_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A store with entries of about 1 KB, each used an hour after the one before.
struct Room : StoreFixture {
  explicit Room(const char* limit) : guard({{"KILN_CACHE_MAX_SIZE", limit}}) {}

  void add(const std::string& name) {
    store.put(CacheKey(name), false, {}, code_sections(name + std::string(1000, '.')));
    use(name, ++round - 100);
  }
  void use(const std::string& name, int hours) const {
    const CacheFolder names(FileSystem::real(), directory().string());
    const auto time = std::filesystem::file_time_type::clock::now() + std::chrono::hours(hours);
    const std::string path = names.path(EntryKind::code, digest_of(name));
    if (std::filesystem::exists(path)) std::filesystem::last_write_time(path, time);
  }
  bool has(const std::string& name) const {
    return CacheFolder(FileSystem::real(), directory().string()).holds(EntryKind::code, digest_of(name));
  }
  EnvironmentGuard guard;
  int round = 0;
};

}  // namespace

TEST_CASE("beyond the limit what was used longest ago goes, down to seven eighths") {
  Room f("8000");
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) f.add(name);
  CHECK(folder_stats(f.store.folder()).evictions == 0);
  f.use("a", 1);
  f.add("g");
  f.add("h");  // about 1.1 KB each: this one is too much
  const CacheStats stats = folder_stats(f.store.folder());
  CHECK(f.has("a"));
  CHECK_FALSE(f.has("b"));
  CHECK(f.has("h"));
  CHECK(stats.bytes <= 7000);
  CHECK(stats.bytes > 5500);
  CHECK(stats.evictions == 8 - stats.entries);
}

TEST_CASE("while the folder is below its limit no store looks at the others' files") {
  Room f("1M");
  f.add("a");  // measures
  f.add("b");
  f.files.reset_counts();
  f.add("c");
  CHECK(f.files.count("list") == 0);
}

TEST_CASE("no limit: nothing is ever measured") {
  Room f("0");
  for (const char* name : {"a", "b", "c", "d"}) f.add(name);
  CHECK(f.files.count("list") == 1);  // the sweep
  CHECK(folder_stats(f.store.folder()).entries == 4);
}

TEST_CASE("the size is measured again once a day, so that counts that were lost do not stay so") {
  Room f("4000");
  f.add("a");
  for (const char digit : {'1', '2', '3', '4'})  // as if their stores had never been counted
    write_file(f.directory() / "v3/entries/00" / (std::string(62, digit) + ".code"), std::string(1000, '.'));
  f.add("b");
  CHECK(folder_stats(f.store.folder()).evictions == 0);
  f.files.set_clock(FileSystem::real().now_ns() + 25 * hour_ns);
  f.add("c");
  CHECK(folder_stats(f.store.folder()).evictions > 0);
  CHECK(folder_stats(f.store.folder()).bytes <= 4000);
}

TEST_CASE("one process evicts, others go on") {
  Room f("3000");
  f.add("a");
  FileLock lock(FileSystem::real());
  REQUIRE(lock.open((f.directory() / "v3/lock").string()) == 0);
  REQUIRE(lock.try_lock(KeyLock::eviction_offset) == 0);
  for (const char* name : {"b", "c", "d"}) f.add(name);
  CHECK(folder_stats(f.store.folder()).evictions == 0);
  CHECK(folder_stats(f.store.folder()).entries == 4);
  CHECK_THROWS_WITH_AS(prune_entries(f.store.folder(), 0), doctest::Contains("another process"), Error);
  lock.close();
  f.add("e");
  CHECK(folder_stats(f.store.folder()).evictions > 0);
  CHECK(folder_stats(f.store.folder()).bytes <= 3000);
}

TEST_CASE("what could not be counted when room was made is not counted once another process has made room") {
  const EnvironmentGuard environment({{"KILN_CACHE_MAX_SIZE", "5000"}});
  // The statistics cannot be locked from the moment that files are listed.
  struct Busy : FileSystem {
    bool is_on = false;
    bool is_busy = false;
    int do_list(const std::string& path, std::vector<std::string>& names) override {
      is_busy = is_busy || is_on;
      return FileSystem::do_list(path, names);
    }
    int do_try_lock(int descriptor, std::int64_t offset, std::int64_t length) override {
      return is_busy && offset == 0 ? -EAGAIN : FileSystem::do_try_lock(descriptor, offset, length);
    }
  } files;
  const ScratchFolder folder;
  const std::string directory = (folder / "cache").string();
  CacheStore store(files, directory);
  CacheStore other(FileSystem::real(), directory);
  const auto put = [](CacheStore& into, const std::string& name) {
    into.put(CacheKey(name), false, {}, code_sections(name + std::string(1000, '.')));
  };
  for (const char* name : {"a", "b", "c", "d"}) put(store, name);
  files.is_on = true;
  put(store, "e");  // makes room, which it cannot count
  put(other, "f");  // evicts again, and counts what is there
  files.is_on = files.is_busy = false;
  store.folder().write_counts();
  const CacheStats stats = folder_stats(other.folder());
  const auto counted = other.folder().statistics().totals()[static_cast<std::size_t>(Counter::bytes)];
  CHECK(stats.evictions > 1);
  CHECK(counted == stats.bytes);
}

TEST_CASE("prune: to a size, to the limit, and to nothing") {
  Room f("0");
  for (const char* name : {"a", "b", "c", "d"}) f.add(name);
  CHECK(prune_entries(f.store.folder(), std::nullopt).entries == 0);  // no limit
  CachePruned pruned = prune_entries(f.store.folder(), 2500);
  CHECK(pruned.entries == 2);
  CHECK(pruned.bytes_left == folder_stats(f.store.folder()).bytes);
  CHECK(f.has("d"));
  pruned = prune_entries(f.store.folder(), 0);
  CHECK(pruned.entries == 2);
  CHECK(pruned.bytes_left == 0);
  CHECK(folder_stats(f.store.folder()).evictions == 4);
}

TEST_CASE("a file that was used since it was listed stays") {
  Room f("0");
  f.add("a");
  f.add("b");
  // The first status calls list a and b; a is used before it is looked at again.
  struct UsedMeanwhile : FaultFileSystem {
    const Room& room;
    int looks = 0;
    explicit UsedMeanwhile(const Room& used) : room(used) {}
    int do_link_status(const std::string& path, FileStatus& status) override {
      if (++looks == 3) room.use("a", 0);
      return FaultFileSystem::do_link_status(path, status);
    }
  } files(f);
  const CacheFolder folder(files, f.directory().string());
  const Eviction done = evict(folder, 0, 0);
  CHECK(done.entries == 1);
  CHECK(f.has("a"));
  CHECK_FALSE(f.has("b"));
}

TEST_CASE("only files of the cache's own naming go") {
  Room f("0");
  f.add("a");
  const std::filesystem::path shard = f.files_of(".code").at(0).parent_path();
  write_file(shard / "notes.txt", "mine");
  std::filesystem::create_directory(shard / (std::string(62, 'a') + ".code"));
  std::filesystem::create_symlink(shard / "notes.txt", shard / (std::string(62, 'b') + ".code"));
  CHECK(prune_entries(f.store.folder(), 0).entries == 1);
  CHECK(std::filesystem::exists(shard / "notes.txt"));
  CHECK(std::filesystem::exists(shard / (std::string(62, 'a') + ".code")));
  CHECK(std::filesystem::is_symlink(shard / (std::string(62, 'b') + ".code")));
}

TEST_CASE("a hit is noted at most once an hour, for all files that it needs") {
  StoreFixture f;
  f.put("code");
  f.files.reset_counts();
  f.files.set_clock(FileSystem::real().now_ns());
  CHECK(code_of(f.look_up()) == "code");
  CHECK(f.files.count("touch") == 0);
  f.files.set_clock(FileSystem::real().now_ns() + 2 * hour_ns);
  CHECK(code_of(f.look_up()) == "code");
  CHECK(f.files.count("touch") == 3);
  f.files.fail_always("touch", EROFS);
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("a folder that cannot be listed is not taken for an empty one") {
  Room f("1M");
  f.add("a");
  const auto estimate = [&] {
    return CacheFolder(FileSystem::real(), f.directory().string())
        .statistics()
        .totals()[static_cast<std::size_t>(Counter::bytes)];
  };
  const std::uint64_t before = estimate();
  CHECK(before > 1000);
  f.files.fail_always("list", EIO);
  CHECK_THROWS_AS(prune_entries(f.store.folder(), std::nullopt), Error);
  f.files.fail_always("list", 0);
  CHECK(estimate() == before);
  CHECK(f.has("a"));
}

}  // namespace eviction_test
