// Code that is cached by a key of all it is made of: made once, found again, and never kept after a failure.
#include "compile/store/keyed_code.hpp"

#include "cache/cache_folder.hpp"
#include "cache/key.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace keyed_code_test {

using namespace kiln;
using kiln::test::in_child;
using kiln::test::ScratchFolder;

namespace {

struct Place {
  ScratchFolder scratch;
  std::atomic<int> made{0};

  const CacheOptions caching{scratch / "cache"};
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }

  KeyedWork work(const std::string& input) {
    KeyedWork work;
    work.name = "linked";
    work.maker = "nvjitlink:test";
    work.key = std::move(KeyBuilder().add("maker", work.maker).add("input", input)).take();
    work.make = [this, input] {
      ++made;
      auto code = std::make_shared<CodeData>();
      code->target = Target::ltoir;
      code->arch = "sm_80";
      code->backend = Backend::nvjitlink;
      code->own("code of " + input);
      return code;
    };
    return work;
  }
};

}  // namespace

TEST_CASE("keyed code: made once, then from memory, and from disk in another process") {
  Place place;
  CHECK_FALSE(find_made(place.work("a"), &place.caching));
  const CodeObject made = find_or_make(place.work("a"), &place.caching);
  CHECK_FALSE(made.from_cache());
  CHECK(made.bytes() == "code of a");
  const CodeObject again = find_or_make(place.work("a"), &place.caching);
  CHECK(again.from_cache());
  CHECK(again.data() == made.data());
  CHECK(find_or_make(place.work("b"), &place.caching).bytes() == "code of b");
  CHECK(place.made == 2);
  CHECK(place.stats().compiles == 2);
  CHECK(place.stats().misses == 2);
  CHECK(place.stats().hits == 0);
  CHECK(makers_in_caches(&place.caching) == std::vector<std::string>{"nvjitlink:test"});
}

TEST_CASE("keyed code: what another request of the same name made is not served") {
  Place place;
  CHECK(in_child([&] { return find_or_make(place.work("a"), &place.caching).from_cache() ? 1 : 0; }) == 0);
  CacheFolder folder(FileSystem::real(), (place.scratch / "cache").string());
  Sections of_a;
  REQUIRE(folder.read(EntryKind::code, CacheKey(place.work("a").key), of_a) == CacheFolder::ReadResult::good);
  REQUIRE(folder.publish(EntryKind::code, CacheKey(place.work("b").key).name, of_a) == 0);
  CHECK_FALSE(find_made(place.work("b"), &place.caching));
  CHECK(in_child([&] { return find_or_make(place.work("b"), &place.caching).bytes() == "code of b" ? 0 : 1; }) == 0);
  CHECK(find_made(place.work("b"), &place.caching).value().bytes() == "code of b");
  CHECK(find_made(place.work("a"), &place.caching).value().bytes() == "code of a");
}

TEST_CASE("keyed code: what is on disk is not made again, and names its maker") {
  Place place;
  // Another process makes it, so that this one's memory has nothing.
  CHECK(in_child([&] { return find_or_make(place.work("a"), &place.caching).from_cache() ? 1 : 0; }) == 0);
  const CodeObject found = find_or_make(place.work("a"), &place.caching);
  CHECK(found.from_cache());
  CHECK(found.bytes() == "code of a");
  CHECK(found.backend() == Backend::nvjitlink);
  CHECK(place.made == 0);
  CHECK(place.stats().hits == 1);
  CHECK(place.stats().compiles == 1);
}

TEST_CASE("keyed code: a failure keeps nothing and is every waiting caller's error") {
  Place place;
  KeyedWork work = place.work("a");
  const auto good = work.make;
  work.make = []() -> std::shared_ptr<CodeData> { throw LinkError("it cannot be linked", "log", "", {}); };
  CHECK_THROWS_AS(find_or_make(work, &place.caching), LinkError);
  CHECK(place.stats().stores == 0);
  CHECK(place.stats().entries == 0);
  work.make = good;
  CHECK_FALSE(find_or_make(work, &place.caching).from_cache());
  CHECK(place.made == 1);
}

TEST_CASE("keyed code: threads that want the same make it once") {
  Place place;
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { right += find_or_make(place.work("a"), &place.caching).bytes() == "code of a"; });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
  CHECK(place.made == 1);
  CHECK(place.stats().compiles == 1);
}

TEST_CASE("keyed code: without a cache it is made each time") {
  Place place;
  CHECK_FALSE(find_or_make(place.work("a"), nullptr).from_cache());
  CHECK_FALSE(find_or_make(place.work("a"), nullptr).from_cache());
  CHECK(place.made == 2);
  CHECK_FALSE(std::filesystem::exists(place.scratch / "cache"));
}

TEST_CASE("keyed code: a cancelled work is not begun") {
  Place place;
  KeyedWork work = place.work("a");
  CancelSource source;
  work.stop.cancel = source.token();
  source.cancel();
  CHECK_THROWS_AS(find_or_make(work, &place.caching), CompileStopped);
  CHECK(place.made == 0);
}

}  // namespace keyed_code_test
