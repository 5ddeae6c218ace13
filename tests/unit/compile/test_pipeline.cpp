// The way of a request through memory and caches: made once, found again, and never kept after a failure.
#include "compile/pipeline.hpp"

#include "base/passkey.hpp"
#include "cache/cache_folder.hpp"
#include "cache/key.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"

#include <kiln/cache.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace pipeline_test {

using namespace kiln;
using kiln::test::in_child;
using kiln::test::ScratchFolder;

namespace {

/// What is to be made, and how.
struct Work {
  std::string key;
  Stop stop = {};
  std::function<std::shared_ptr<CodeData>()> make;
  std::string identity = key;
};

class TestCompile : public CachedCompile {
 public:
  TestCompile(const Work& work, CodeCache& cache) : CachedCompile(cache), work_(work), key_(work.key) {}

 private:
  CacheRequest request() const override { return {name_, key_, maker_}; }
  const std::string& identity() const override { return work_.identity; }
  const Stop& stop() const override { return work_.stop; }
  CallTiming* timing() const override { return nullptr; }
  MadeCode compile() override { return {work_.make()}; }
  void complete(CodeData& code) const override { code.name = name_; }

  const Work& work_;
  const std::string name_ = "linked";
  const std::string maker_ = "nvjitlink:test";
  const CacheKey key_;
};

CodeObject find_or_make(const Work& work, const CacheOptions& caching) {
  return from_memory_or(work.identity, "linked", work.stop, caching,
                        [&](CodeCache& cache) { return std::get<CodeObject>(TestCompile(work, cache).run()); });
}

std::optional<CodeObject> find_made(const Work& work, const CacheOptions& caching) {
  if (auto known = find_in_memory(work.identity)) return CodeObject(passkey, std::move(known), true);
  CodeCache cache(caching);
  return TestCompile(work, cache).find();
}

struct Place {
  ScratchFolder scratch;
  std::atomic<int> made{0};

  const CacheOptions caching{scratch / "cache"};
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }

  Work work(const std::string& input) {
    const std::string place = (scratch / "cache").string();
    return {std::move(KeyBuilder().add("place", place).add("input", input)).take(), {}, [this, input] {
              ++made;
              auto code = std::make_shared<CodeData>();
              code->target = Target::ltoir;
              code->arch = "sm_80";
              code->backend = Backend::nvjitlink;
              code->own("code of " + input);
              return code;
            }};
  }
};

}  // namespace

TEST_CASE("the way of a request: made once, then from memory, and from disk in another process") {
  Place place;
  CHECK_FALSE(find_made(place.work("a"), place.caching));
  const CodeObject made = find_or_make(place.work("a"), place.caching);
  CHECK_FALSE(made.from_cache());
  CHECK(made.bytes() == "code of a");
  const CodeObject again = find_or_make(place.work("a"), place.caching);
  CHECK(again.from_cache());
  CHECK(again.data() == made.data());
  CHECK(find_or_make(place.work("b"), place.caching).bytes() == "code of b");
  CHECK(place.made == 2);
  CHECK(place.stats().compiles == 2);
  CHECK(place.stats().misses == 2);
  CHECK(place.stats().hits == 0);
  CHECK(CodeCache(place.caching).makers() == std::vector<std::string>{"nvjitlink:test"});
}

TEST_CASE("the way of a request: what another request of the same name made is not served") {
  Place place;
  CHECK(in_child([&] { return find_or_make(place.work("a"), place.caching).from_cache() ? 1 : 0; }) == 0);
  CacheFolder folder(FileSystem::real(), (place.scratch / "cache").string());
  Sections of_a;
  REQUIRE(folder.read(EntryKind::code, CacheKey(place.work("a").key), of_a) == CacheFolder::ReadResult::good);
  REQUIRE(folder.publish(EntryKind::code, CacheKey(place.work("b").key).name, of_a) == 0);
  CHECK_FALSE(find_made(place.work("b"), place.caching));
  CHECK(in_child([&] { return find_or_make(place.work("b"), place.caching).bytes() == "code of b" ? 0 : 1; }) == 0);
  CHECK(find_made(place.work("b"), place.caching).value().bytes() == "code of b");
  CHECK(find_made(place.work("a"), place.caching).value().bytes() == "code of a");
}

TEST_CASE("the way of a request: what is on disk is not made again, and names its maker") {
  Place place;
  // Another process makes it, so that this one's memory has nothing.
  CHECK(in_child([&] { return find_or_make(place.work("a"), place.caching).from_cache() ? 1 : 0; }) == 0);
  const CodeObject found = find_or_make(place.work("a"), place.caching);
  CHECK(found.from_cache());
  CHECK(found.bytes() == "code of a");
  CHECK(found.backend() == Backend::nvjitlink);
  CHECK(place.made == 0);
  CHECK(place.stats().hits == 1);
  CHECK(place.stats().compiles == 1);
}

TEST_CASE("the way of a request: a failure keeps nothing and is every waiting caller's error") {
  Place place;
  Work work = place.work("a");
  const auto good = work.make;
  work.make = []() -> std::shared_ptr<CodeData> { throw LinkError("it cannot be linked", "log", "", {}); };
  CHECK_THROWS_AS(find_or_make(work, place.caching), LinkError);
  CHECK(place.stats().stores == 0);
  CHECK(place.stats().entries == 0);
  work.make = good;
  CHECK_FALSE(find_or_make(work, place.caching).from_cache());
  CHECK(place.made == 1);
}

TEST_CASE("the way of a request: threads that want the same make it once") {
  Place place;
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { right += find_or_make(place.work("a"), place.caching).bytes() == "code of a"; });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
  CHECK(place.made == 1);
  CHECK(place.stats().compiles == 1);
}

TEST_CASE("the way of a request: without a cache it is made each time") {
  Place place;
  Work work = place.work("a");
  work.identity.clear();
  CHECK_FALSE(find_or_make(work, place.caching).from_cache());
  CHECK_FALSE(find_or_make(work, place.caching).from_cache());
  CHECK(place.made == 2);
  CHECK_FALSE(std::filesystem::exists(place.scratch / "cache"));
}

TEST_CASE("the way of a request: a cancelled work is not begun") {
  Place place;
  Work work = place.work("a");
  CancelSource source;
  work.stop.cancel = source.token();
  source.cancel();
  CHECK_THROWS_AS(find_or_make(work, place.caching), CompileStopped);
  CHECK(place.made == 0);
}

}  // namespace pipeline_test
