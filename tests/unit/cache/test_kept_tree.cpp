#include "cache/kept_tree.hpp"

#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "in_child.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/stat.h>

namespace kept_tree_test {

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

const Digest key = digest_of("a compiler");

bool fill(const std::string& folder) {
  write_file(folder + "/include/a.h", "a");
  write_file(folder + "/include/deep/er/b.h", "b");
  return true;
}

struct Fixture : StoreFixture {
  CacheFolder& cache = store.folder();
  KeptTree tree{cache, key};

  bool make() { return tree.make(fill, {}); }
  fs::path file(const std::string& name = "include/a.h") const { return fs::path(tree.path()) / name; }
  std::uint64_t made() { return folder_stats(cache).headers_unpacked; }
  bool has_leftovers() const { return fs::exists(directory() / "v3/tmp") && !fs::is_empty(directory() / "v3/tmp"); }
};

}  // namespace

TEST_CASE("a tree is made once, whole, for its user alone") {
  Fixture f;
  CHECK_FALSE(f.tree.is_here());
  CHECK_FALSE(fs::exists(f.directory()));
  CHECK(f.make());
  CHECK(f.tree.is_whole());
  CHECK(file_bytes(f.file("include/deep/er/b.h")) == "b");
  CHECK_FALSE(f.has_leftovers());
  CHECK((fs::status(f.tree.path()).permissions() & fs::perms::mask) == fs::perms::owner_all);
  CHECK(KeptTree(f.cache, key).make([](const std::string&) -> bool { throw std::logic_error("made twice"); }, {}));
  CHECK(f.made() == 1);
}

TEST_CASE("it is asked for by one status call") {
  Fixture f;
  REQUIRE(f.make());
  f.files.reset_counts();
  CHECK(f.tree.is_here());
  CHECK(f.files.total() == 1);
}

TEST_CASE("what cannot be filled leaves nothing") {
  Fixture f;
  CHECK_FALSE(f.tree.make(
      [](const std::string& folder) {
        fill(folder);
        return false;
      },
      {}));
  CHECK_THROWS_AS(f.tree.make([](const std::string& folder) -> bool { throw std::runtime_error(folder); }, {}),
                  std::runtime_error);
  CHECK_FALSE(f.tree.is_here());
  CHECK_FALSE(f.has_leftovers());
  CHECK(f.make());
}

TEST_CASE("half a tree is not taken for one, and made anew") {
  Fixture f;
  REQUIRE(f.make());
  fs::remove(f.file("contents"));
  write_file(f.file("include/rest.h"), "of before");
  CHECK_FALSE(f.tree.is_here());
  CHECK(f.make());
  CHECK(f.tree.is_whole());
  CHECK_FALSE(fs::exists(f.file("include/rest.h")));
  CHECK(f.made() == 2);
}

TEST_CASE("a tree whose list others may write is not used") {
  Fixture f;
  REQUIRE(f.make());
  ::chmod(f.file("contents").c_str(), 0666);
  CHECK_FALSE(f.tree.is_here());
  CHECK(f.make());
  CHECK(f.made() == 2);
}

TEST_CASE("every change in it is damage: verify removes it") {
  const std::vector<void (*)(const Fixture&)> changes = {
      [](const Fixture& f) { write_file(f.file(), "b"); },
      [](const Fixture& f) { write_file(f.file(), ""); },
      [](const Fixture& f) { fs::remove(f.file()); },
      [](const Fixture& f) { write_file(f.file("include/new.h"), ""); },
      [](const Fixture& f) { write_file(f.file("contents"), "kilncach"); },
      [](const Fixture& f) {
        fs::remove(f.file());
        fs::create_symlink("/etc/passwd", f.file());
      },
  };
  for (const auto change : changes) {
    Fixture f;
    REQUIRE(f.make());
    CHECK(verify_entries(f.cache).good == 1);
    change(f);
    CHECK_FALSE(f.tree.is_whole());
    const CacheCheck check = verify_entries(f.cache);
    CHECK(check.damaged == std::vector<fs::path>{f.tree.path()});
    CHECK(folder_stats(f.cache).corrupt == 1);
    CHECK_FALSE(fs::exists(f.tree.path()));
    CHECK(f.make());
  }
}

