#include "cache/statistics.hpp"

#include "fault_file_system.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace statistics_test {

using namespace kiln;
using kiln::test::FaultFileSystem;
using kiln::test::ScratchFolder;

namespace {

std::uint64_t value(Statistics& statistics, Counter counter) {
  return statistics.totals()[static_cast<std::size_t>(counter)];
}

struct Fixture {
  ScratchFolder folder;
  FaultFileSystem files;
  std::string path = (folder / "statistics").string();
  Statistics statistics{files, path};
};

}  // namespace

TEST_CASE("increments reach the file, and another object reads them") {
  Fixture f;
  f.statistics.add(Counter::hits, 3);
  f.statistics.add(Counter::refused, 1);
  CHECK_FALSE(std::filesystem::exists(f.path));
  f.statistics.flush();
  CHECK(f.files.total() == 6);
  f.statistics.add(Counter::hits, 2);
  f.files.reset_counts();
  f.statistics.flush();
  CHECK(f.files.total() == 6);
  Statistics other(FileSystem::real(), f.path);
  CHECK(value(other, Counter::hits) == 5);
  CHECK(value(other, Counter::refused) == 1);
  CHECK(value(other, Counter::misses) == 0);
  f.files.reset_counts();
  f.statistics.flush();  // nothing to say
  CHECK(f.files.total() == 0);
}

TEST_CASE("what cannot be written now is written later") {
  Fixture f;
  f.files.limit_transfers(100);
  f.statistics.add(Counter::hits, 1);
  f.statistics.flush();
  for (const char* name : {"open", "try_lock", "read_at", "write"}) {
    CAPTURE(name);
    const std::uint64_t before = value(f.statistics, Counter::hits);
    f.files.fail_always(name, EIO);
    f.statistics.add(Counter::hits, 1);
    f.statistics.flush();
    f.files.fail_always(name, 0);
    f.statistics.flush();
    CHECK(value(f.statistics, Counter::hits) == before + 1);
    Statistics other(FileSystem::real(), f.path);
    CHECK(value(other, Counter::hits) == before + 1);
  }
}

TEST_CASE("no folder yet: nothing is made, nothing is lost") {
  Fixture f;
  Statistics statistics(f.files, (f.folder / "later/statistics").string());
  statistics.add(Counter::misses, 1);
  statistics.flush();
  CHECK_FALSE(std::filesystem::exists(f.folder / "later"));
  CHECK(value(statistics, Counter::misses) == 1);
  std::filesystem::create_directory(f.folder / "later");
  statistics.flush();
  Statistics other(FileSystem::real(), (f.folder / "later/statistics").string());
  CHECK(value(other, Counter::misses) == 1);
}

TEST_CASE("while another has the lock increments wait in memory, after a bounded number of tries") {
  Fixture f;
  f.statistics.add(Counter::hits, 1);
  f.statistics.flush();
  FileSystem& real = FileSystem::real();
  const int holder = real.open(f.path, O_RDWR, 0);
  REQUIRE(real.try_lock(holder, 0, 1) == 0);
  f.files.reset_counts();
  f.statistics.add(Counter::hits, 1);
  f.statistics.flush();
  CHECK(f.files.count("try_lock") > 1);
  CHECK(f.files.count("try_lock") <= 10);
  CHECK(f.files.count("write") == 0);
  CHECK(value(f.statistics, Counter::hits) == 2);
  real.close(holder);
  f.statistics.flush();
  Statistics other(real, f.path);
  CHECK(value(other, Counter::hits) == 2);
}

TEST_CASE("a file system without locks still counts") {
  Fixture f;
  f.files.fail_always("try_lock", ENOLCK);
  f.statistics.add(Counter::hits, 4);
  f.statistics.flush();
  Statistics other(FileSystem::real(), f.path);
  CHECK(value(other, Counter::hits) == 4);
}

