#include "store_fixture.hpp"

#include "in_child.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <thread>

#include <unistd.h>

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

struct Watch {
  int looks = 0;
  int waits = 0;
  Turn::Result take(Turn& turn, StoreFixture& f, const Digest& key, std::chrono::milliseconds patience = 60s,
                    int found_at = -1) {
    return turn.take(
        path(f), key, [&] { return ++looks == found_at; }, [&] { ++waits; }, patience);
  }
  static std::string path(StoreFixture& f) { return (f.folder / "lock").string(); }
};

}  // namespace

TEST_CASE("keys lock the byte of their first 62 bits, and none the one of eviction") {
  Digest key;
  CHECK(Turn::offset_of(key) == 0);
  key.bytes[7] = 4;
  CHECK(Turn::offset_of(key) == 1);
  key.bytes.fill(0xff);
  CHECK(Turn::offset_of(key) == Turn::eviction_offset - 1);
}

TEST_CASE("the first has the turn at once, the second waits until it looks and finds") {
  StoreFixture f;
  Watch watch;
  Turn first(f.files);
  CHECK(watch.take(first, f, digest_of("a")) == Turn::Result::ours);
  CHECK(watch.waits == 0);
  CHECK(watch.looks == 0);
  Turn second(f.files);
  CHECK(watch.take(second, f, digest_of("a"), 60s, 3) == Turn::Result::found);
  CHECK(watch.waits == 1);
  CHECK(watch.looks == 3);
  Turn other_key(f.files);
  CHECK(watch.take(other_key, f, digest_of("b")) == Turn::Result::ours);
}

TEST_CASE("a turn that is released is the next one's") {
  StoreFixture f;
  Watch watch;
  Turn first(f.files);
  REQUIRE(watch.take(first, f, digest_of("a")) == Turn::Result::ours);
  Turn second(f.files);
  const auto look = [&] {
    first.release();
    return false;
  };
  CHECK(second.take(
            Watch::path(f), digest_of("a"), look, [] {}, 60s) == Turn::Result::ours);
}

TEST_CASE("one who waited too long goes on without") {
  StoreFixture f;
  Watch watch;
  Turn first(f.files);
  REQUIRE(watch.take(first, f, digest_of("a")) == Turn::Result::ours);
  Turn second(f.files);
  CHECK(watch.take(second, f, digest_of("a"), 30ms) == Turn::Result::overdue);
  CHECK(watch.waits == 1);
}

TEST_CASE("where there are no locks there are no turns") {
  StoreFixture f;
  Watch watch;
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, EIO}) {
    f.files.fail_always("try_lock", error);
    Turn turn(f.files);
    CHECK(watch.take(turn, f, digest_of("a")) == Turn::Result::unavailable);
  }
  f.files.fail_always("try_lock", 0);
  f.files.fail_always("open", EROFS);
  Turn turn(f.files);
  CHECK(watch.take(turn, f, digest_of("a")) == Turn::Result::unavailable);
  CHECK(watch.waits == 0);
}

TEST_CASE("take_turn looks again before it gives the turn") {
  StoreFixture f;
  CHECK(code_of(f.look_up()) == "(miss)");
  f.put("code");  // another process was quicker
  Turn turn(f.files);
  CHECK(code_of(f.store.take_turn(f.request, true, f.roots, turn)) == "code");
  Turn next(f.files);
  CHECK(next.take((f.directory() / "v2/lock").string(), f.request.name, [] { return false; }, [] {}, 0ms) ==
        Turn::Result::ours);
}

TEST_CASE("take_turn gives what another process compiled meanwhile, and counts the wait") {
  StoreFixture f;
  std::array<int, 2> locked;
  std::array<int, 2> waiting;
  REQUIRE(::pipe(locked.data()) == 0);
  REQUIRE(::pipe(waiting.data()) == 0);
  std::thread other([&] {
    CHECK(in_child([&] {
            CacheStore store(f.files, f.directory().string());
            Turn turn(f.files);
            if (store.take_turn(f.request, true, f.roots, turn)) return 1;
            char byte = 0;
            if (::write(locked[1], "x", 1) != 1 || ::read(waiting[0], &byte, 1) != 1) return 2;
            store.put(f.request, true, f.dependencies(), f.roots, code_sections("code"));
            turn.release();
            return 0;
          }) == 0);
  });
  char byte = 0;
  REQUIRE(::read(locked[0], &byte, 1) == 1);
  // The counter of waits is written once this process waits: then the other may go on.
  std::thread go([&] {
    while (Statistics(FileSystem::real(), (f.directory() / "v2/statistics").string())
               .totals()[static_cast<std::size_t>(Counter::waits)] == 0)
      std::this_thread::yield();
    CHECK(::write(waiting[1], "x", 1) == 1);
  });
  Turn turn(f.files);
  CHECK(code_of(f.store.take_turn(f.request, true, f.roots, turn)) == "code");
  go.join();
  other.join();
  CHECK(f.store.stats().waits == 1);
  for (const int end : {locked[0], locked[1], waiting[0], waiting[1]}) ::close(end);
}

TEST_CASE("a file system without locks is asked once a process") {
  StoreFixture f;
  f.files.fail_always("try_lock", ENOLCK);
  Turn turn(f.files);
  CHECK_FALSE(f.store.take_turn(f.request, true, f.roots, turn));
  f.files.reset_counts();
  CHECK_FALSE(f.store.take_turn(f.request, true, f.roots, turn));
  CHECK(f.files.total() == 0);
}

TEST_CASE("one who waits for a turn goes when its stop is due, without the turn") {
  StoreFixture f;
  Turn first(f.files);
  REQUIRE_FALSE(f.store.take_turn(f.request, true, f.roots, first));
  const CancelSource source;
  source.cancel();
  Stop stop;
  stop.cancel = source.token();
  Turn second(f.files);
  CHECK_FALSE(f.store.take_turn(f.request, true, f.roots, second, stop));
  CHECK_FALSE(second.is_held());
  CHECK(first.is_held());
}
