// What a remote cache may do wrong, over the whole way of a compile: the right code comes, no fault is an error, and
// what the cache folder has is whole. A compile is next to free here, and a real one: replaying_worker.cpp.
// KILN_EVERY_BYTE=1: also each byte of code, where otherwise some are taken.
#include "compile/worker/worker_pool.hpp"

#include "environment_guard.hpp"
#include "fault_proxy.hpp"
#include "key_pair.hpp"
#include "machine.hpp"
#include "nginx_server.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace remote_faults_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Kind = ReplyFault::Kind;
using std::chrono::milliseconds;

/// For the length of a scope compiles are kept and replayed, by workers that are started for it.
class Replay {
 public:
  Replay() {
    WorkerPool::get().clear();
    guard_.set("KILN_WORKER", KILN_REPLAYING_WORKER);
    guard_.set("KILN_REPLAY_FOLDER", folder_.path().string());
  }
  ~Replay() { WorkerPool::get().clear(); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

 private:
  ScratchFolder folder_;
  EnvironmentGuard guard_;
};

/// A kind of server, with the code of one source, and the ways to it.
struct Origin {
  std::uint16_t port;
  std::string scheme;      // "redis://"
  std::string properties;  // behind the address, " @unsigned"

  std::string through(const FaultProxy& proxy) const { return scheme + proxy.host() + properties; }
  std::string direct() const { return scheme + "127.0.0.1:" + std::to_string(port) + properties; }
};

struct Wanted {
  std::string source;
  std::vector<std::filesystem::path> include_dirs;
  CodeObject compiled_by(const Machine& machine) const { return machine.compile(source, include_dirs); }
};

/// Compiles it, and returns when the server has it; the code.
std::string fill(const Origin& origin, const Wanted& wanted) {
  const Machine machine(patient(origin.direct()));
  const CodeObject code = wanted.compiled_by(machine);
  REQUIRE_FALSE(code.from_cache());
  while (machine.remote_stats().puts == 0) std::this_thread::yield();
  return std::string(code.bytes());
}

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

struct Outcome {
  bool is_hit = false;
  int connections = 0;
  RemoteCacheStats remote;
};

/// A first look-up by a new machine, through that fault, which is made sure of: on a busy machine the client may have
/// gone before it.
Outcome look_up(const Origin& origin, const Wanted& wanted, const std::string& right_code, ReplyFault fault) {
  for (milliseconds time(100);; time *= 2) {
    RemoteBudget::get().allow(std::chrono::minutes(10));
    const FaultProxy proxy(origin.port, fault);
    const Machine machine(origin.through(proxy) +
                          " connect-timeout=60s request-timeout=" + std::to_string(time.count()) + "ms");
    const CodeObject code = wanted.compiled_by(machine);
    CHECK(code.bytes() == right_code);
    CHECK(machine.stats().compiles == (code.from_cache() ? 0 : 1));
    CHECK(machine.is_clean());
    CHECK(Cache(machine.folder.path()).entries().size() == 1);
    if (proxy.strikes() > 0) return {code.from_cache(), proxy.connections(), machine.remote_stats()};
    REQUIRE(machine.remote_stats().faults > 0);
  }
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
  const std::size_t size = 2 * empty.size() + std::string("+OK\r\n$32\r\n\r\n").size() + 32;
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
  const std::string name =
      server.command({"EVAL", "return redis.call('keys', 'kiln:*.code-v2')[1]", "0"}).substr(sizeof("kiln:") - 1);
  int attempt = 0;
  const auto origin_that_is_claimed = [&] {
    const std::string prefix = "p" + std::to_string(attempt++);
    server.command({"SET", prefix + ":~claim:" + name, "somebody"});
    return Origin{server.port(), "redis://", " @unsigned @key-prefix=" + prefix};
  };
  const std::string reply =
      "*2\r\n$-1\r\n$-1\r\n$-1\r\n$8\r\nsomebody\r\n+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n:-1\r\n*3\r\n$"
      "9\r\nsubscribe\r\n";
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

TEST_CASE("a wait that brought nothing is charged as any other time that remotes cost" *
          doctest::skip(RedisServer::is_missing())) {
  const Replay replay;
  RedisServer server;
  const Origin origin = {server.port(), "redis://", " @unsigned"};
  fill(origin, {kernel(1), {}});
  const std::string name =
      server.command({"EVAL", "return redis.call('keys', 'kiln:*.code-v2')[1]", "0"}).substr(sizeof("kiln:") - 1);
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
  // What a replica has it gives; only what it has not is a fault there, as that is to be claimed.
  CHECK(wanted.compiled_by(Machine(unsigned_at(replica))).bytes() == code);
  const Wanted other = {kernel(2), {}};
  for (const RedisServer* const server : {&full, &replica, &locked}) {
    const Machine machine(unsigned_at(*server));
    CHECK_FALSE(other.compiled_by(machine).from_cache());
    CHECK(machine.remote_stats().faults == 1);
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
        const auto name_of = [&](const std::string& kind) {
          return server.command({"EVAL", "return redis.call('keys', 'kiln:*." + kind + "-v2')[1] or ''", "0"});
        };
        return std::pair(name_of("code"), name_of("manifest"));
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
  const std::string name = server.command({"EVAL", "return redis.call('keys', 'kiln:*.manifest-v2')[1]", "0"});
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

}  // namespace remote_faults_test