TEST_CASE("a damaged file counts as zeros and heals") {
  Fixture f;
  f.statistics.add(Counter::hits, 5);
  f.statistics.flush();
  const std::string good = f.folder.read("statistics");
  std::vector<std::string> damaged = {"", good.substr(0, good.size() - 1), "x", std::string(1000, '\0')};
  for (std::size_t i = 0; i < good.size(); ++i) {
    damaged.push_back(good);
    damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ 0x10);
  }
  // Looks at damage are repeated, with a wait: one in eight will do.
  for (std::size_t i = 0; i < damaged.size(); i += i < 4 ? 1 : 8) {
    CAPTURE(i);
    f.folder.write("statistics", damaged[i]);
    CHECK(value(f.statistics, Counter::hits) == 0);
    f.statistics.add(Counter::hits, 2);
    f.statistics.flush();
    Statistics other(FileSystem::real(), f.path);
    CHECK(value(other, Counter::hits) == 2);
  }
}

TEST_CASE("eight threads over two objects lose nothing") {
  Fixture f;
  Statistics second(f.files, f.path);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Statistics& mine = t % 2 == 0 ? f.statistics : second;
      for (int i = 0; i < 200; ++i) {
        mine.add(Counter::hits, 1);
        mine.flush();
      }
    });
  for (std::thread& thread : threads) thread.join();
  f.statistics.flush();
  second.flush();
  Statistics other(FileSystem::real(), f.path);
  CHECK(value(other, Counter::hits) == 1600);
}

TEST_CASE("a child of fork counts its own and not its parent's") {
  Fixture f;
  f.statistics.add(Counter::hits, 10);
  CHECK(test::in_child([&] {
          f.statistics.add(Counter::hits, 1);
          f.statistics.flush();
          return 0;
        }) == 0);
  CHECK(value(f.statistics, Counter::hits) == 11);
  f.statistics.flush();
  Statistics other(FileSystem::real(), f.path);
  CHECK(value(other, Counter::hits) == 11);
}

TEST_CASE("reset: what counts events is zero, in the file and in memory; what says how large the folder is stays") {
  Fixture f;
  f.statistics.add(Counter::hits, 5);
  f.statistics.add(Counter::bytes, 1000);
  f.statistics.add(Counter::measured, 1);
  f.statistics.flush();
  f.statistics.add(Counter::misses, 2);
  f.statistics.add(Counter::bytes, 10);
  CHECK(f.statistics.reset());
  Statistics other(FileSystem::real(), f.path);
  for (Statistics* one : {&f.statistics, &other}) {
    CHECK(value(*one, Counter::hits) == 0);
    CHECK(value(*one, Counter::misses) == 0);
    CHECK(value(*one, Counter::bytes) == 1010);
    CHECK(value(*one, Counter::measured) == 1);
  }
  f.statistics.add(Counter::hits, 1);
  f.statistics.flush();
  CHECK(value(other, Counter::hits) == 1);
}

TEST_CASE("a reset that cannot be written changes nothing") {
  Fixture f;
  f.statistics.add(Counter::hits, 5);
  f.statistics.flush();
  f.statistics.add(Counter::hits, 2);
  f.statistics.add(Counter::bytes, 10);
  for (const char* name : {"open", "try_lock", "read_at", "write"}) {
    CAPTURE(name);
    f.files.fail_always(name, EIO);
    CHECK_FALSE(f.statistics.reset());
    f.files.fail_always(name, 0);
    CHECK(value(f.statistics, Counter::hits) == 7);
    CHECK(value(f.statistics, Counter::bytes) == 10);
  }
  CHECK(f.statistics.reset());
  CHECK(value(f.statistics, Counter::hits) == 0);
}

TEST_CASE("a reset without a folder forgets what is in memory, and makes nothing") {
  Fixture f;
  Statistics statistics(f.files, (f.folder / "later/statistics").string());
  statistics.add(Counter::misses, 1);
  CHECK(statistics.reset());
  CHECK(value(statistics, Counter::misses) == 0);
  CHECK_FALSE(std::filesystem::exists(f.folder / "later"));
}

TEST_CASE("a pipe in the file's place holds nobody") {
  Fixture f;
  CHECK(::mkfifo(f.path.c_str(), 0600) == 0);
  f.statistics.add(Counter::hits, 1);
  CHECK_FALSE(f.statistics.flush().has_value());
  CHECK(value(f.statistics, Counter::hits) == 1);
}

}  // namespace statistics_test
