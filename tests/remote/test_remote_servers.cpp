// Remote caches that are dead, dying, full, locked, or that have another's values: a compile gets the right code all
// the same, and what it loses is counted.
#include "environment_guard.hpp"
#include "faulty_look_up.hpp"
#include "key_pair.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace remote_servers_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Kind = ReplyFault::Kind;
using std::chrono::milliseconds;

}  // namespace

TEST_SUITE_BEGIN("remote servers");

TEST_CASE("a first hit is one round trip, and two with headers, however long they take" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer server;
  const Origin origin = {server.port(), "redis://", " @unsigned"};
  const ScratchFolder include;
  write_header(include / "h.h", "#define VALUE 1\n");
  const Wanted plain = {kernel(1), {}}, including = {"#include \"h.h\"\n" + kernel(2), {include.path()}};
  for (const Wanted* const wanted : {&plain, &including}) {
    fill(origin, *wanted);
    for (const int delay : {0, 500, 2000, 100'000}) {
      const FaultProxy proxy(server.port(), {Kind::none, 0, 0, std::chrono::microseconds(delay)});
      const Machine machine(patient(origin.through(proxy)));
      CHECK(wanted->compiled_by(machine).from_cache());
      CHECK(proxy.connections() == 1);
      CHECK(proxy.round_trips() == (wanted == &plain ? 1 : 2));
    }
  }
}

TEST_CASE("a remote that refuses, hangs up, is silent or sends garbage is one fault and a compile") {
  const Replay replay;
  const ScriptedServer silent([](ScriptedServer::Connection& client) { client.wait_for_end(); });
  const ScriptedServer garbage([](ScriptedServer::Connection& client) {
    client.read_until("\r\n");
    client.send(std::string(100'000, '\x81'));
    client.wait_for_end();
  });
  const ScriptedServer hangs_up([](ScriptedServer::Connection&) {});
  const RefusingPort nobody;
  for (const std::string scheme : {"redis://", "http://"}) {
    for (const std::string& host :
         {silent.host(), garbage.host(), hangs_up.host(), "127.0.0.1:" + std::to_string(nobody.number())}) {
      INFO(scheme, host);
      RemoteBudget::get().allow(std::chrono::minutes(10));
      const Machine machine(scheme + host + " @unsigned request-timeout=300ms connect-timeout=60s");
      CHECK_FALSE(machine.compile(kernel(1)).from_cache());
      CHECK_FALSE(machine.compile(kernel(2)).from_cache());  // asks it no more
      CHECK(machine.remote_stats().faults == 1);
      CHECK(machine.stats().compiles == 2);
      CHECK(machine.is_clean());
    }
  }
}

TEST_CASE("remotes that are silent cost a process its second once, and are not asked then") {
  const Replay replay;
  std::vector<std::unique_ptr<ScriptedServer>> servers;
  RemoteBudget::get().allow(std::chrono::seconds(1));
  for (int i = 0; i < 6; ++i) {
    servers.push_back(
        std::make_unique<ScriptedServer>([](ScriptedServer::Connection& client) { client.wait_for_end(); }));
    const Machine machine("redis://" + servers.back()->host() +
                          " @unsigned read-only request-timeout=400ms connect-timeout=60s");
    CHECK_FALSE(machine.compile(kernel(1)).from_cache());
  }
  // 400, 400 and 200 ms; fewer where this machine is busy.
  int asked = 0;
  for (const auto& server : servers) asked += server->connections();
  CHECK(asked >= 1);
  CHECK(asked <= 3);
  CHECK(RemoteBudget::get().left() == milliseconds(0));
}

TEST_CASE("a wait that brought nothing is charged as any other time that remotes cost" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer server;
  const Origin origin = {server.port(), "redis://", " @unsigned"};
  fill(origin, {kernel(1), {}});
  const std::string name = value_key(server, "code-v3").substr(sizeof("kiln:") - 1);
  server.command({"FLUSHALL"});
  server.command({"SET", "kiln:~claim:" + name, "somebody", "PX", "1000"});
  const Machine machine(patient(origin.direct()));
  const auto before = RemoteBudget::get().left();
  CHECK_FALSE(machine.compile(kernel(1)).from_cache());
  CHECK(machine.remote_stats().waits == 1);
  CHECK(machine.remote_stats().faults == 0);
  // A second, of which the server's clock and this one's may see the beginning and the end at different times.
  CHECK(RemoteBudget::get().left() < before - milliseconds(500));
}

TEST_CASE("a server that is killed within a value" * doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  const Wanted wanted = {kernel(1), {}};
  for (const std::size_t at : {std::size_t{0}, std::size_t{200}, std::size_t{3000}}) {
    RedisServer server;
    const Origin origin = {server.port(), "redis://", " @unsigned"};
    const std::string code = fill(origin, wanted);
    const Outcome outcome = look_up(origin, wanted, code, {Kind::cut, at, 0, {}, [&] { server.stop(); }});
    CHECK_FALSE(outcome.is_hit);
    CHECK(outcome.remote.faults == 1);
  }
}

TEST_CASE("a server that is full, that is a replica, or that wants a password" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer full(RedisServer::Settings{{}, {"--maxmemory", "1", "--maxmemory-policy", "noeviction"}});
  RedisServer locked(RedisServer::Settings{"secret", {}});
  RedisServer replica;
  const Wanted wanted = {kernel(1), {}};
  const std::string code = fill({replica.port(), "redis://", " @unsigned"}, wanted);
  replica.command({"REPLICAOF", "127.0.0.1", std::to_string(RefusingPort().number())});
  // What a replica has it gives. That it takes no claim and no value is no fault of what it gives.
  CHECK(wanted.compiled_by(Machine(unsigned_at(replica))).bytes() == code);
  const Wanted other = {kernel(2), {}};
  for (const RedisServer* const server : {&full, &replica, &locked}) {
    const Machine machine(unsigned_at(*server));
    CHECK_FALSE(other.compiled_by(machine).from_cache());
    CHECK(machine.remote_stats().faults == (server == &locked ? 1 : 0));
    CHECK(machine.remote_stats().puts == 0);
    CHECK(machine.is_clean());
    const Machine reader(unsigned_at(*server) + " read-only");
    CHECK_FALSE(other.compiled_by(reader).from_cache());
    CHECK(reader.remote_stats().faults == (server == &locked ? 1 : 0));
  }
}

TEST_CASE("a value under another's name is refused, whoever signed it, and so is one of another kind" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  const ScratchFolder keys, include;
  const KeyPair pair = write_key_pair(keys.path(), "a", 1);
  write_header(include / "h.h", "#define VALUE 1\n");
  for (const bool is_signed : {true, false}) {
    EnvironmentGuard guard;
    if (is_signed) guard.set("KILN_CACHE_SIGNING_KEY", pair.private_file);
    if (is_signed) guard.set("KILN_CACHE_PUBLIC_KEYS", pair.public_file);
    RedisServer server;
    const Origin origin = {server.port(), "redis://", is_signed ? "" : " @unsigned"};
    for (const bool includes : {false, true}) {
      const std::string beginning = includes ? "#include \"h.h\"\n" : "";
      const std::vector<std::filesystem::path> dirs = {include.path()};
      const Wanted one = {beginning + kernel(1), dirs}, two = {beginning + kernel(2), dirs};
      const auto names_after = [&](const Wanted& wanted) {
        server.command({"FLUSHALL"});
        fill(origin, wanted);
        return std::pair(value_key(server, "code-v3"), value_key(server, "manifest-v3"));
      };
      const auto get = [&](const std::string& name) { return server.command({"GET", name}); };
      const auto [first_code, first_manifest] = names_after(one);
      const std::string old_code = get(first_code), old_manifest = includes ? get(first_manifest) : "";
      const auto [code, manifest] = names_after(two);
      const std::string right_code = get(code), right_manifest = includes ? get(manifest) : "";
      const std::string expected(two.compiled_by(Machine("")).bytes());
      // Without keys a value's name is only in its content, and what it says of its kind is taken.
      const auto check = [&](const std::string& name, const std::string& replayed, const std::string& original,
                             bool is_other_kind = false) {
        INFO(is_signed, " ", includes, " ", name);
        server.command({"SET", name, replayed});
        const Machine machine(patient(origin.direct()) + " read-only");
        const CodeObject result = two.compiled_by(machine);
        CHECK_FALSE(result.from_cache());
        CHECK(result.bytes() == expected);
        CHECK(machine.remote_stats().refused == (is_signed || is_other_kind ? 1 : 0));
        CHECK(machine.is_clean());
        server.command({"SET", name, original});
        CHECK(two.compiled_by(Machine(machine.remote)).from_cache());
      };
      check(code, old_code, right_code);
      if (!includes) continue;
      check(manifest, old_manifest, right_manifest);
      check(manifest, right_code, right_manifest, true);
      check(code, right_manifest, right_code, true);
    }
  }
}

TEST_CASE("misses of a remote that is far away come to an end, those of a near one do not") {
  RemoteBudget far, near;
  far.charge_miss(milliseconds(50));  // with the start of a worker
  CHECK(far.left() == milliseconds(1000));
  for (int i = 0; i < 25; ++i) far.charge_miss(milliseconds(40));
  CHECK(far.left() == milliseconds(250));
  for (int i = 0; i < 25; ++i) far.charge_miss(milliseconds(40));
  CHECK(far.left() == milliseconds(0));
  for (int i = 0; i < 1000; ++i) near.charge_miss(milliseconds(3));
  CHECK(near.left() == milliseconds(1000));
}

TEST_CASE("an older manifest put back leads to older code, which only those get whose headers it was made of" *
          doctest::skip(RedisServer::is_missing())) {
  RedisServer server;
  const ScratchFolder keys, older, newer;
  const KeyPair pair = write_key_pair(keys.path(), "a", 1);
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_SIGNING_KEY", pair.private_file);
  guard.set("KILN_CACHE_PUBLIC_KEYS", pair.public_file);
  write_header(older / "h.h", "#define VALUE 1\n");
  write_header(newer / "h.h", "#define VALUE 2\n");
  const std::string source = "#include \"h.h\"\nextern \"C\" __global__ void k(int* p) { *p = VALUE; }\n";
  const Wanted old_one = {source, {older.path()}}, new_one = {source, {newer.path()}};
  const Origin origin = {server.port(), "redis://", ""};
  const std::string old_code = fill(origin, old_one);
  const std::string name = value_key(server, "manifest-v3");
  const std::string old_manifest = server.command({"GET", name});
  const std::string new_code = fill(origin, new_one);
  REQUIRE(old_code != new_code);
  server.command({"SET", name, old_manifest});
  const Machine one(address_of(server) + " read-only"), two(address_of(server) + " read-only");
  const CodeObject of_older = old_one.compiled_by(one), of_newer = new_one.compiled_by(two);
  CHECK(of_older.from_cache());
  CHECK(of_older.bytes() == old_code);
  CHECK_FALSE(of_newer.from_cache());
  CHECK(of_newer.bytes() == new_code);
}

TEST_SUITE_END();

}  // namespace remote_servers_test
