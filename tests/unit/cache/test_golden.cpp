// Files that a released version wrote, tests/golden/v3, are read by this one. They are made once a format, by
//
//   KILN_WRITE_GOLDEN=<empty folder> unit_cache --test-case="the golden files are written"
//
// and never again: a change that these tests refuse is a new format (see test_format_v3.cpp).
#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "cache/bundle_transfer.hpp"
#include "cache/explain_miss.hpp"
#include "cache/history.hpp"
#include "cache/listing.hpp"
#include "cache/makers.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <kiln/error.hpp>

#include <cstdlib>
#include <map>
#include <string>

namespace golden_test {

using namespace kiln;
using namespace kiln::test;

namespace fs = std::filesystem;

namespace {

const CacheKey alone{"golden: a source without includes"};
const CacheKey with_headers{"golden: a source with two headers"};
const History::Request noted = {{"arch", {"sm_80"}, false}, {"option", {"-DN=3", "-lineinfo"}, true}};
const std::vector<std::string> golden_makers = {"golden compiler 2", "golden compiler 1"};
constexpr std::uint64_t golden_hits = 0x0102030405060708;

// All byte values, and larger than any buffer is likely to be.
std::string golden_code(char salt) {
  std::string code =
      "\x7f"
      "ELF";
  for (int i = 0; i < 6000; ++i) code.push_back(static_cast<char>(i * 7 + i / 256 + salt));
  return code;
}

fs::path golden(const char* part) { return fs::path(GOLDEN_DIR) / part; }

Roots roots_in(const fs::path& tree) { return {{(tree / "own").string(), (tree / "package").string()}}; }

/// What the compile of `with_headers` depended on, in states that no machine has.
Dependencies golden_dependencies() {
  const auto text = [](const char* path) { return file_bytes(golden("tree") / path); };
  Dependencies all;
  FileStatus status;
  status.inode = 1;
  status.size = text("own/own.h").size();
  status.mtime_ns = 1'700'000'000'123'456'789;
  status.ctime_ns = 1'700'000'001'000'000'000;
  all.files.push_back({{0, "own.h"}, status, digest_of(text("own/own.h"))});
  status.size = 4096;
  all.folders.push_back({{1, ""}, status, {{"package.h", digest_of(text("package/package.h"))}, {"own.h", Digest{}}}});
  all.absent.push_back({0, "package.h"});
  all.obstacles.push_back({{0, ""}, ObstacleDependency::Kind::folder});
  return all;
}

/// The golden cache and tree as a user has them: git keeps neither modes nor times.
struct Golden {
  Golden() {
    fs::copy(golden("v3/cache"), cache(), fs::copy_options::recursive);
    fs::copy(golden("tree"), folder / "tree", fs::copy_options::recursive);
    for (const auto& item : fs::recursive_directory_iterator(folder.path()))
      fs::permissions(item.path(), item.is_directory() ? fs::perms(0700) : fs::perms(0600));
    // As if all that was just copied were an hour old: states of this very moment are distrusted.
    files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
  }
  std::string cache() const { return (folder / "cache").string(); }
  Roots roots() const { return roots_in(folder / "tree"); }
  std::string code(CacheStore& store) { return code_of(find_and_count(store, with_headers, true, roots())); }
  /// How many headers were opened since the last call.
  int headers_read() {
    const auto opened = files.opened();
    files.clear_opened();
    return static_cast<int>(std::count_if(opened.begin(), opened.end(), [&](const std::string& path) {
      return path.rfind((folder / "tree").string(), 0) == 0;
    }));
  }

