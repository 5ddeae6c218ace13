// What a remote cache may do wrong at each byte, over the whole way of a compile: the right code comes, no fault is an
// error, and what the cache folder has is whole. A compile is next to free here, and a real one: replaying_worker.cpp.
// KILN_EVERY_BYTE=1: also each byte of code, where otherwise some are taken.
#include "environment_guard.hpp"
#include "faulty_look_up.hpp"
#include "key_pair.hpp"
#include "nginx_server.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace remote_faults_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Kind = ReplyFault::Kind;

/// All that a server replies to a first hit.
std::string replies_of_hit(const Origin& origin, const Wanted& wanted) {
  const FaultProxy proxy(origin.port);
  const Machine machine(patient(origin.through(proxy)));
  REQUIRE(wanted.compiled_by(machine).from_cache());
  REQUIRE(proxy.connections() == 1);
  return proxy.replies();
}

/// All bytes but those in the middle of values, of which only some are taken.
std::vector<std::size_t> places(const std::string& replies) {
  constexpr std::size_t before = 300, behind = 160, end = 40, step = 13;
  std::vector<bool> is_taken(replies.size(), std::getenv("KILN_EVERY_BYTE") != nullptr);
  const auto take = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < std::min(last, replies.size()); ++i) is_taken[i] = true;
  };
  take(0, before);
  take(replies.size() - std::min(end, replies.size()), replies.size());
  for (std::size_t value = 0; (value = replies.find("kilnsign", value)) != std::string::npos; ++value)
    take(value - std::min(value, before), value + behind);
  for (std::size_t i = 0; i < replies.size(); i += step) is_taken[i] = true;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < replies.size(); ++i)
    if (is_taken[i]) all.push_back(i);
  return all;
}

/// A first hit, its replies cut and altered at one place after the other.
void sweep(const Origin& origin, const Wanted& wanted) {
  const std::string code = fill(origin, wanted);
  const std::string replies = replies_of_hit(origin, wanted);
  Origin reader = origin;
  reader.properties += " read-only";
  int hits = 0;
  for (const std::size_t at : places(replies)) {
    INFO(origin.scheme, origin.properties, ", byte ", at, " of ", replies.size());
    const Kind cut = at % 2 == 0 ? Kind::cut : Kind::reset;
    const Outcome after_cut = look_up(reader, wanted, code, {cut, at});
    // Over HTTP the second question is asked again where its connection ends before its answer.
    CHECK(after_cut.is_hit == (after_cut.connections > 1));
    CHECK(after_cut.remote.faults == (after_cut.is_hit ? 0 : 1));
    const auto bit = static_cast<unsigned>(at);
    hits += look_up(reader, wanted, code, {Kind::flip, at, bit}).is_hit;
  }
  MESSAGE(origin.scheme, origin.properties, ": ", places(replies).size(), " of ", replies.size(), " bytes, ", hits,
          " altered ones that say nothing");
}

}  // namespace

TEST_SUITE_BEGIN("remote faults");

TEST_CASE("Redis: a first hit cut and altered at every byte" * doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  const ScratchFolder keys;
  const KeyPair pair = write_key_pair(keys.path(), "a", 1);
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_SIGNING_KEY", pair.private_file);
  guard.set("KILN_CACHE_PUBLIC_KEYS", pair.public_file);
  const ScratchFolder include;
  write_header(include / "h.h", "#define VALUE 1\n");
  const Wanted plain = {kernel(1), {}};
  const Wanted including = {"#include \"h.h\"\n" + kernel(2), {include.path()}};
  for (const Wanted* const wanted : {&plain, &including}) {
    RedisServer server;
    for (const char* const properties : {"", " @unsigned"}) {
      server.command({"FLUSHALL"});
      sweep({server.port(), "redis://", properties}, *wanted);
    }
  }
}

TEST_CASE("HTTP: a first hit cut and altered at every byte" * doctest::skip(!NginxServer::is_installed())) {
  const Replay replay;
  const NginxServer server;
  const Wanted plain = {kernel(1), {}};
  sweep({server.port(), "http://", " @unsigned"}, plain);
}

TEST_CASE("Redis: a look-up that finds nothing, and claims the key, cut and altered at every byte" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer server;
  const Wanted wanted = {kernel(1), {}};
  const std::string code(wanted.compiled_by(Machine("")).bytes());
  int attempt = 0;
  // Each with names of its own.
  const auto origin = [&] {
    return Origin{server.port(), "redis://", " @unsigned @key-prefix=p" + std::to_string(attempt++)};
  };
  const std::string empty = "*2\r\n$-1\r\n$-1\r\n";
  const std::size_t size = 2 * empty.size() + std::string("+OK\r\n$32\r\n\r\n:30000\r\n").size() + 32;
  for (std::size_t at = 0; at < size; ++at) {
    INFO("byte ", at);
    CHECK(look_up(origin(), wanted, code, {at % 2 == 0 ? Kind::cut : Kind::reset, at}).remote.faults == 1);
    CHECK_FALSE(look_up(origin(), wanted, code, {Kind::garbage, at}).is_hit);
  }
}

TEST_CASE("Redis: one that waits for another machine's compile goes on alone when the server fails at any byte" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer server;
  const Wanted wanted = {kernel(1), {}};
  const std::string code = fill({server.port(), "redis://", " @unsigned"}, wanted);
  const std::string name = value_key(server, "code-v3").substr(sizeof("kiln:") - 1);
  int attempt = 0;
  const auto origin_that_is_claimed = [&] {
    const std::string prefix = "p" + std::to_string(attempt++);
    server.command({"SET", prefix + ":~claim:" + name, "somebody", "PX", "30000"});
    return Origin{server.port(), "redis://", " @unsigned @key-prefix=" + prefix};
  };
  const std::string reply =
      "*2\r\n$-1\r\n$-1\r\n$-1\r\n$8\r\nsomebody\r\n:30000\r\n+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n:30000\r\n"
      "*3\r\n$9\r\nsubscribe\r\n";
  const std::size_t begin = reply.find("+OK");
  for (std::size_t at = 0; at < reply.size(); ++at) {
    INFO("byte ", at);
    const Outcome outcome =
        look_up(origin_that_is_claimed(), wanted, code, {at % 2 == 0 ? Kind::cut : Kind::reset, at});
    CHECK(outcome.remote.faults == (at < begin ? 1 : 0));
    CHECK(outcome.remote.waits == (at < begin ? 0 : 1));
  }
  // The last one while it waits, when it asks whether the server is there.
  for (const std::size_t at : {begin, begin + 20, reply.size() + 100}) {
    INFO("silence from byte ", at);
    CHECK(look_up(origin_that_is_claimed(), wanted, code, {Kind::silence, at}).remote.waits == 1);
  }
}

TEST_SUITE_END();

}  // namespace remote_faults_test
