#include "redis_server.hpp"
#include "remote_calls.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace redis_store_test {

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

using Claimed = RemoteStore::Claimed;
using Values = std::vector<std::optional<std::string>>;

std::string with_login(const RedisServer& server, const std::string& login) {
  return "redis://" + login + "@127.0.0.1:" + std::to_string(server.port());
}

/// How often the server has read from a connection; asking is one of them.
std::uint64_t reads(RedisServer& server) { return server.info("total_reads_processed"); }

void wait_for_subscriber(RedisServer& server) {
  while (server.info("pubsub_channels") == 0) std::this_thread::yield();
}

/// Open descriptors that a started program would have, too.
std::set<std::string> inherited_descriptors() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string number = entry.path().filename().string();
    const int flags = ::fcntl(std::stoi(number), F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) found.insert(number);
  }
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("redis" * doctest::skip(RedisServer::is_missing()) * doctest::description("needs redis-server"));

TEST_CASE("what was put is got, in order, on one connection") {
  RedisServer server;
  const auto store = remote(server.address());
  CHECK(server.connections() == 0);
  CHECK(store->get({}, in_time()).empty());
  CHECK(server.connections() == 0);
  CHECK(store->get({"a"}, in_time()) == Values{std::nullopt});
  const std::string bytes("\0\r\n$5\r\n*", 9);
  const std::string large(std::size_t{9} << 20U, 'x');
  store->put({{"a", bytes}, {"b", ""}, {"d", large}}, in_time());
  CHECK(store->get({"b", "c", "a"}, in_time()) == Values{"", std::nullopt, bytes});
  CHECK((store->get({"d"}, in_time()) == Values{large}));
  CHECK(server.connections() == 1);
  CHECK(server.calls("mget") == 3);
  CHECK(server.command({"GET", "kiln:a"}) == bytes);
  CHECK(server.command({"TTL", "kiln:a"}) == "-1");
}

TEST_CASE("a value too large is not sent") {
  RedisServer server;
  const auto store = remote(server.address());
  store->put({{"first", "1"}, {"large", std::string(RemoteStore::most_bytes + 1, 'x')}, {"last", "2"}}, in_time());
  CHECK(store->get({"first", "large", "last"}, in_time()) == Values{"1", std::nullopt, "2"});
}

TEST_CASE("values of which a database has none") {
  RedisServer server;
  server.command({"LPUSH", "kiln:list", "x"});
  CHECK(remote(server.address())->get({"list"}, in_time()) == Values{std::nullopt});
}

TEST_CASE("prefix, time to live and database are the address's") {
  RedisServer server;
  const auto store = remote(server.address() + "/2 @key-prefix=team:one @ttl=100s");
  store->put({{"a", "1"}}, in_time());
  CHECK(server.command({"EXISTS", "team:one:a"}) == "0");
  server.command({"SELECT", "2"});
  CHECK(server.command({"GET", "team:one:a"}) == "1");
  const int lifetime = std::stoi(server.command({"TTL", "team:one:a"}));
  CHECK(lifetime > 0);
  CHECK(lifetime <= 100);
  CHECK(fault_of([&] {
          remote(server.address() + "/99")->get({"a"}, in_time());
        }).find("(the server: ERR DB index is out of range)") != std::string::npos);
}

TEST_CASE("log-in, database and question are one round trip") {
  RedisServer server({.password = "s3cret"});
  const auto store = remote(with_login(server, "s3cret") + "/1");
  const std::uint64_t before = reads(server);
  store->get({"a", "b"}, in_time());
  CHECK(reads(server) - before == 2);  // one of them is this question
}