  ScratchFolder folder;
  FaultFileSystem files;
};

/// What the golden cache serves, from its own folder or from one that its bundle was imported into.
void check_entries(Golden& golden, CacheStore& store) {
  const auto hit = find_and_count(store, alone, false, {});
  REQUIRE(hit);
  CHECK(hit->sections.find("code") == golden_code(1));
  CHECK(hit->sections.find("log") == "");
  golden.headers_read();
  CHECK((golden.code(store) == golden_code(2)));
  CHECK(golden.headers_read() == 2);  // by content: the recorded states are another machine's
  CHECK((golden.code(store) == golden_code(2)));
  CHECK(golden.headers_read() == 0);
  CHECK(folder_stats(store.folder()).corrupt == 0);
}

void check_change(const char* header, const char* text) {
  CAPTURE(header);
  Golden golden;
  CacheStore store(golden.files, golden.cache());
  golden.folder.write(header, text);
  CHECK(golden.code(store) == "(miss)");
  CHECK(folder_stats(store.folder()).corrupt == 0);
}

void check_makers(CacheStore& store) { CHECK(makers_in(store.folder()) == golden_makers); }

/// The golden entry without dependencies, whole and of a version that is not yet.
void make_it_version_4(const fs::path& file) {
  std::string bytes = file_bytes(file);
  REQUIRE(bytes[8] == 3);
  bytes[8] = 4;
  bytes.resize(bytes.size() - sizeof(Checksum));
  write_file(file, bytes.append(checksum_of(bytes).view()));
}

std::string path_of_alone(const fs::path& cache) {
  return CacheFolder(FileSystem::real(), cache.string()).path(EntryKind::code, alone.name);
}

}  // namespace

TEST_CASE("the golden files are written" * doctest::skip(std::getenv("KILN_WRITE_GOLDEN") == nullptr)) {
  const fs::path folder = std::getenv("KILN_WRITE_GOLDEN");
  CacheStore store(FileSystem::real(), (folder / "cache").string());
  store.put(alone, false, {}, code_sections(golden_code(1)));
  store.put(with_headers, true, golden_dependencies(), code_sections(golden_code(2)));
  for (auto maker = golden_makers.rbegin(); maker != golden_makers.rend(); ++maker) add_maker(store.folder(), *maker);
  record_request(store.folder(), "golden.cu", noted);
  std::uint64_t amount = golden_hits;
  for (const Counter counter :
       {Counter::hits, Counter::misses, Counter::compiles, Counter::waits, Counter::evictions, Counter::refused,
        Counter::refused_time, Counter::refused_option, Counter::refused_unknown_headers, Counter::refused_young_header,
        Counter::refused_untrusted})
    store.folder().count(counter, amount++);
  store.folder().write_counts();
  export_entries(store.folder(), (folder / "bundle.kiln").string());
}

TEST_CASE("a cache of format v3 serves what was put into it") {
  Golden golden;
  CacheStore store(golden.files, golden.cache());
  check_entries(golden, store);
  check_makers(store);
  CHECK(verify_entries(store.folder()).damaged.empty());
  CHECK(list_entries(store.folder()).size() == 2);
}

TEST_CASE("a cache of format v3 misses where a header is not as it was") {
  check_change("tree/own/own.h", "// longer or shorter\n");
  std::string text = file_bytes(golden("tree/own/own.h"));
  text.back() = ' ';
  check_change("tree/own/own.h", text.c_str());
  check_change("tree/package/package.h", "// another\n");
  check_change("tree/own/package.h", "// found before the package's\n");
}

TEST_CASE("a cache of format v3 that is only read") {
  Golden golden;
  CacheStore store(golden.files, golden.cache(), Access::read_only);
  CHECK((code_of(store.find(alone, false, {})) == golden_code(1)));
  CHECK((code_of(store.find(with_headers, true, golden.roots())) == golden_code(2)));
  check_makers(store);
}

TEST_CASE("counters and history of format v3") {
  Golden golden;
  CacheStore store(golden.files, golden.cache());
  const CacheStats stats = folder_stats(store.folder());
  std::uint64_t amount = golden_hits;
  for (const std::uint64_t value :
       {stats.hits, stats.misses, stats.compiles, stats.waits, stats.evictions, stats.refused, stats.refused_time,
        stats.refused_option, stats.refused_unknown_headers, stats.refused_young_header, stats.refused_untrusted})
    CHECK(value == amount++);
  CHECK(stats.stores == 2);
  CHECK(stats.store_failures == 0);
  CHECK(stats.entries == 2);
  History::Request now = noted;
  now[0].items = {"sm_90"};
  now[1].items.pop_back();
  CHECK(explain_miss(store.folder(), "golden.cu", now) ==
        std::vector<std::string>{"arch changed from sm_80 to sm_90", "option -lineinfo is gone"});
}

TEST_CASE("a bundle of format v3") {
  Golden golden;
  CacheStore store(golden.files, (golden.folder / "other").string());
  CHECK(import_entries(store.folder(), golden_test::golden("v3/bundle.kiln").string()) == 2);
  check_entries(golden, store);
  check_makers(store);
}

TEST_CASE("a cache of an earlier format is left alone, and its bundle refused") {
  for (const std::string version : {"1", "2"}) {
    CAPTURE(version);
    const fs::path old = golden(("v" + version).c_str());
    const test::ScratchFolder folder;
    fs::copy(old / "cache", folder / "cache", fs::copy_options::recursive);
    for (const auto& item : fs::recursive_directory_iterator(folder.path()))
      fs::permissions(item.path(), item.is_directory() ? fs::perms(0700) : fs::perms(0600));
    const auto files = [&] {
      std::map<std::string, std::string> all;
      for (const auto& item : fs::recursive_directory_iterator(folder / "cache" / ("v" + version)))
        if (item.is_regular_file()) all[item.path().string()] = file_bytes(item.path());
      return all;
    };
    const auto before = files();
    REQUIRE(before.size() > 5);
    CacheStore store(FileSystem::real(), (folder / "cache").string());
    CHECK_FALSE(find_and_count(store, alone, false, {}));
    store.put(alone, false, {}, code_sections("made again"));
    CHECK(code_of(find_and_count(store, alone, false, {})) == "made again");
    CHECK_THROWS_WITH_AS(import_entries(store.folder(), (old / "bundle.kiln").string()),
                         doctest::Contains(("format " + version).c_str()), Error);
    CHECK((files() == before));
  }
}

TEST_CASE("an entry of a later version is a miss, and its place is free") {
  Golden golden;
  make_it_version_4(path_of_alone(golden.cache()));
  CacheStore store(golden.files, golden.cache());
  CHECK(code_of(find_and_count(store, alone, false, {})) == "(miss)");
  CHECK((golden.code(store) == golden_code(2)));
  store.put(alone, false, {}, code_sections("made again"));
  CHECK(code_of(find_and_count(store, alone, false, {})) == "made again");
}

TEST_CASE("an entry of a later version in a folder that is only read is left alone") {
  Golden golden;
  const fs::path file = path_of_alone(golden.cache());
  make_it_version_4(file);
  const std::string bytes = file_bytes(file);
  CacheStore store(golden.files, golden.cache(), Access::read_only);
  CHECK(code_of(store.find(alone, false, {})) == "(miss)");
  CHECK((file_bytes(file) == bytes));
  CHECK((code_of(store.find(with_headers, true, golden.roots())) == golden_code(2)));
}

}  // namespace golden_test
