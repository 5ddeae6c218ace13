// Code of one machine used by another, by way of a real Redis server: each cache folder here is a machine's.
#include "base/digest.hpp"
#include "cache/signing/signing_key.hpp"
#include "toolkit/locate/nvcc.hpp"

#include "environment_guard.hpp"
#include "fault_proxy.hpp"
#include "key_pair.hpp"
#include "machine.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace remote_tier_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const bool no_redis = RedisServer::is_missing();

/// What is said of remotes meanwhile, a line each, at level info: only the first fault of a process is a warning.
template <class Work>
std::string said_by(const Work& work) {
  EnvironmentGuard guard;
  guard.set("KILN_LOG", "info");
  std::string said;
  set_log_handler([&](LogLevel, const std::string& text) {
    if (text.find("redis://") != std::string::npos) said += text + "\n";
  });
  work();
  set_log_handler({});
  return said;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE_BEGIN("remote tier" * doctest::skip(no_redis));

TEST_CASE("what one machine compiled another one takes, and finds on its own disk from then on") {
  RedisServer server;
  const Machine first(unsigned_at(server)), second(unsigned_at(server));
  CHECK_FALSE(first.compile(kernel(1)).from_cache());
  CHECK(first.stats().compiles == 1);
  const CodeObject code = second.compile(kernel(1));
  CHECK(code.from_cache());
  CHECK(code.kernels().size() == 1);
  CHECK(second.stats().compiles == 0);
  CHECK(second.stats().misses == 0);
  CHECK(second.stats().hits == 1);
  CHECK(second.stats().stores == 1);
  CHECK(second.remote_stats().hits == 1);
  // Counted by the process that puts, behind its put.
  while (first.remote_stats().puts == 0) std::this_thread::yield();
  CHECK(first.remote_stats().puts == 1);
  CHECK(Cache(second.folder.path()).verify().damaged.empty());
  CHECK(Cache(second.folder.path()).entries().size() == 1);
}

TEST_CASE("a header decides by its content, not by its place or time") {
  RedisServer server;
  const ScratchFolder one, same, other;
  write_header(one.path() / "h.h", "#define VALUE 1\n");
  write_header(same.path() / "h.h", "#define VALUE 1\n");
  write_header(other.path() / "h.h", "#define VALUE 2\n");
  const std::string source = "#include \"h.h\"\nextern \"C\" __global__ void k(int* p) { *p = VALUE; }\n";
  const std::string remote = unsigned_at(server);
  const Machine a(remote), b(remote), c(remote), d(remote), e(remote);
  a.compile(source, {one.path()});
  CHECK(b.compile(source, {same.path()}).from_cache());
  CHECK(b.remote_stats().hits == 2);  // the manifest and the entry
  CHECK_FALSE(c.compile(source, {other.path()}).from_cache());
  // Both are there now.
  CHECK(d.compile(source, {one.path()}).from_cache());
  CHECK(e.compile(source, {other.path()}).from_cache());
}

TEST_CASE("a variant that is put between the look at the manifest and the claim is found") {
  RedisServer server;
  const ScratchFolder one, other;
  write_header(one.path() / "h.h", "#define VALUE 1\n");
  write_header(other.path() / "h.h", "#define VALUE 2\n");
  const std::string source = "#include \"h.h\"\nextern \"C\" __global__ void k(int* p) { *p = VALUE; }\n";
  const auto compile_at = [&](const Machine& machine, const ScratchFolder& header) {
    CHECK_FALSE(machine.compile(source, {header.path()}).from_cache());
    while (machine.remote_stats().puts == 0) std::this_thread::yield();
    wait_for_no_claims(server);
  };
  compile_at(Machine(unsigned_at(server)), one);
  const std::string manifest = value_key(server, "manifest-v3");
  REQUIRE(server.command({"COPY", manifest, "of one"}) == "1");
  compile_at(Machine(unsigned_at(server)), other);
  REQUIRE(server.command({"COPY", manifest, "of both"}) == "1");
  REQUIRE(server.command({"COPY", "of one", manifest, "REPLACE"}) == "1");

  const auto put = [&] { server.command({"COPY", "of both", manifest, "REPLACE"}); };
  const FaultProxy proxy(server.port(), {FaultProxy::Kind::held_up, 0, 0, {}, put});
  const Machine machine(patient("redis://" + proxy.host()) + " @unsigned");
  CHECK(machine.compile(source, {other.path()}).from_cache());
  CHECK(proxy.strikes() == 1);
  CHECK(machine.stats().compiles == 0);
}

TEST_CASE("of many machines that miss at once one compiles") {
  RedisServer server;
  constexpr std::size_t count = 6;
  std::vector<std::unique_ptr<Machine>> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(std::make_unique<Machine>(unsigned_at(server)));
  std::vector<std::thread> threads;
  for (const auto& machine : all) threads.emplace_back([&machine] { machine->compile(kernel(2)); });
  for (std::thread& thread : threads) thread.join();
  std::uint64_t compiles = 0;
  for (const auto& machine : all) compiles += machine->stats().compiles;
  CHECK(compiles == 1);
}

TEST_CASE("a batch asks for all its keys in two round trips") {
  RedisServer server;
  const ScratchFolder include;
  write_header(include.path() / "h.h", "#define VALUE 1\n");
  const auto requests_of = [&](const Machine& machine) {
    std::vector<CompileRequest> requests;
    for (int i = 0; i < 10; ++i) {
      CompileOptions options;
      options.arch = "sm_80";
      options.include_dirs = {include.path()};
      options.caching.dir = machine.folder.path();
      options.caching.remote = machine.remote;
      requests.push_back({(i % 2 == 0 ? "#include \"h.h\"\n" : "") + kernel(i), options});
    }
    return requests;
  };
  const Machine first(unsigned_at(server)), second(unsigned_at(server));
  compile_all(requests_of(first), {}, 2);
  CHECK(first.stats().compiles == 10);
  wait_for_puts(server, 15);
  const std::uint64_t asked = server.calls("mget");
  for (const CompileResult& result : compile_all(requests_of(second), {}, 2)) CHECK(result.get().from_cache());
  CHECK(second.stats().compiles == 0);
  CHECK(server.calls("mget") == asked + 2);
}

TEST_CASE("a large batch is asked for in parts, so that it needs few descriptors") {
  RedisServer server;
  const auto requests_of = [](const Machine& machine) {
    std::vector<CompileRequest> requests;
    for (int i = 0; i < 200; ++i) {
      CompileOptions options;
      options.arch = "sm_80";
      options.caching.dir = machine.folder.path();
      options.caching.remote = machine.remote;
      requests.push_back({kernel(i), options});
    }
    return requests;
  };
  const Machine first(unsigned_at(server)), second(unsigned_at(server));
  compile_all(requests_of(first), {}, 2);
  wait_for_puts(server, 200);
  const std::uint64_t asked = server.calls("mget");
  rlimit former{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &former) == 0);
  const rlimit few{190, former.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  const std::vector<CompileResult> results = compile_all(requests_of(second), {}, 2);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &former) == 0);
  CHECK(std::all_of(results.begin(), results.end(), [](const auto& result) { return result.get().from_cache(); }));
  CHECK(second.stats().compiles == 0);
  CHECK(second.remote_stats().faults == 0);
  CHECK(server.calls("mget") == asked + 2);
}

