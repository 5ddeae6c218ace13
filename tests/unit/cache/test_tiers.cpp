#include "cache/compile_lock.hpp"
#include "cache/eviction.hpp"
#include "cache/makers.hpp"
#include "cache/open_stores.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <map>

namespace tiers_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// The fixture's folder as a cache that is only read, and an own one.
struct Tiers : StoreFixture {
  std::optional<CacheStore::Hit> find_in_tier() { return tier.find(request, true, roots); }
  /// Every file of the tier with its bytes and time.
  std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> everything() const {
    std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> all;
    for (const auto& item : std::filesystem::recursive_directory_iterator(directory()))
      if (item.is_regular_file()) all[item.path()] = {file_bytes(item.path()), item.last_write_time()};
    return all;
  }
  /// As a package manager does it: by another file.
  void replace_package_header(const std::string& text) const {
    std::filesystem::remove(folder / "package/a.h");
    folder.write("package/a.h", text);
  }
  CacheStore tier{files, directory().string(), Access::read_only};
  CacheStore own{files, (folder / "own cache").string()};
};

}  // namespace

TEST_CASE("a cache that is only read serves, and nothing in it is changed") {
  Tiers f;
  f.put("code");
  const auto before = f.everything();
  f.files.set_clock(FileSystem::real().now_ns() + std::int64_t{48} * 3'600'000'000'000);  // stamps would be due
  CHECK(code_of(f.find_in_tier()) == "code");
  f.tier.put(f.request, true, f.dependencies(), code_sections("other"));
  f.tier.folder().count(Counter::hits);
  f.tier.folder().write_counts();
  add_maker(f.tier.folder(), "somebody");
  CHECK_FALSE(CompileLock(&f.tier).lock(CacheKey("other"), true, f.roots));
  f.folder.write("own.h", "own");  // moved, same content: the manifest would be refreshed
  const auto hit = f.find_in_tier();
  CHECK(code_of(hit) == "code");
  CHECK(hit->refreshed);
  CHECK(f.everything() == before);
}

TEST_CASE("a damaged file of a cache that is only read stays, and is a miss") {
  Tiers f;
  f.put("code");
  write_file(f.files_of(".code").at(0), "damaged");
  const auto before = f.everything();
  CHECK_FALSE(f.find_in_tier());
  write_file(f.files_of(".manifest").at(0), "damaged too");
  CHECK_FALSE(f.find_in_tier());
  CHECK(f.everything().size() == before.size());
}

TEST_CASE("a bad entry of a cache that is only read is not served again in this process") {
  Tiers f;
  const Digest key = f.put("code");
  CHECK(code_of(f.find_in_tier()) == "code");
  f.tier.discard(key);
  CHECK_FALSE(f.find_in_tier());
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("what a tier served in other states is kept in the own folder, and then no content is read") {
  Tiers f;
  f.put("code");
  f.folder.write("own.h", "own");
  f.folder.write("package/unrelated.h", "");
  auto hit = f.find_in_tier();
  REQUIRE(hit);
  CHECK(hit->refreshed);
  f.own.copy_from(f.tier, f.request, f.roots, *hit);
  f.files.clear_opened();
  const auto again = f.own.find(f.request, true, f.roots);
  CHECK(code_of(again) == "code");
  CHECK(again->key == hit->key);
  CHECK_FALSE(again->refreshed);
  CHECK(f.files.opened().size() == 2);  // the manifest and the entry
  // Also the folders' headers went along.
  f.replace_package_header("a");
  CHECK(f.own.find(f.request, true, f.roots)->refreshed);
  f.replace_package_header("b");
  CHECK_FALSE(f.own.find(f.request, true, f.roots));
}

TEST_CASE("where only own files moved the folders' headers are fetched for the own folder") {
  Tiers f;
  f.put("code");
  f.folder.write("own.h", "own");
  auto hit = f.find_in_tier();
  REQUIRE(hit);
  CHECK_FALSE(hit->dependencies.headers_known);
  f.own.copy_from(f.tier, f.request, f.roots, *hit);
  CHECK(f.own.find(f.request, true, f.roots)->key == hit->key);
  f.replace_package_header("b");
  CHECK_FALSE(f.own.find(f.request, true, f.roots));
}

TEST_CASE("who made a folder's entries, newest first, without repetition") {
  Tiers f;
  CHECK(makers_in(f.store.folder()).empty());
  add_maker(f.store.folder(), "nobody");  // there is no folder yet
  CHECK(makers_in(f.store.folder()).empty());
  f.put("code");
  add_maker(f.store.folder(), "a");
  add_maker(f.store.folder(), "b");
  add_maker(f.store.folder(), "a");
  CHECK(makers_in(f.store.folder()) == std::vector<std::string>{"a", "b"});
  CHECK(makers_in(f.tier.folder()) == std::vector<std::string>{"a", "b"});
  f.files.reset_counts();
  add_maker(f.store.folder(), "a");
  CHECK(f.files.total() == 4);  // the list is read, and not written
  for (int i = 0; i < 40; ++i) add_maker(f.store.folder(), std::to_string(i));
  CHECK(makers_in(f.store.folder()).size() == 16);
  CHECK(makers_in(f.store.folder()).front() == "39");
}

TEST_CASE("damaged lists of makers are nobody's") {
  Tiers f;
  f.put("code");
  add_maker(f.store.folder(), "a");
  write_file(f.files_of(".makers").at(0), "damaged");
  CHECK(makers_in(f.store.folder()).empty());
  add_maker(f.store.folder(), "b");
  CHECK(makers_in(f.store.folder()) == std::vector<std::string>{"b"});
}

TEST_CASE("a relative folder that is only read is today's working folder's") {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_directory(folder / "b");
  const std::filesystem::path before = std::filesystem::current_path();
  for (const char* name : {"a", "b", "a"}) {
    std::filesystem::current_path(folder / name);
    const std::string directory = open_read_only_store("tier", {}).folder().root();
    std::filesystem::current_path(before);
    CHECK(directory == (folder / name / "tier").string());
  }
}

TEST_CASE("a maker is noted again after the folder was cleared, and while it is in use") {
  Tiers f;
  f.put("code");
  add_maker(f.store.folder(), "a");
  clear_entries(f.store.folder());
  add_maker(f.store.folder(), "a");
  CHECK(makers_in(f.store.folder()) == std::vector<std::string>{"a"});
  CacheStore other(FileSystem::real(), f.directory().string());
  clear_entries(other.folder());
  f.files.set_clock(f.files.now_ns() + 3'600'000'000'000);
  add_maker(f.store.folder(), "a");
  CHECK(makers_in(f.store.folder()) == std::vector<std::string>{"a"});
}

}  // namespace tiers_test
