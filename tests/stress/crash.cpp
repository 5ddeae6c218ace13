// A process is killed at every file operation, before it and after it, and then loses what was not on the disk yet.
// Whatever is left gives the right bytes or a miss, locks nobody out, and heals. KILN_STRESS_SECONDS: go on for as
// long, with entries of other sizes.
#include "cache/compile_lock.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "file_tree.hpp"
#include "locked_compile.hpp"
#include "mortal_file_system.hpp"
#include "rounds.hpp"

#include "environment_guard.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>

using namespace kiln;
using namespace kiln::test;

namespace {

using Moment = MortalFileSystem::Moment;
constexpr int killed = 128 + SIGKILL;

struct Crash {
  StoreFixture f;
  std::vector<Source> sources;
  std::size_t size = 700;
  Roots moved_roots = {{f.folder.write("moved/a.h", "a").parent_path().string()}};

  std::string right(const Source& source) const { return right_code(source.request, size); }
  void put(CacheStore& store, const Source& source) const {
    store.put(source.request, source.includes, source.dependencies, code_sections(right(source)));
  }
  std::filesystem::path entry(const Source& source, const char* kind) const {
    const Digest key = source.includes && std::string(kind) == ".code"
                           ? code_key(source.request.request, source.dependencies)
                           : source.request.name;
    return std::filesystem::path("v3/entries") / key.hex().substr(0, 2) / (key.hex().substr(2) + kind);
  }
};

using Work = std::function<void(Crash& crash, FileSystem& files, CacheStore& store)>;

/// How many damaged files a look-up of each source meets; `found` holds those that are found where nothing is damaged.
std::uint64_t damaged_files(const Crash& crash, const std::set<Digest>& found, const std::set<std::string>& damaged) {
  std::uint64_t count = 0;
  for (const Source& source : crash.sources) {
    const bool code_damaged = damaged.count(crash.entry(source, ".code")) != 0;
    const bool code_is_read = found.count(source.request.name) != 0;
    if (damaged.count(crash.entry(source, ".manifest")) != 0 || (code_is_read && code_damaged)) ++count;
  }
  return count;
}

/// Returns the sources that were found.
std::set<Digest> check_left_overs(Crash& crash, const FileTree& tree, std::uint64_t corrupt) {
  std::set<Digest> all_found;
  write_tree(crash.f.directory(), tree);
  FaultFileSystem files;
  files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
  CacheStore store(files, crash.f.directory().string());
  const CacheStats before = folder_stats(store.folder());
  for (const Source& source : crash.sources) {
    const std::string right = crash.right(source);
    const std::string found = code_of(find_and_count(store, source.request, source.includes, source.roots));
    CHECK((found == right || found == "(miss)"));
    if (found == right) all_found.insert(source.request.name);
    CompileLock lock(&store);
    const auto hit = lock.lock(source.request, source.includes, source.roots);
    CHECK(code_of(hit) == found);
    crash.put(store, source);
    lock.release();
    CHECK(find_code(store, source) == right);
  }
  const CacheStats after = folder_stats(store.folder());
  CHECK(after.waits == before.waits);  // no lock was held by another
  CHECK(after.corrupt - before.corrupt == corrupt);
  // The package elsewhere, so that the header lists are read; damaged ones are a miss, once.
  for (Source source : crash.sources) {
    source.roots = crash.moved_roots;
    const std::string found = find_code(store, source);
    CHECK((found == crash.right(source) || found == "(miss)"));
    crash.put(store, source);
    CHECK(find_code(store, source) == crash.right(source));
  }
  files.set_clock(FileSystem::real().now_ns() + 49 * std::int64_t{3'600'000'000'000});
  prune_entries(store.folder(), std::nullopt);
  CHECK(crash.f.files_of(".tmp").empty());
  for (const Source& source : crash.sources) CHECK(find_code(store, source) == crash.right(source));
  return all_found;
}

/// What the process had written or renamed since it started, and may not have reached the disk.
std::vector<std::string> unsynced(const FileTree& before, const FileTree& after) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : after) {
    const auto old = before.find(name);
    if (bytes && !bytes->empty() && (old == before.end() || old->second != bytes)) names.push_back(name);
  }
  return names;
}

std::string lost(std::string bytes, int way) {
  const std::size_t half = bytes.size() / 2;
  if (way == 0) return {};
  if (way == 1) return bytes.substr(0, half);
  const std::size_t length = way == 2 ? bytes.size() - half : bytes.size() / 8;  // to the end, or a hole
  return bytes.replace(half, length, length, '\0');
}