TEST_CASE("a remote that is not there is asked once, and nothing fails") {
  std::string address;
  {
    RedisServer server;
    address = server.address() + " @unsigned";
  }
  const Machine machine(address);
  CHECK_FALSE(machine.compile(kernel(3)).from_cache());
  CHECK(machine.remote_stats().faults == 1);
  CHECK_FALSE(machine.compile(kernel(4)).from_cache());
  CHECK(machine.remote_stats().faults == 1);
  CHECK(machine.stats().compiles == 2);
}

TEST_CASE("what is said of a remote that is not there, and of keys that cannot be used") {
  const RefusingPort nobody;
  const std::string dead = "redis://127.0.0.1:" + std::to_string(nobody.number());
  const std::string lost = said_by([&] { Machine(patient(dead) + " @unsigned").compile(kernel(3)); });
  INFO(lost);
  CHECK(lost.find("the remote cache " + dead + " is not used for 30 s: cannot connect (Connection refused)") == 0);

  RedisServer server;
  const ScratchFolder folder;
  const KeyPair keys = write_key_pair(folder.path(), "site", 1);
  using std::filesystem::perms;
  std::filesystem::permissions(keys.private_file, perms::owner_read | perms::group_read | perms::others_read);
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_SIGNING_KEY", keys.private_file);
  guard.set("KILN_CACHE_PUBLIC_KEYS", keys.public_file);
  const std::string open = said_by([&] { Machine(address_of(server)).compile(kernel(3)); });
  INFO(open);
  CHECK(open.find("the remote cache " + server.address() + " is not used: ") == 0);
  CHECK(has(open, "site.key"));
  CHECK_FALSE(has(open, "30 s"));
  CHECK_FALSE(has(open, "counts its faults"));
}

TEST_CASE("a remote that hangs is given up") {
  RedisServer server;
  const Machine machine(unsigned_at(server) + " request-timeout=200ms");
  server.pause();
  CHECK_FALSE(machine.compile(kernel(5)).from_cache());
  server.resume();
  CHECK(machine.remote_stats().faults == 1);
}

