#include "cache/bundle_transfer.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "cache/notes.hpp"
#include "cache/source_copy.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

namespace notes_test {

using namespace kiln;
using namespace kiln::test;

namespace {

Sections note(std::string_view text) {
  Sections sections;
  sections.add("text", text);
  return sections;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a note is found under its key, and the newest one stands") {
  StoreFixture f;
  const CacheKey key("a note");
  CHECK_FALSE(find_note(f.store.folder(), key));
  put_note(f.store.folder(), key, note("one"));
  put_note(f.store.folder(), key, note("two"));
  REQUIRE(find_note(f.store.folder(), key));
  CHECK(find_note(f.store.folder(), key)->find("text") == "two");
  CHECK_FALSE(find_note(f.store.folder(), CacheKey("another")));
  CHECK(folder_stats(f.store.folder()).entries == 0);
  CHECK(folder_stats(f.store.folder()).bytes > 0);
}

TEST_CASE("a note that cannot be kept or read is no fault of the program") {
  StoreFixture f;
  const CacheKey key("a note");
  f.files.fail_always("rename", EIO);
  put_note(f.store.folder(), key, note("one"));
  f.files.fail_always("rename", 0);
  CHECK_FALSE(find_note(f.store.folder(), key));
  put_note(f.store.folder(), key, note("one"));
  f.files.fail_always("read", EIO);
  CHECK_FALSE(find_note(f.store.folder(), key));
  f.files.fail_always("read", 0);
  CHECK(find_note(f.store.folder(), key));
}

TEST_CASE("notes travel in bundles, sources for debuggers do not") {
  StoreFixture from;
  StoreFixture to;
  put_note(from.store.folder(), CacheKey("a note"), note("one"));
  REQUIRE_FALSE(keep_source_copy(from.store.folder(), "text").empty());
  const std::string bundle = (from.folder / "bundle").string();
  export_entries(from.store.folder(), bundle);
  import_entries(to.store.folder(), bundle);
  REQUIRE(find_note(to.store.folder(), CacheKey("a note")));
  CHECK(find_note(to.store.folder(), CacheKey("a note"))->find("text") == "one");
  CHECK(verify_entries(to.store.folder()).good == 1);
}

TEST_CASE("a source is kept as it is, once, and goes with the cache") {
  StoreFixture f;
  const std::string path = keep_source_copy(f.store.folder(), "__global__ void k() {}\n");
  CHECK(text_of(path) == "__global__ void k() {}\n");
  CHECK(path.substr(path.size() - 3) == ".cu");
  const int renames = f.files.count("rename");
  CHECK(keep_source_copy(f.store.folder(), "__global__ void k() {}\n") == path);
  CHECK(f.files.count("rename") == renames);
  CHECK(keep_source_copy(f.store.folder(), "") != path);

  CHECK(verify_entries(f.store.folder()).damaged.empty());
  std::ofstream(path) << "another text";
  CHECK(verify_entries(f.store.folder()).damaged.size() == 1);
  CHECK(text_of(keep_source_copy(f.store.folder(), "__global__ void k() {}\n")) == "__global__ void k() {}\n");
  clear_entries(f.store.folder());
  CHECK(text_of(path).empty());
}

TEST_CASE("where a source cannot be kept there is no path") {
  StoreFixture f;
  f.files.fail_always("rename", ENOSPC);
  CHECK(keep_source_copy(f.store.folder(), "text").empty());
}

}  // namespace notes_test