TEST_CASE("users and passwords, and what is said of wrong ones") {
  RedisServer server({.password = "s3cret-of-all"});
  // The rights that docs/remote-cache.md names.
  server.command({"ACL", "SETUSER", "me", "on", ">pass word@", "~kiln:*", "&kiln:*", "+@read", "+@write",
                  "+@connection", "+@transaction", "+@scripting", "+@pubsub", "+info", "+time"});
  const auto mine = remote(with_login(server, "me:pass%20word%40"));
  mine->put({{"a", "1"}}, in_time());
  CHECK(mine->claim("a", "me", in_time()) == Claimed::own);
  CHECK(mine->renew("a", "me", in_time()));
  mine->release("a", "me", in_time());
  CHECK(mine->wait_for_claim("a", in_time()));
  CHECK(mine->report(in_time()).write_fault.empty());
  CHECK(mine->report(in_time()).values == 1);
  CHECK(remote(with_login(server, ":s3cret-of-all"))->get({"a"}, in_time()) == Values{"1"});
  CHECK(remote(with_login(server, "default:s3cret-of-all"))->get({"a"}, in_time()) == Values{"1"});

  const auto fault_with = [&](const std::string& address) {
    return fault_of([&] { remote(address)->get({"a"}, in_time()); });
  };
  CHECK(fault_with(server.address()).find("wants a password") != std::string::npos);
  const std::string wrong = fault_with(with_login(server, "me:wrongsecret"));
  CHECK(wrong.find("does not know this user with this password (the server: WRONGPASS") != std::string::npos);
  CHECK(wrong.find("the remote cache " + server.address() + ": ") == 0);
  CHECK(wrong.find("wrongsecret") == std::string::npos);
  CHECK(fault_with(with_login(server, "me:pass%20word%40") + " @key-prefix=other").find("lacks a right") !=
        std::string::npos);
}

TEST_CASE("through a socket") {
  RedisServer server;
  // A blank ends an address, so that it stands there as %20.
  std::string path = server.socket().string();
  for (std::size_t at; (at = path.find(' ')) != std::string::npos;) path.replace(at, 1, "%20");
  const auto store = remote("redis+unix://" + path + "?db=1");
  store->put({{"a", "1"}}, in_time());
  CHECK(store->get({"a"}, in_time()) == Values{"1"});
  CHECK(fault_of([&] {
          remote("redis+unix:///no/such/socket")->get({"a"}, in_time());
        }).find("redis+unix:///no/such/socket: cannot connect (No such file") != std::string::npos);
  CHECK(fault_of([&] { remote("redis+unix:///" + std::string(200, 'x'))->get({"a"}, in_time()); }).find("107 bytes") !=
        std::string::npos);
}

TEST_CASE("a server without memory, and a replica") {
  RedisServer full({.more = {"--maxmemory", "1", "--maxmemory-policy", "noeviction"}});
  CHECK(fault_of([&] {
          remote(full.address())->put({{"a", "1"}}, in_time());
        }).find("its memory is full") != std::string::npos);
  CHECK(remote(full.address())->report(in_time()).write_fault.find("its memory is full") != std::string::npos);
  CHECK(remote(full.address())->claim("a", "me", in_time()) == Claimed::refused);

  RedisServer replica({.more = {"--replicaof", "127.0.0.1", "1"}});
  const auto store = remote(replica.address());
  CHECK(store->get({"a"}, in_time()) == Values{std::nullopt});
  CHECK(fault_of([&] { store->put({{"a", "1"}}, in_time()); }).find("it is a replica") != std::string::npos);
  CHECK(store->claim("a", "me", in_time()) == Claimed::refused);
  CHECK(store->get({"a"}, in_time()) == Values{std::nullopt});
  const RemoteReport report = store->report(in_time());
  CHECK(report.write_fault.find("it is a replica") != std::string::npos);
  CHECK(report.values == 0);
}

TEST_CASE("a connection that the server closed meanwhile is made anew") {
  RedisServer server;
  const auto store = remote(server.address());
  store->put({{"a", "1"}}, in_time());
  server.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  CHECK(store->get({"a"}, in_time()) == Values{"1"});
  CHECK(server.connections() == 2);
}

TEST_CASE("a server that hangs, and one that ended") {
  RedisServer server;
  const auto store = remote(server.address());
  store->put({{"a", "1"}}, in_time());
  server.pause();
  CHECK(is_late(fault_of([&] { store->get({"a"}, soon()); })));
  const std::vector<std::pair<std::string, std::string>> large = {{"b", std::string(20 << 20U, 'x')}};
  CHECK(is_late(fault_of([&] { store->put(large, soon()); })));
  server.resume();
  CHECK(store->get({"a"}, in_time()) == Values{"1"});
  server.stop();
  CHECK(fault_of([&] { store->get({"a"}, in_time()); }).find("cannot connect (Connection refused)") !=
        std::string::npos);
}

