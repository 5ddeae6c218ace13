// Two requests whose digests are equal, which no test can wait for: the second is given the first one's name. One file
// then is for both, in turn, and neither is ever served what is the other's.
#include "cache/bundle_transfer.hpp"
#include "cache/compile_lock.hpp"
#include "cache/explain_miss.hpp"
#include "cache/history.hpp"
#include "cache/listing.hpp"
#include "cache/makers.hpp"
#include "cache/notes.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

namespace same_name_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct SameName : StoreFixture {
  SameName() { second.name = request.name; }
  std::string first_code(bool includes) { return code_of(find_and_count(store, request, includes, roots)); }
  std::string second_code(bool includes) { return code_of(find_and_count(store, second, includes, roots)); }

  CacheKey second{"another request"};
};

Sections note(const std::string& text) {
  Sections sections;
  sections.add("text", text);
  return sections;
}

}  // namespace

TEST_CASE("one name, two requests without includes: code of the other is a miss, and replaced") {
  SameName f;
  f.store.put(f.request, false, {}, code_sections("first"));
  CHECK(f.second_code(false) == "(miss)");
  CHECK(f.first_code(false) == "first");
  f.store.put(f.second, false, {}, code_sections("second"));
  CHECK(f.second_code(false) == "second");
  CHECK(f.first_code(false) == "(miss)");
  CHECK(folder_stats(f.store.folder()).corrupt == 0);
}

TEST_CASE("one name, two requests: the other's manifest leads nowhere, and their code has two names") {
  SameName f;
  const Digest first = f.put("first");
  CHECK(f.second_code(true) == "(miss)");
  CHECK_FALSE(f.store.find_key(f.second, true, f.roots));
  CHECK(f.first_code(true) == "first");
  // Who has read the first one's manifest meanwhile finds the first one's code.
  CHECK(f.store.put(f.second, true, f.dependencies(), code_sections("second")) != first);
  CHECK(f.files_of(".code").size() == 2);
  CHECK(f.files_of(".manifest").size() == 1);
  CHECK(f.second_code(true) == "second");
  CHECK(f.first_code(true) == "(miss)");
  f.put("first");
  CHECK(f.first_code(true) == "first");
  CHECK(f.second_code(true) == "(miss)");
  CHECK(folder_stats(f.store.folder()).corrupt == 0);
}

TEST_CASE("one name, two requests: what turns up in a folder that is only read is a miss") {
  SameName f;
  f.put("first");
  f.store.put(f.request, false, {}, code_sections("first"));
  CacheStore tier(f.files, f.directory().string(), Access::read_only);
  CHECK(code_of(tier.find(f.request, true, f.roots)) == "first");
  for (const bool includes : {true, false}) CHECK_FALSE(tier.find(f.second, includes, f.roots));
}

TEST_CASE("one name, two requests: the lock is shared, and what the other made is a miss") {
  SameName f;
  CompileLock lock(&f.store);
  f.store.put(f.request, false, {}, code_sections("first"));
  CHECK_FALSE(lock.lock(f.second, false, {}));
  CHECK(lock.is_held());
}

TEST_CASE("one name, two requests: a note, a history and a list of makers are nobody else's") {
  SameName f;
  put_note(f.store.folder(), f.request, note("first"));
  CHECK_FALSE(find_note(f.store.folder(), f.second));
  put_note(f.store.folder(), f.second, note("second"));
  CHECK_FALSE(find_note(f.store.folder(), f.request));
  CHECK(find_note(f.store.folder(), f.second)->find("text") == "second");

  record_request(f.store.folder(), "a.cu", {{"arch", {"sm_80"}, false}});
  add_maker(f.store.folder(), "a compiler");
  CacheFolder folder(f.files, f.directory().string());
  const auto take = [&](EntryKind kind, CacheKey key) {
    Sections sections;
    REQUIRE(folder.read(kind, key, sections) == CacheFolder::ReadResult::good);
    Sections others;
    for (const auto& [label, content] : sections.all())
      if (label != request_label) others.add(label, content);
    key.request = "another request";
    REQUIRE(folder.publish(kind, key, others) == 0);
  };
  CHECK(explain_miss(f.store.folder(), "a.cu", {{"arch", {"sm_90"}, false}}).size() == 1);
  CHECK(makers_in(f.store.folder()).size() == 1);
  take(EntryKind::history, History::key("a.cu"));
  take(EntryKind::makers, CacheKey("makers"));
  CHECK(explain_miss(f.store.folder(), "a.cu", {{"arch", {"sm_90"}, false}}).empty());
  CHECK(makers_in(f.store.folder()).empty());
}

TEST_CASE("a bundle brings no file whose name is not its request's") {
  SameName f;
  f.store.put(f.second, false, {}, code_sections("second"));
  const std::string bundle = (f.folder / "bundle").string();
  CHECK(export_entries(f.store.folder(), bundle) == 1);
  CHECK_THROWS_WITH(import_entries(CacheStore(f.files, (f.folder / "other").string()).folder(), bundle),
                    doctest::Contains("damaged"));
  CHECK(verify_entries(f.store.folder()).damaged.size() == 1);
}

// What an earlier layout of this version wrote has no request in it.
TEST_CASE("files without their request are misses") {
  StoreFixture f;
  f.put("code");
  f.store.put(f.request, false, {}, code_sections("code"));
  CacheFolder folder(f.files, f.directory().string());
  for (const EntryKind kind : {EntryKind::manifest, EntryKind::code}) {
    Sections sections;
    REQUIRE(folder.read(kind, f.request, sections) == CacheFolder::ReadResult::good);
    Sections rest;
    for (const auto& [label, content] : sections.all())
      if (label != request_label) rest.add(label, content);
    REQUIRE(folder.publish(kind, f.request.name, rest) == 0);
  }
  for (const bool includes : {true, false}) CHECK_FALSE(find_and_count(f.store, f.request, includes, f.roots));
}

}  // namespace same_name_test
