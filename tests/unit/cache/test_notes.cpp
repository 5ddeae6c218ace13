#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

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
  CHECK_FALSE(f.store.find_note(key));
  f.store.put_note(key, note("one"));
  f.store.put_note(key, note("two"));
  REQUIRE(f.store.find_note(key));
  CHECK(f.store.find_note(key)->find("text") == "two");
  CHECK_FALSE(f.store.find_note(CacheKey("another")));
  CHECK(f.store.stats().entries == 0);
  CHECK(f.store.stats().bytes > 0);
}

TEST_CASE("a note that cannot be kept or read is no fault of the program") {
  StoreFixture f;
  const CacheKey key("a note");
  f.files.fail_always("rename", EIO);
  f.store.put_note(key, note("one"));
  f.files.fail_always("rename", 0);
  CHECK_FALSE(f.store.find_note(key));
  f.store.put_note(key, note("one"));
  f.files.fail_always("read", EIO);
  CHECK_FALSE(f.store.find_note(key));
  f.files.fail_always("read", 0);
  CHECK(f.store.find_note(key));
}

TEST_CASE("notes travel in bundles, sources for debuggers do not") {
  StoreFixture from;
  StoreFixture to;
  from.store.put_note(CacheKey("a note"), note("one"));
  REQUIRE_FALSE(from.store.keep_source("text").empty());
  const std::string bundle = (from.folder / "bundle").string();
  from.store.export_to(bundle);
  to.store.import_from(bundle);
  REQUIRE(to.store.find_note(CacheKey("a note")));
  CHECK(to.store.find_note(CacheKey("a note"))->find("text") == "one");
  CHECK(to.store.verify().good == 1);
}

TEST_CASE("a source is kept as it is, once, and goes with the cache") {
  StoreFixture f;
  const std::string path = f.store.keep_source("__global__ void k() {}\n");
  CHECK(text_of(path) == "__global__ void k() {}\n");
  CHECK(path.substr(path.size() - 3) == ".cu");
  const int renames = f.files.count("rename");
  CHECK(f.store.keep_source("__global__ void k() {}\n") == path);
  CHECK(f.files.count("rename") == renames);
  CHECK(f.store.keep_source("") != path);

  CHECK(f.store.verify().damaged.empty());
  std::ofstream(path) << "another text";
  CHECK(f.store.verify().damaged.size() == 1);
  CHECK(text_of(f.store.keep_source("__global__ void k() {}\n")) == "__global__ void k() {}\n");
  f.store.clear();
  CHECK(text_of(path).empty());
}

TEST_CASE("where a source cannot be kept there is no path") {
  StoreFixture f;
  f.files.fail_always("rename", ENOSPC);
  CHECK(f.store.keep_source("text").empty());
}