TEST_CASE("no started program has the connection") {
  RedisServer server;
  const auto before = inherited_descriptors();
  const auto store = remote(server.address());
  store->get({"a"}, in_time());
  CHECK(inherited_descriptors() == before);
}

TEST_CASE("a report") {
  RedisServer server;
  const auto store = remote(server.address());
  server.command({"SET", "other:a", "1"});
  store->put({{"a", "1"}, {"b", "2"}}, in_time());
  store->claim("c", "me", in_time());
  const RemoteReport report = store->report(in_time());
  const bool is_valkey = server.info("valkey_version") != 0;
  CHECK(report.server.find(is_valkey ? "Valkey " : "Redis ") == 0);
  CHECK(report.server.find('.') != std::string::npos);
  CHECK(report.latency.count() > 0);
  CHECK(report.write_fault.empty());
  CHECK(report.values == 2);
  REQUIRE(report.ahead_by);
  CHECK(std::abs(report.ahead_by->count()) < 60);  // it is the same machine
  CHECK(server.command({"DBSIZE"}) == "4");        // nothing is left of the trial
  CHECK(server.connections() == 1);
  const std::uint64_t sets = server.calls("set");
  CHECK(remote(server.address() + " read-only")->report(in_time()).write_fault.empty());
  CHECK(server.calls("set") == sets);
  CHECK(server.calls("ping") == 10);
}

TEST_CASE("a list has the names under the prefix, however it is spelled") {
  RedisServer server;
  const auto store = remote(server.address() + " @key-prefix=k*[a]?\\");
  server.command({"SET", "kkka:other", "1"});
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) values.emplace_back("name/" + std::to_string(i), "x");
  for (const auto& [name, value] : values) names.push_back(name);
  store->put(values, in_time());
  store->claim("c", "me", in_time());
  auto listed = store->list(in_time());
  REQUIRE(listed);
  std::sort(listed->begin(), listed->end());
  std::sort(names.begin(), names.end());
  CHECK((*listed == names));
}

