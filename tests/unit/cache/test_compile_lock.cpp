#include "cache/compile_lock.hpp"
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include "in_child.hpp"
#include "recorded_ranges.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <thread>

#include <unistd.h>

namespace compile_lock_test {

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

struct Watch {
  int polls = 0;
  int waits = 0;
  KeyLock::Result take(KeyLock& lock, StoreFixture& f, const Digest& key, std::chrono::milliseconds timeout = 60s,
                       int done_at = -1) {
    return lock.lock(
        path(f), key, [&] { return ++polls == done_at; }, [&] { ++waits; }, timeout);
  }
  static std::string path(StoreFixture& f) { return (f.folder / "lock").string(); }
};

}  // namespace

TEST_CASE("keys lock the byte of their first 62 bits, and none the one of eviction") {
  Digest key;
  CHECK(KeyLock::offset_of(key) == 0);
  key.bytes[7] = 4;
  CHECK(KeyLock::offset_of(key) == 1);
  key.bytes.fill(0xff);
  CHECK(KeyLock::offset_of(key) == KeyLock::eviction_offset - 1);
}

TEST_CASE("the first has the lock at once, the second waits until it is done") {
  StoreFixture f;
  Watch watch;
  KeyLock first(f.files);
  CHECK(watch.take(first, f, digest_of("a")) == KeyLock::Result::locked);
  CHECK(watch.waits == 0);
  CHECK(watch.polls == 0);
  KeyLock second(f.files);
  CHECK(watch.take(second, f, digest_of("a"), 60s, 3) == KeyLock::Result::done);
  CHECK(watch.waits == 1);
  CHECK(watch.polls == 3);
  KeyLock other_key(f.files);
  CHECK(watch.take(other_key, f, digest_of("b")) == KeyLock::Result::locked);
}

TEST_CASE("a lock that is released goes to the next one") {
  StoreFixture f;
  Watch watch;
  KeyLock first(f.files);
  REQUIRE(watch.take(first, f, digest_of("a")) == KeyLock::Result::locked);
  KeyLock second(f.files);
  const auto is_done = [&] {
    first.release();
    return false;
  };
  CHECK(second.lock(
            Watch::path(f), digest_of("a"), is_done, [] {}, 60s) == KeyLock::Result::locked);
}

TEST_CASE("after the timeout one goes on without the lock") {
  StoreFixture f;
  Watch watch;
  KeyLock first(f.files);
  REQUIRE(watch.take(first, f, digest_of("a")) == KeyLock::Result::locked);
  KeyLock second(f.files);
  CHECK(watch.take(second, f, digest_of("a"), 30ms) == KeyLock::Result::timed_out);
  CHECK(watch.waits == 1);
}

TEST_CASE("where the file system has no locks there are none") {
  StoreFixture f;
  Watch watch;
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, EIO}) {
    f.files.fail_always("try_lock", error);
    KeyLock lock(f.files);
    CHECK(watch.take(lock, f, digest_of("a")) == KeyLock::Result::unavailable);
  }
  f.files.fail_always("try_lock", 0);
  f.files.fail_always("open", EROFS);
  KeyLock lock(f.files);
  CHECK(watch.take(lock, f, digest_of("a")) == KeyLock::Result::unavailable);
  CHECK(watch.waits == 0);
}

TEST_CASE("a compile lock looks again before it is taken") {
  StoreFixture f;
  CHECK(code_of(f.look_up()) == "(miss)");
  f.put("code");  // another process was quicker
  CompileLock lock(&f.store);
  CHECK(code_of(lock.lock(f.request, true, f.roots)) == "code");
  KeyLock next(f.files);
  CHECK(next.lock((f.directory() / "v3/lock").string(), f.request.name, [] { return false; }, [] {}, 0ms) ==
        KeyLock::Result::locked);
}

TEST_CASE("a compile lock gives what another process compiled meanwhile, and counts the wait") {
  StoreFixture f;
  std::array<int, 2> locked;
  std::array<int, 2> waiting;
  REQUIRE(::pipe(locked.data()) == 0);
  REQUIRE(::pipe(waiting.data()) == 0);
  std::thread other([&] {
    CHECK(in_child([&] {
            CacheStore store(f.files, f.directory().string());
            CompileLock lock(&store);
            if (lock.lock(f.request, true, f.roots)) return 1;
            char byte = 0;
            if (::write(locked[1], "x", 1) != 1 || ::read(waiting[0], &byte, 1) != 1) return 2;
            store.put(f.request, true, f.dependencies(), code_sections("code"));
            lock.release();
            return 0;
          }) == 0);
  });
  char byte = 0;
  REQUIRE(::read(locked[0], &byte, 1) == 1);
  // The counter of waits is written once this process waits: then the other may go on.
  std::thread go([&] {
    while (Statistics(FileSystem::real(), (f.directory() / "v3/statistics").string())
               .totals()[static_cast<std::size_t>(Counter::waits)] == 0)
      std::this_thread::yield();
    CHECK(::write(waiting[1], "x", 1) == 1);
  });
  const RecordedRanges ranges;
  CHECK(code_of(CompileLock(&f.store).lock(f.request, true, f.roots)) == "code");
  CHECK(ranges.text() == "(wait: for another process)");
  go.join();
  other.join();
  CHECK(folder_stats(f.store.folder()).waits == 1);
  for (const int end : {locked[0], locked[1], waiting[0], waiting[1]}) ::close(end);
}

TEST_CASE("on a file system without locks a compile goes on without one, and marks no failure") {
  StoreFixture f;
  f.files.fail_always("try_lock", ENOLCK);
  {
    CompileLock lock(&f.store);
    CHECK_FALSE(lock.lock(f.request, true, f.roots));
    CHECK_FALSE(lock.is_held());
  }
  CHECK(f.files_of(".tmp").empty());
}

TEST_CASE("without a store nothing is locked") {
  CompileLock lock(nullptr);
  CHECK_FALSE(lock.lock(CacheKey("request"), false, {}));
  CHECK_FALSE(lock.is_held());
}

TEST_CASE("a compile lock that goes while it is held marks a failed compile, one that was released does not") {
  StoreFixture f;
  for (const bool released : {true, false}) {
    CompileLock lock(&f.store);
    REQUIRE_FALSE(lock.lock(f.request, true, f.roots));
    if (released) lock.release();
    CHECK(f.files_of(".tmp").empty());
  }
  CHECK(f.files_of(".tmp").size() == 1);
}

TEST_CASE("one who waits for a compile lock goes when its stop is due, without the lock") {
  StoreFixture f;
  CompileLock first(&f.store);
  REQUIRE_FALSE(first.lock(f.request, true, f.roots));
  const CancelSource source;
  source.cancel();
  Stop stop;
  stop.cancel = source.token();
  CompileLock second(&f.store);
  CHECK_FALSE(second.lock(f.request, true, f.roots, stop));
  CHECK_FALSE(second.is_held());
  CHECK(first.is_held());
}

}  // namespace compile_lock_test