void check_losses(Crash& crash, const FileTree& before, const FileTree& after, const std::set<Digest>& found) {
  const std::vector<std::string> names = unsynced(before, after);
  for (int way = 0; way < 4; ++way)
    for (std::size_t i = 0; i <= names.size(); ++i) {
      if (names.empty()) continue;
      const bool all = i == names.size();
      const std::set<std::string> damaged(all ? names.begin() : names.begin() + static_cast<std::ptrdiff_t>(i),
                                          all ? names.end() : names.begin() + static_cast<std::ptrdiff_t>(i + 1));
      CAPTURE(way);
      CAPTURE(all);
      CAPTURE(*damaged.begin());
      FileTree tree = after;
      for (const std::string& name : damaged) tree[name] = lost(*after.at(name), way);
      check_left_overs(crash, tree, damaged_files(crash, found, damaged));
    }
}

/// The same for temporary files whatever their names.
std::multiset<std::string> fingerprint(const FileTree& tree) {
  std::multiset<std::string> all;
  for (const auto& [name, bytes] : tree)
    all.insert((name.substr(0, 7) == "v3/tmp/" ? "v3/tmp/" : name) + '\0' + bytes.value_or("(folder)"));
  return all;
}

/// Kills `work` everywhere. Returns how many different states of the folder that gave.
int crash_everywhere(Crash& crash, const FileTree& before, const Work& work) {
  std::set<std::multiset<std::string>> seen;
  bool died = true;
  for (int n = 1; died; ++n)
    for (const Moment moment : {Moment::before, Moment::after}) {
      CAPTURE(n);
      CAPTURE(moment);
      REQUIRE(n < 2000);
      write_tree(crash.f.directory(), before);
      const int status = in_child([&] {
        MortalFileSystem files(n, moment);
        CacheStore store(files, crash.f.directory().string());
        work(crash, files, store);
        return 0;
      });
      died = status == killed;
      REQUIRE((died || status == 0));
      const FileTree after = read_tree(crash.f.directory());
      if (!seen.insert(fingerprint(after)).second) continue;
      check_losses(crash, before, after, check_left_overs(crash, after, 0));
    }
  return static_cast<int>(seen.size());
}

/// The folder after some stores that all succeeded.
FileTree filled(Crash& crash, const std::vector<Source>& sources) {
  FaultFileSystem files;
  files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
  CacheStore store(files, crash.f.directory().string());
  for (const Source& source : sources) crash.put(store, source);
  return read_tree(crash.f.directory());
}

void compile(Crash& crash, FileSystem&, CacheStore& store) {
  for (const Source& source : crash.sources) locked_compile(store, source, [&] { return crash.right(source); });
}

}  // namespace

TEST_CASE("a locked compile into no folder yet: find, lock, find, count, put, release") {
  repeat([](int round) {
    Crash crash;
    crash.size += static_cast<std::size_t>(round) * 3001;
    crash.sources = {including_source(crash.f)};
    CHECK(crash_everywhere(crash, {}, compile) > 20);
  });
}

TEST_CASE("a locked compile into a folder that is in use") {
  Crash crash;
  crash.sources = {including_source(crash.f)};
  const FileTree before = filled(crash, {plain_source(1)});
  CHECK(crash_everywhere(crash, before, compile) > 10);
}

TEST_CASE("a store over what is there: an entry, its manifest, another variant") {
  Crash crash;
  const Source old = including_source(crash.f);
  const FileTree before = filled(crash, {old});
  crash.f.folder.write("own.h", "edited");
  crash.sources = {including_source(crash.f)};
  const auto put = [](Crash& c, FileSystem&, CacheStore& store) { c.put(store, c.sources.at(0)); };
  CHECK(crash_everywhere(crash, before, put) > 5);
  crash.f.folder.write("own.h", "own");
  crash.sources = {including_source(crash.f)};
  CHECK(crash_everywhere(crash, before, put) > 5);
}

TEST_CASE("prune, and a store that makes room") {
  const EnvironmentGuard limit({{"KILN_CACHE_MAX_SIZE", "100k"}});
  Crash crash;
  for (int i = 0; i < 4; ++i) crash.sources.push_back(plain_source(i));
  const FileTree before = filled(crash, crash.sources);
  CHECK(crash_everywhere(crash, before,
                         [](Crash&, FileSystem&, CacheStore& store) { prune_entries(store.folder(), 1000); }) > 6);
  const auto store_beyond_limit = [](Crash& c, FileSystem&, CacheStore& store) {
    const EnvironmentGuard small({{"KILN_CACHE_MAX_SIZE", "2k"}});
    c.put(store, c.sources.at(0));
  };
  CHECK(crash_everywhere(crash, before, store_beyond_limit) > 6);
}

TEST_CASE("counting") {
  Crash crash;
  crash.sources = {plain_source(1)};
  const FileTree before = filled(crash, crash.sources);
  const auto count = [](Crash&, FileSystem&, CacheStore& store) {
    store.folder().count(Counter::hits);
    store.folder().write_counts();
  };
  CHECK(crash_everywhere(crash, before, count) >= 2);
}
