// Writers, readers and one who makes room, in one folder that is far too small for them: right bytes or a miss, never
// beyond the limit for long, and nothing touched that is not Kiln's. Five seconds, or KILN_STRESS_SECONDS; longer where
// a busy machine has not come far enough by then.
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "crew.hpp"
#include "file_tree.hpp"
#include "locked_compile.hpp"
#include "rounds.hpp"

#include "environment_guard.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <utility>

using namespace kiln;
using namespace kiln::test;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int keys = 400;
constexpr std::size_t smallest = 500;
constexpr std::size_t largest = 9000;
constexpr std::uint64_t limit = 200 * 1024;

struct Tally {
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint64_t> served{0};
  std::atomic<std::uint64_t> missed{0};
  std::atomic<std::uint64_t> made{0};
  std::atomic<std::uint64_t> pruned{0};
};

struct Churn {
  StoreFixture f;
  Shared<Tally> tally;
  std::vector<Source> sources;
  Clock::time_point end = Clock::now() + std::max(stress_time(), std::chrono::seconds(5));

  Churn() {
    for (int i = 0; i < keys; ++i) {
      sources.push_back(plain_source(i));
      if (i % 3 != 0) continue;
      sources.back().includes = true;
      sources.back().dependencies = f.dependencies();
      sources.back().roots = f.roots;
    }
  }
  static std::size_t size(const Source& source) {
    return smallest + source.request.name.bytes[0] * (largest - smallest) / 255;
  }
  static std::string right(const Source& source) { return right_code(source.request, size(source)); }
  void note(const Source& source, const std::string& code) const {
    if (code == "(miss)") {
      ++tally->missed;
    } else if (code == right(source)) {
      ++tally->served;
    } else {
      ++tally->wrong;
    }
  }
  bool is_enough() const {
    return tally->served > 100 && tally->missed > 100 && tally->made > keys && tally->pruned > 0;
  }
  /// `act` on one source after the other, without order.
  template <class Act>
  bool go_on(int number, Act act) const {
    std::minstd_rand random(static_cast<unsigned>(number + 1));
    CacheStore store(FileSystem::real(), f.directory().string());
    while (Clock::now() < end || !is_enough()) act(store, sources[random() % sources.size()]);
    // What this one stored is counted before it ends, however long another holds the statistics.
    store.folder().count(Counter::hits);
    while (!store.folder().statistics().flush()) {
    }
    return true;
  }
  void add_writer(Crew& crew, int number) const {
    crew.add([this, number] {
      return go_on(number, [&](CacheStore& store, const Source& source) {
        note(source, locked_compile(store, source, [&] {
               ++tally->made;
               return right(source);
             }));
      });
    });
  }
  void add_reader(Crew& crew, int number) const {
    crew.add([this, number] {
      return go_on(number, [&](CacheStore& store, const Source& source) {
        note(source, code_of(find_and_count(store, source.request, source.includes, source.roots)));
      });
    });
  }
  void add_evictor(Crew& crew) const {
    crew.add([this] {
      return go_on(0, [&](CacheStore& store, const Source&) {
        try {
          prune_entries(store.folder(), limit / 2);
          ++tally->pruned;
        } catch (const Error&) {  // another is at it
        }
        ::usleep(50'000);
      });
    });
  }
};

std::string stem(const std::string& name) { return digest_of(name).hex().substr(2); }

/// Things of other people, by names such as Kiln gives: a file outside that a link leads to, folders, and files.
void plant(const std::filesystem::path& cache, const std::filesystem::path& outside) {
  write_file(outside, "outside");
  const std::filesystem::path shard = cache / "v3/entries/00";
  write_file(shard / (stem("folder") + ".code") / "inner", "mine");
  std::filesystem::create_directories(shard / (stem("empty folder") + ".manifest"));
  std::filesystem::create_symlink(outside, shard / (stem("link") + ".code"));
  std::filesystem::create_symlink(outside, shard / (stem("link") + ".headers"));
  write_file(shard / (stem("case").substr(1) + "G.code"), "mine");
  write_file(shard / (stem("kind") + ".codes"), "mine");
  write_file(shard / "notes.code", "mine");
  write_file(cache / "v3/entries/zz" / (stem("shard") + ".code"), "mine");
  write_file(cache / "v3/tmp/notes", "mine");
  std::filesystem::create_directories(cache / "v3/tmp/folder.tmp");
  write_file(cache / "v4/entries/00" / (stem("later") + ".code"), "mine");
  write_file(cache / "notes", "mine");
  // As old as can be, so that they would be the first to go.
  for (const auto& item : std::filesystem::recursive_directory_iterator(cache))
    if (!item.is_symlink()) std::filesystem::last_write_time(item.path(), std::filesystem::file_time_type());
}

/// What of `planted` is not there as it was.
std::vector<std::string> lost(const FileTree& planted, const std::filesystem::path& cache) {
  const FileTree now = read_tree(cache);
  std::vector<std::string> names;
  for (const auto& [name, bytes] : planted) {
    const auto found = now.find(name);
    if (found == now.end() || found->second != bytes) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("writers, readers and an evictor under a tiny limit") {
  const EnvironmentGuard environment({{"KILN_CACHE_MAX_SIZE", std::to_string(limit)}});
  constexpr int writers = 4;
  const Churn churn;
  const std::filesystem::path outside = churn.f.folder / "outside";
  plant(churn.f.directory(), outside);
  const FileTree planted = read_tree(churn.f.directory());
  const auto outside_time = std::filesystem::last_write_time(outside);
  Crew crew;
  for (int i = 0; i < writers; ++i) churn.add_writer(crew, i);
  for (int i = 0; i < 3; ++i) churn.add_reader(crew, writers + i);
  churn.add_evictor(crew);
  CHECK(crew.run() == writers + 4);
  // A store that met another process making room has left it to that one, which may have looked before: so the folder
  // may end beyond its limit by what was stored meanwhile. The next store notices.
  CacheStore last(FileSystem::real(), churn.f.directory().string());
  const Source one_more = plain_source(keys);
  locked_compile(last, one_more, [&] { return Churn::right(one_more); });

  std::uint64_t bytes = 0;
  for (const char* kind : {".code", ".manifest", ".headers"})
    for (const auto& path : churn.f.files_of(kind))
      if (std::filesystem::is_regular_file(std::filesystem::symlink_status(path)))
        bytes += std::filesystem::file_size(path);
  const CacheStats stats = folder_stats(CacheStore(FileSystem::real(), churn.f.directory().string()).folder());
  MESSAGE(churn.tally->served.load() << " served, " << churn.tally->missed.load() << " missed, "
                                     << churn.tally->made.load() << " made, " << stats.evictions << " evicted, "
                                     << churn.tally->pruned.load() << " prunes, " << bytes << " bytes left, "
                                     << stats.hits << " hits");
  CHECK(churn.tally->wrong == 0);
  CHECK(stats.evictions > 100);
  CHECK(stats.corrupt == 0);
  CHECK(stats.store_failures == 0);
  CHECK(bytes <= limit);
  for (const auto& item : std::filesystem::directory_iterator(churn.f.directory() / "v3/tmp"))
    CHECK(planted.count("v3/tmp/" + item.path().filename().string()) != 0);
  for (const std::string& name : lost(planted, churn.f.directory())) FAIL_CHECK("touched: " << name);
  CHECK(file_bytes(outside) == "outside");
  CHECK(std::filesystem::last_write_time(outside) == outside_time);
}

TEST_CASE("what is stored while another makes room is not forgotten") {
  const EnvironmentGuard environment({{"KILN_CACHE_MAX_SIZE", "20k"}});
  // Another process that stores a lot once this one has listed the files and begins to remove some.
  struct Interrupted : FileSystem {
    int do_rename(const std::string& from, const std::string& to) override {
      if (to.find("/tmp/") != to.npos && other) std::exchange(other, {})();
      return FileSystem::do_rename(from, to);
    }
    std::function<void()> other;
  } files;
  const ScratchFolder folder;
  const std::string directory = (folder / "cache").string();
  CacheStore store(files, directory);
  CacheStore other_store(FileSystem::real(), directory);
  const auto put = [](CacheStore& into, int number, std::size_t size) {
    const Source source = plain_source(number);
    into.put(source.request, false, {}, code_sections(right_code(source.request, size)));
  };
  for (int i = 0; i < 4; ++i) put(store, i, 4000);
  files.other = [&] {
    for (int i = 10; i < 20; ++i) put(other_store, i, 4000);
  };
  put(store, 4, 8000);
  CHECK_FALSE(files.other);
  CHECK(folder_stats(store.folder()).bytes <= 20 * 1024);
}

TEST_CASE("to empty a cache is to remove what is Kiln's") {
  StoreFixture f;
  plant(f.directory(), f.folder / "outside");
  const FileTree planted = read_tree(f.directory());
  for (int i = 0; i < 5; ++i) locked_compile(f.store, plain_source(i));
  CHECK(folder_stats(f.store.folder()).entries == 5);
  CHECK(clear_entries(f.store.folder()) == 5);
  CHECK(folder_stats(f.store.folder()).entries == 0);
  CHECK(folder_stats(f.store.folder()).bytes == 0);
  for (const std::string& name : lost(planted, f.directory())) FAIL_CHECK("touched: " << name);
  CHECK(f.folder.read("outside") == "outside");
}
