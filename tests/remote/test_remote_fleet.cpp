// Many machines that want one kernel, and one Redis server: what is compiled and asked is counted there. Each machine
// is a child of fork, as it would be a program of its own, with a cache folder and a worker. KILN_FLEET_CLIENTS and
// KILN_FLEET_AT_ONCE: how many there are, and how many of them run at a time.
#include "crew.hpp"
#include "fault_proxy.hpp"
#include "machine.hpp"
#include "replay.hpp"

#include <kiln/cache.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace remote_fleet_test {

using namespace kiln;
using namespace kiln::test;

namespace {

int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}
const int clients = number_of("KILN_FLEET_CLIENTS", 1000);
const int at_once = std::min(number_of("KILN_FLEET_AT_ONCE", 100), clients);

struct Board {
  std::atomic<int> compiled{0};
  std::atomic<std::uint64_t> code{0};  // of the first one's code
};

class Fleet {
 public:
  explicit Fleet(const std::string& address)
      : remote_(address + " @unsigned request-timeout=100s connect-timeout=100s") {}

  /// A machine that compiles one kernel; whether it has the code that all others have, too.
  bool compile(int folder) const {
    RemoteBudget::get().allow(std::chrono::minutes(10));
    CompileOptions options;
    options.arch = "sm_80";
    options.caching.dir = folder_of(folder);
    options.caching.remote = remote_;
    const CodeObject code = kiln::compile(kernel(1), options);
    board_->compiled += !code.from_cache();
    const std::uint64_t own = std::hash<std::string_view>()(code.bytes());
    std::uint64_t first = 0;
    return board_->code.compare_exchange_strong(first, own) || first == own;
  }
  void add(Crew& crew, int folder) const {
    crew.add([this, folder] { return compile(folder); });
  }
  int compiled() const { return board_->compiled; }
  CacheStats stats(int folder) const { return Cache(folder_of(folder)).stats(); }

 private:
  std::filesystem::path folder_of(int number) const { return folders_ / std::to_string(number); }

  ScratchFolder folders_;
  Shared<Board> board_;
  std::string remote_;
};

/// Returns when so many clients wait for a claim.
void wait_for_waiting(RedisServer& server, int count) {
  const std::string script =
      "local all = redis.call('pubsub', 'channels', 'kiln:*') "
      "if #all == 0 then return 0 end return redis.call('pubsub', 'numsub', all[1])[2]";
  while (server.command({"EVAL", script, "0"}) != std::to_string(count)) std::this_thread::yield();
}

}  // namespace

TEST_SUITE_BEGIN("remote fleet" * doctest::skip(RedisServer::is_missing()));

TEST_CASE("a fleet that starts at once compiles once, and all who come later ask once") {
  Replay replay;
  RedisServer server;
  const Fleet fleet(server.address());
  replay.close_gate();
  Crew first;
  for (int i = 0; i < at_once; ++i) fleet.add(first, i);
  first.open_gate();
  wait_for_waiting(server, at_once - 1);
  replay.open_gate();
  CHECK(first.wait() == at_once);
  const auto count = static_cast<std::uint64_t>(at_once);
  CHECK(fleet.compiled() == 1);
  CHECK(replay.compiles() == 1);
  CHECK(server.connections() == count + 1);  // one for each, and one for the put
  CHECK(server.calls("mget") == 2 * count);  // before the claim or the wait, and behind it
  CHECK(server.calls("set") == count + 1);   // claims, and the put
  std::uint64_t waits = 0;
  for (int i = 0; i < at_once; ++i) waits += fleet.stats(i).remotes.at(0).waits;
  CHECK(waits == count - 1);

  for (int done = at_once; done < clients; done += at_once) {
    Crew others;
    const int end = std::min(done + at_once, clients);
    for (int i = done; i < end; ++i) fleet.add(others, i);
    CHECK(others.run() == end - done);
  }
  const auto later = static_cast<std::uint64_t>(clients - at_once);
  CHECK(fleet.compiled() == 1);
  CHECK(replay.compiles() == 1);
  CHECK(server.connections() == count + 1 + later);
  CHECK(server.calls("mget") == 2 * count + later);
  CHECK(server.calls("set") == count + 1);
  MESSAGE(at_once, " cold, ", later, " later: ", replay.compiles(), " compile, ", server.connections(),
          " connections, ", server.calls("mget"), " questions");
}

TEST_CASE("processes of one machine have one connection at a time, and one of them asks") {
  Replay replay;
  RedisServer server;
  const FaultProxy proxy(server.port());
  const Fleet fleet("redis://" + proxy.host());
  replay.close_gate();
  Crew crew;
  for (int i = 0; i < 8; ++i) fleet.add(crew, 0);
  crew.open_gate();
  replay.open_gate();
  CHECK(crew.wait() == 8);
  CHECK(fleet.compiled() == 1);
  wait_for_puts(server, 1);
  CHECK(proxy.most_at_once() == 1);
  CHECK(proxy.connections() == 2);  // to ask, and to put
  CHECK(server.calls("mget") == 2);
  CHECK(fleet.stats(0).compiles == 1);
  CHECK(fleet.stats(0).stores == 1);
}

TEST_CASE("64 machines with the real compiler compile once") {
  constexpr int count = 64;
  RedisServer server;
  const Fleet fleet(server.address());
  Crew crew;
  for (int i = 0; i < count; ++i) fleet.add(crew, i);
  CHECK(crew.run() == count);
  CHECK(fleet.compiled() == 1);
  std::uint64_t hits = 0, faults = 0;
  for (int i = 0; i < count; ++i) {
    const CacheStats stats = fleet.stats(i);
    hits += stats.hits;
    if (!stats.remotes.empty()) faults += stats.remotes.front().faults;
  }
  CHECK(hits == count - 1);
  CHECK(faults == 0);
  CHECK(server.connections() == count + 1);
  CHECK(server.calls("mget") <= 2 * count);
}

TEST_SUITE_END();

}  // namespace remote_fleet_test