TEST_CASE("eight at once repair it once") {
  Fixture f;
  REQUIRE(f.make());
  write_file(f.file(), "damage");
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) threads.emplace_back([&f] { KeptTree(f.cache, key).repair(fill, {}); });
  for (std::thread& thread : threads) thread.join();
  CHECK(f.tree.is_whole());
  CHECK(f.made() == 2);
  CHECK(f.tree.repair([](const std::string&) -> bool { throw std::logic_error("whole"); }, {}));
}

TEST_CASE("eight at once make it once") {
  Fixture f;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) threads.emplace_back([&f] { KeptTree(f.cache, key).make(fill, {}); });
  for (std::thread& thread : threads) thread.join();
  CHECK(f.tree.is_whole());
  CHECK(f.made() == 1);
}

TEST_CASE("a process that is killed while it makes one leaves nothing that counts, and no lock") {
  Fixture f;
  CHECK(in_child([&] {
          f.tree.make(
              [](const std::string& folder) {
                fill(folder);
                return ::raise(SIGKILL) == 0;
              },
              {});
          return 0;
        }) == 128 + SIGKILL);
  CHECK_FALSE(f.tree.is_here());
  CHECK(f.has_leftovers());
  CHECK(f.make());
  CHECK(f.made() == 1);
  // What is left goes with the daily sweep, an hour later at the earliest.
  f.cache.sweep();
  f.files.set_clock(f.files.now_ns() + 25 * hour_ns);
  f.cache.sweep();
  CHECK_FALSE(f.has_leftovers());
  CHECK(f.tree.is_whole());
}

TEST_CASE("without locks, and where the stop is due") {
  Fixture f;
  f.files.fail_always("try_lock", ENOLCK);
  CHECK(f.make());
  Fixture stopped;
  CHECK_FALSE(stopped.tree.make(fill, Stop{Stop::Clock::now()}));
  CHECK(stopped.made() == 0);
}

TEST_CASE("a folder that is refused gets none, and what lies there is not used") {
  Fixture f;
  REQUIRE(f.make());
  fs::permissions(f.directory(), fs::perms::others_write, fs::perm_options::add);
  CacheFolder refused(f.files, f.directory().string());
  CHECK_FALSE(KeptTree(refused, key).make(fill, {}));
}

TEST_CASE("clear removes it, prune and a new one where it was not used for long") {
  Fixture f;
  REQUIRE(f.make());
  CHECK(folder_stats(f.cache).header_folders == 1);
  CHECK(folder_stats(f.cache).header_bytes == 2);
  CHECK(folder_stats(f.cache).bytes == 0);
  CHECK(clear_entries(f.cache) == 0);
  CHECK(folder_stats(f.cache).header_folders == 0);
  CHECK_FALSE(f.has_leftovers());

  REQUIRE(f.make());
  prune_entries(f.cache, 0);  // a compile may read it at this moment
  CHECK(f.tree.is_whole());
  const std::int64_t now = FileSystem::real().now_ns();
  f.files.set_clock(now + 2 * day_ns);
  f.tree.stamp();  // sets the time of this very moment, whatever the clock of the test
  f.files.set_clock(now + day_ns / 2);
  prune_entries(f.cache, 0);
  CHECK(f.tree.is_here());
  f.files.set_clock(now + 2 * day_ns);
  prune_entries(f.cache, 0);
  CHECK_FALSE(f.tree.is_here());

  REQUIRE(f.make());
  f.files.set_clock(now + 31 * day_ns);
  KeptTree other(f.cache, digest_of("a newer compiler"));
  // The other's own list has the time of this moment, which is 31 days ago for the test's clock.
  REQUIRE(other.make(fill, {}));
  CHECK_FALSE(f.tree.is_here());
}

TEST_CASE("any operation may fail: then there is none, or a whole one") {
  for (int n = 1;; ++n) {
    Fixture f;
    f.files.fail_operation(n, EIO);
    f.make();
    const bool failed = f.files.operation_failed();
    f.files.fail_operation(0, 0);
    if (f.tree.is_here()) CHECK(f.tree.is_whole());
    CHECK(f.make());
    CHECK(f.tree.is_whole());
    if (!failed) break;
    REQUIRE(n < 500);
  }
}

}  // namespace kept_tree_test