TEST_CASE("the beginnings of values, and how long nobody asked for them") {
  RedisServer server;
  const auto store = remote(server.address());
  CHECK(store->fronts({}, 4, in_time()).empty());
  CHECK(store->idle_times({}, in_time()).empty());
  CHECK(server.connections() == 0);
  store->put({{"a", "abcdef"}, {"b", "xy"}}, in_time());
  auto fronts = store->fronts({"a", "none", "b"}, 4, in_time());
  REQUIRE(fronts.size() == 3);
  CHECK(fronts[0].size == 6);
  CHECK(fronts[0].bytes == "abcd");
  CHECK(fronts[1].size == 0);
  CHECK(fronts[1].bytes.empty());
  CHECK(fronts[2].bytes == "xy");
  const std::uint64_t parts = server.calls("getrange");
  fronts = store->fronts({"a"}, 0, in_time());
  REQUIRE(fronts.size() == 1);
  CHECK(fronts[0].size == 6);
  CHECK(server.calls("getrange") == parts);
  server.command({"RESTORE", "kiln:a", "0", server.command({"DUMP", "kiln:a"}), "REPLACE", "IDLETIME", "7200"});
  const auto times = store->idle_times({"a", "none"}, in_time());
  REQUIRE(times.size() == 2);
  REQUIRE(times[0]);
  CHECK(times[0]->count() >= 7200);
  CHECK_FALSE(times[1]);
  CHECK(server.connections() == 1);
  RedisServer other({.more = {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lfu"}});
  const auto without_times = remote(other.address());
  without_times->put({{"a", "1"}}, in_time());
  CHECK(fault_of([&] { without_times->idle_times({"a"}, in_time()); }).find("maxmemory-policy") != std::string::npos);
}

TEST_CASE("a claim is one owner's until it ends or is released") {
  RedisServer server;
  const auto mine = remote(server.address());
  const auto yours = remote(server.address());
  REQUIRE(mine->has_claims());
  CHECK(mine->claim("a", "me", in_time()) == Claimed::own);
  CHECK(mine->claim("a", "me", in_time()) == Claimed::own);
  CHECK(yours->claim("a", "you", in_time()) == Claimed::of_other);
  CHECK(yours->claim("b", "you", in_time()) == Claimed::own);
  CHECK_FALSE(yours->renew("a", "you", in_time()));
  server.command({"PEXPIRE", "kiln:~claim:a", "10000"});
  CHECK(mine->renew("a", "me", in_time()));
  CHECK(std::stoi(server.command({"PTTL", "kiln:~claim:a"})) > 10000);
  yours->release("a", "you", in_time());
  CHECK(yours->claim("a", "you", in_time()) == Claimed::of_other);
  mine->release("a", "me", in_time());
  CHECK_FALSE(mine->renew("a", "me", in_time()));
  CHECK(yours->claim("a", "you", in_time()) == Claimed::own);
  mine->release("a", "me", in_time());
  CHECK(yours->renew("a", "you", in_time()));
}

TEST_CASE("one who waits for a claim is woken, and asks once") {
  RedisServer server;
  const auto mine = remote(server.address());
  const auto yours = remote(server.address());
  CHECK(yours->wait_for_claim("a", in_time()));  // there is none
  yours->get({"a"}, in_time());
  CHECK(server.info("pubsub_channels") == 0);
  REQUIRE(mine->claim("a", "me", in_time()) == Claimed::own);
  auto waiter = std::async(std::launch::async, [&] { return yours->wait_for_claim("a", in_time()); });
  wait_for_subscriber(server);
  mine->put({{"a", "1"}}, in_time());
  mine->release("a", "me", in_time());
  CHECK(waiter.get());
  CHECK(server.calls("pttl") == 3);  // by the claim, too
  CHECK(yours->get({"a"}, in_time()) == Values{"1"});
  CHECK(server.info("pubsub_channels") == 0);
  CHECK(server.connections() == 2);
}

TEST_CASE("one who waits sees a claim end, or the deadline") {
  RedisServer server;
  const auto store = remote(server.address());
  server.command({"SET", "kiln:~claim:a", "somebody", "PX", "20"});
  CHECK(store->wait_for_claim("a", in_time()));
  server.command({"SET", "kiln:~claim:a", "somebody", "PX", "30000"});
  CHECK_FALSE(store->wait_for_claim("a", RemoteStore::Clock::now() + 1s));
  CHECK(store->get({"a"}, in_time()) == Values{std::nullopt});
  CHECK(server.connections() == 1);
}

TEST_CASE("a claim without an expiry, or with a later one than Kiln gives, is nobody's: it holds no one") {
  RedisServer server;
  const auto store = remote(server.address());
  const std::vector<std::vector<std::string>> ends = {{}, {"PX", "31000"}, {"EX", "86400"}};
  for (const std::vector<std::string>& end : ends) {
    std::vector<std::string> command = {"SET", "kiln:~claim:a", "somebody"};
    command.insert(command.end(), end.begin(), end.end());
    server.command(command);
    const auto waits = server.calls("pttl");
    CHECK(store->wait_for_claim("a", in_time()));
    CHECK(server.calls("pttl") == waits + 1);  // it was asked once, and not waited for
    CHECK(store->claim("a", "me", in_time()) == Claimed::own);
    CHECK(server.command({"GET", "kiln:~claim:a"}) == "me");
    CHECK(std::stoi(server.command({"PTTL", "kiln:~claim:a"})) <= 30000);
    CHECK(store->renew("a", "me", in_time()));
  }
}

TEST_CASE("a message that comes when nobody waits any more disturbs nothing") {
  RedisServer server;
  const auto mine = remote(server.address());
  const auto yours = remote(server.address());
  REQUIRE(mine->claim("a", "me", in_time()) == Claimed::own);
  yours->get({"a"}, in_time());
  CHECK_FALSE(yours->wait_for_claim("a", RemoteStore::Clock::now() + 1s));
  mine->put({{"a", "1"}}, in_time());
  mine->release("a", "me", in_time());
  CHECK(yours->get({"a"}, in_time()) == Values{"1"});
  CHECK(server.connections() == 2);
}

TEST_SUITE_END();

}  // namespace redis_store_test
