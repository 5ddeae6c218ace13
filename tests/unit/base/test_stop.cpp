#include "base/passkey.hpp"
#include "base/stop.hpp"
#include "base/stop_wait.hpp"

#include <doctest/doctest.h>

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace stop_test {

using namespace kiln;

namespace {

struct Pipe {
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  int ends[2] = {-1, -1};
};

Stop stop_with(const CancelSource& source) {
  Stop stop;
  stop.cancel = source.token();
  return stop;
}

}  // namespace

TEST_CASE("a watch is called when its token is cancelled, at once where it was, and not after its end") {
  int calls = 0;
  const CancelSource source;
  {
    const CancelWatch over(source.token(), [&] { calls += 100; });
  }
  const CancelWatch watch(source.token(), [&] { ++calls; });
  CHECK(calls == 0);
  source.cancel();
  source.cancel();
  CHECK(calls == 1);
  const CancelWatch late(source.token(), [&] { ++calls; });
  CHECK(calls == 2);
  const CancelWatch none(CancelToken(), [&] { ++calls; });
  CHECK(calls == 2);
}

TEST_CASE("a state that follows another is cancelled with it, and not the other way round") {
  const CancelSource outer;
  const auto follower = std::make_shared<CancelState>(outer.token().state());
  const auto sibling = std::make_shared<CancelState>(outer.token().state());
  int calls = 0;
  std::optional<CancelWatch> watch(std::in_place, CancelToken(passkey, follower), [&] { ++calls; });
  sibling->cancel();
  CHECK_FALSE(outer.is_cancelled());
  CHECK_FALSE(follower->is_cancelled());
  outer.cancel();
  CHECK(follower->is_cancelled());
  CHECK(calls == 1);
  watch.reset();
  follower->cancel();
  CHECK(calls == 1);
  const CancelWatch late(CancelToken(passkey, follower), [&] { ++calls; });
  CHECK(calls >= 2);
}

TEST_CASE("waiting ends with the descriptor, or with the other end's") {
  Pipe pipe;
  const StopWait wait(Stop{});
  REQUIRE(::write(pipe.ends[1], "x", 1) == 1);
  CHECK(wait.wait(pipe.ends[0], POLLIN));
  CHECK(wait.wait(pipe.ends[1], POLLOUT));
}

TEST_CASE("waiting ends with the deadline") {
  const Pipe pipe;
  Stop stop;
  stop.deadline = Stop::Clock::now() + std::chrono::milliseconds(30);
  CHECK_FALSE(StopWait(stop).wait(pipe.ends[0], POLLIN));
  CHECK(stop.is_late());
}

TEST_CASE("waiting ends when it is called off, from another thread and before it began") {
  const Pipe pipe;
  const CancelSource source;
  const StopWait wait(stop_with(source));
  std::thread other([&] { source.cancel(); });
  CHECK_FALSE(wait.wait(pipe.ends[0], POLLIN));
  other.join();
  CHECK_FALSE(wait.wait(pipe.ends[0], POLLIN));
  CHECK_FALSE(StopWait(stop_with(source)).wait(pipe.ends[0], POLLIN));
}

TEST_CASE("what is due counts before what is ready") {
  const Pipe pipe;
  const CancelSource source;
  source.cancel();
  CHECK_FALSE(StopWait(stop_with(source)).wait(pipe.ends[1], POLLOUT));
}

TEST_CASE("where no descriptor is left to be woken by, calling off still ends the waiting") {
  const Pipe pipe;
  rlimit former{};
  ::getrlimit(RLIMIT_NOFILE, &former);
  const rlimit none = {3, former.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  const CancelSource source;
  std::optional<StopWait> wait(std::in_place, stop_with(source));
  ::setrlimit(RLIMIT_NOFILE, &former);
  std::thread other([&] { source.cancel(); });
  CHECK_FALSE(wait->wait(pipe.ends[0], POLLIN));
  other.join();
}

}  // namespace stop_test