TEST_CASE("a server that takes no values, or none of this user, goes on giving those that it has") {
  const std::vector<std::vector<std::string>> refusals = {
      {"CONFIG", "SET", "maxmemory", "1"}, {"REPLICAOF", "127.0.0.1", "1"}, {"ACL", "SETUSER", "default", "-@write"}};
  for (const auto& refusal : refusals) {
    INFO(refusal.front());
    RedisServer server;
    const Machine first(unsigned_at(server)), second(unsigned_at(server));
    first.compile(kernel(20));
    first.compile(kernel(21));
    wait_for_puts(server, 2);
    server.command(refusal);
    // First the one that is claimed.
    CHECK_FALSE(second.compile(kernel(22)).from_cache());
    CHECK(second.compile(kernel(20)).from_cache());
    CHECK(second.compile(kernel(21)).from_cache());
    CHECK(second.stats().compiles == 1);
    while (second.remote_stats().put_failures == 0) std::this_thread::yield();
    CHECK(second.remote_stats().hits == 2);
    CHECK(second.remote_stats().misses == 1);
    CHECK(second.remote_stats().waits == 0);
    CHECK(second.remote_stats().faults == 0);
    CHECK_FALSE(RemoteBudget::get().is_paused(server.address()));
  }
}

TEST_CASE("values are only taken as they were put") {
  for (const char* damage : {"x", "", "kilnsign"}) {
    RedisServer server;
    const Machine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
    first.compile(kernel(6));
    CHECK(second.compile(kernel(6)).from_cache());  // the put is done
    wait_for_no_claims(server);  // for one of which the third would wait, and look at the value again
    const std::string key = value_key(server, "code-v3");
    server.command({"SET", key, damage});
    CHECK_FALSE(third.compile(kernel(6)).from_cache());
    CHECK(third.stats().compiles == 1);
    CHECK(third.remote_stats().refused == 1);
  }
}

TEST_CASE("what somebody signed is taken by those who trust his key") {
  RedisServer server;
  const ScratchFolder keys;
  const KeyPair trusted = write_key_pair(keys.path(), "trusted", 1);
  const KeyPair other = write_key_pair(keys.path(), "other", 2);
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_SIGNING_KEY", trusted.private_file);
  guard.set("KILN_CACHE_PUBLIC_KEYS", trusted.public_file);
  const Machine first(address_of(server)), second(address_of(server)), third(address_of(server)),
      fourth(address_of(server));
  first.compile(kernel(8));
  CHECK(second.compile(kernel(8)).from_cache());
  wait_for_no_claims(server);
  guard.unset("KILN_CACHE_SIGNING_KEY");
  guard.set("KILN_CACHE_PUBLIC_KEYS", other.public_file);
  const std::string id = hex_text(SigningKey(FileSystem::real(), trusted.private_file).id().view());
  const std::string said = said_by([&] { CHECK_FALSE(third.compile(kernel(8)).from_cache()); });
  INFO(said);
  CHECK(has(said, "the remote cache " + server.address() + ": the value "));
  CHECK(has(said, ".code-v3 is refused: signed by the key " + id + ", which is none of the public keys\n"));
  CHECK(third.remote_stats().refused == 1);
  CHECK(third.remote_stats().puts == 0);
  guard.set("KILN_CACHE_PUBLIC_KEYS", trusted.public_file);
  CHECK(fourth.compile(kernel(8)).from_cache());
}

TEST_CASE("that a source needs nvcc is known to other machines" * doctest::skip(no_redis || !look_for_nvcc(""))) {
  RedisServer server;
  const Machine first(unsigned_at(server)), second(unsigned_at(server));
  const std::string source = "#include <vector>\nextern \"C\" __global__ void k(int* p) { *p = 9; }\n";
  first.compile(source);
  CHECK(second.compile(source).from_cache());
  CHECK(second.stats().compiles == 0);
}

TEST_CASE("a request that must be cached takes what a remote has, claims nothing and waits for nobody") {
  RedisServer server;
  const Machine first(unsigned_at(server)), second(unsigned_at(server)), third(unsigned_at(server));
  const auto required = [](const Machine& machine) {
    CompileOptions options = machine.options();
    options.caching.require_hit = true;
    return kiln::compile(kernel(10), options);
  };
  CHECK_THROWS_AS(required(second), NotCached);
  CHECK(second.remote_stats().misses == 1);
  CHECK(server.calls("set") == 0);
  first.compile(kernel(10));
  wait_for_puts(server, 1);
  CHECK(required(third).from_cache());
  CHECK(third.remote_stats().hits == 1);
  CHECK(third.stats().compiles == 0);

  const std::string name = value_key(server, "code-v3");
  const std::string claim = "kiln:~claim:" + name.substr(name.find(':') + 1);
  server.command({"RENAME", name, claim});
  server.command({"PEXPIRE", claim, "30000"});
  const Machine fourth(unsigned_at(server));
  CHECK_THROWS_AS(required(fourth), NotCached);
  CHECK(fourth.remote_stats().waits == 0);
  EnvironmentGuard guard;
  guard.set("KILN_REQUIRE_CACHED", "1");
  CHECK_THROWS_AS(fourth.compile(kernel(10)), NotCached);
  CHECK(fourth.remote_stats().waits == 0);
}

TEST_CASE("without keys a remote is refused") {
  const Machine machine("redis://127.0.0.1:1");
  CHECK_THROWS_AS(machine.compile(kernel(7)), ArgumentError);
}

TEST_SUITE_END();

}  // namespace remote_tier_test
