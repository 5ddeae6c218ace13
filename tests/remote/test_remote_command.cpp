// kiln cache remote, against real servers.
#include "nginx_server.hpp"
#include "redis_server.hpp"
#include "remote_commands.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace remote_command_test {

using namespace kiln::test;

namespace {

const bool no_redis = RedisServer::is_missing();
const bool no_nginx = !NginxServer::is_installed();

}  // namespace

TEST_SUITE_BEGIN("remote command");

TEST_CASE("a server that can be used" * doctest::skip(no_redis)) {
  RedisServer server;
  server.command({"SET", "kiln:x", "1"});
  server.command({"SET", "kiln:y", "1"});
  const ProgramResult told = CommandMachine(server.address() + " @unsigned").cache({"remote"});
  INFO(told.output);
  CHECK(told.status == 0);
  CHECK(told.output.find(server.address() + "\n") == 0);
  CHECK((has(told.output, "  server   Redis ") || has(told.output, "  server   Valkey ")));
  CHECK(has(told.output, " us\n"));
  CHECK(has(told.output, "  rights   read and put\n"));
  CHECK(has(told.output, "  values   2\n"));
  CHECK(has(told.output, "  clock    as here\n"));
  CHECK(has(told.output, "public keys  none\nsigning key  none\n"));
  CHECK(server.command({"DBSIZE"}) == "2");
}

TEST_CASE("the same for scripts, and by an option" * doctest::skip(no_redis)) {
  RedisServer server;
  const ProgramResult told = CommandMachine("redis://127.0.0.1:1 @unsigned")
                                 .cache({"remote", "--json", "--remote", server.address() + " @unsigned read-only"});
  INFO(told.output);
  CHECK(told.status == 0);
  const auto object = nlohmann::json::parse(told.output);
  REQUIRE(object["remotes"].size() == 1);
  const auto& remote = object["remotes"][0];
  CHECK(remote["address"] == server.address());
  CHECK(remote["usable"] == true);
  CHECK(remote["can_put"] == false);
  CHECK(remote["why_no_put"] == "read-only stands behind its address");
  CHECK(remote["values"] == 0);
  CHECK(remote["latency_us"] > 0);
  CHECK(object["public_keys"].empty());
  CHECK(object["signing_key"].is_null());
}

TEST_CASE("why nothing can be put" * doctest::skip(no_redis)) {
  const ScratchFolder folder;
  const KeyPair keys = write_key_pair(folder.path(), "site", 1);
  const KeyPair other = write_key_pair(folder.path(), "other", 2);
  RedisServer server;
  RedisServer full({.more = {"--maxmemory", "1", "--maxmemory-policy", "noeviction"}});
  RedisServer replica({.more = {"--replicaof", "127.0.0.1", "1"}});
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_PUBLIC_KEYS", keys.public_file);
  const auto rights_of = [](const std::string& remote) {
    const ProgramResult told = CommandMachine(remote).cache({"remote"});
    CHECK(told.status == 0);
    return told.output;
  };
  CHECK(has(rights_of(server.address()), "  rights   read; nothing is put: there is no key to sign with"));
  guard.set("KILN_CACHE_SIGNING_KEY", keys.private_file);
  const std::string signing = rights_of(server.address());
  CHECK(has(signing, "  rights   read and put\n"));
  // The ids, as kiln cache keygen shows them, and no paths.
  const std::string id = signing.substr(signing.find("public keys  ") + 13, 16);
  CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(has(signing, "signing key  " + id + "\n"));
  guard.set("KILN_CACHE_PUBLIC_KEYS", other.public_file);
  CHECK(has(rights_of(server.address()), "signing key  " + id + " (none of the public keys: "));
  guard.set("KILN_CACHE_PUBLIC_KEYS", keys.public_file);
  CHECK(has(rights_of(server.address() + " read-only"), "nothing is put: read-only stands behind its address"));
  CHECK(has(rights_of(full.address()), "nothing is put: its memory is full"));
  CHECK(has(rights_of(replica.address()), "nothing is put: it is a replica"));
}

TEST_CASE("what cannot be used is a failure" * doctest::skip(no_redis)) {
  const auto fault_of = [](const std::string& remote) {
    const ProgramResult told = CommandMachine(remote).cache({"remote"});
    INFO(told.output);
    CHECK(told.status == 1);
    CHECK_FALSE(has(told.output, "secret"));
    return told.output;
  };
  RedisServer server({.password = "s3secret"});
  CHECK(has(fault_of(server.address() + " @unsigned"), "  fault    it wants a password"));
  const std::string host = server.address().substr(8);
  CHECK(has(fault_of("redis://wrong-secret@" + host + " @unsigned"), "  fault    it does not know"));
  CHECK(CommandMachine("redis://s3secret@" + host + " @unsigned").cache({"remote"}).status == 0);
  const RefusingPort nobody;
  const std::string dead = "redis://127.0.0.1:" + std::to_string(nobody.number());
  CHECK(has(fault_of(dead + " @unsigned"), "  fault    cannot connect (Connection refused): check the address"));
  CHECK(has(fault_of(dead), "there is no public key: KILN_CACHE_PUBLIC_KEYS names"));
  // Of several, one is enough.
  const std::string both = fault_of(dead + " @unsigned redis://s3secret@" + host + " @unsigned");
  CHECK(has(both, "  fault    cannot connect"));
  CHECK(has(both, "  rights   read and put\n"));
  CHECK(has(fault_of(""), "no remote cache is named"));
}

TEST_CASE("a socket whose server wants a password" * doctest::skip(no_redis)) {
  const ScratchFolder folder;
  const std::string path = (folder / "redis.sock").string();
  const RedisServer server({.password = "s3secret", .more = {"--unixsocket", path}});
  std::string written = path;  // blanks separate remotes
  for (std::size_t at = 0; (at = written.find(' ')) != std::string::npos;) written.replace(at, 1, "%20");
  const auto told = [](const std::string& remote) { return CommandMachine(remote + " @unsigned").cache({"remote"}); };
  const ProgramResult refused = told("redis+unix://" + written);
  CHECK(refused.status == 1);
  CHECK(
      has(refused.output, "it wants a password: redis+unix://USER:PASSWORD@localhost/PATH, or redis+unix://PASSWORD@"));
  for (const char* login : {"s3secret", "default:s3secret"}) {
    const ProgramResult good = told("redis+unix://" + std::string(login) + "@localhost" + written);
    INFO(good.output);
    CHECK(good.status == 0);
    CHECK(good.output.find("redis+unix://" + path + "\n") == 0);
    CHECK_FALSE(has(good.output, "s3secret"));
  }
}

TEST_CASE("a server that is silent is not waited for as long as one that has much to say" * doctest::skip(no_redis)) {
  RedisServer server;
  server.pause();
  const ScratchFolder folder;
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_DIR", folder.path());
  guard.set("KILN_CACHE_REMOTE", server.address() + " @unsigned connect-timeout=300ms request-timeout=300ms");
  for (const std::string command : {"remote", "pull", "push"}) {
    INFO(command);
    const auto start = std::chrono::steady_clock::now();
    const ProgramResult told = run_program(KILN_TEST_TOOL, {"cache", command});
    // 30 s are for the answers of a server that gave one.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(25));
    CHECK(told.status == 1);
    CHECK(has(told.output, "the server gave no answer in time"));
  }
  server.resume();
}

TEST_CASE("addresses and keys that make no sense") {
  const CommandMachine machine("redis://127.0.0.1:1 @unsigned");
  CHECK(machine.cache({"remote", "--remote", "ftp://host"}).status == 2);
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_PUBLIC_KEYS", "/no/such/key");
  const ProgramResult told = machine.cache({"remote"});
  CHECK(told.status == 1);
  CHECK(has(told.output, "the public keys /no/such/key cannot be read"));
}

TEST_CASE("an HTTP server" * doctest::skip(no_nginx)) {
  EnvironmentGuard guard;
  guard.set("no_proxy", "*");
  const NginxServer server;
  const NginxServer closed({.writing = ""});
  const NginxServer forgetful({.writing = "return 200;"});
  const ProgramResult told = CommandMachine(server.url() + " @unsigned").cache({"remote"});
  INFO(told.output);
  CHECK(told.status == 0);
  CHECK(has(told.output, "  server   nginx/"));
  CHECK(has(told.output, "  rights   read and put\n"));
  CHECK(has(told.output, "  values   not known\n"));
  CHECK(has(CommandMachine(closed.url() + " @unsigned").cache({"remote"}).output,
            "  rights   read; nothing is put: answers 405 to PUT: it takes no files"));
  CHECK(has(CommandMachine(forgetful.url() + " @unsigned").cache({"remote"}).output,
            "  rights   read; nothing is put: it says that it keeps a value, and does not give it back"));
}

TEST_CASE("kiln doctor names them" * doctest::skip(no_redis)) {
  const ScratchFolder folder;
  const KeyPair keys = write_key_pair(folder.path(), "site", 1);
  RedisServer server({.password = "s3secret"});
  const std::string host = server.address().substr(8);
  const RefusingPort nobody;
  const std::string dead = "redis://127.0.0.1:" + std::to_string(nobody.number());
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_PUBLIC_KEYS", keys.public_file);
  const std::string told = CommandMachine(dead + " redis://s3secret@" + host).kiln({"doctor"}).output;
  INFO(told);
  CHECK(has(told, "\nremote     " + dead + ": is not used: cannot connect (Connection refused)"));
  CHECK(has(told, "\n           " + server.address() + ": it answers; nothing is put there: there is no key to sign"));
  CHECK(has(told, "\n           trusted there: what was signed by "));
  CHECK_FALSE(has(told, "s3secret"));
  CHECK(server.calls("mget") == 1);
  CHECK(server.calls("scan") == 0);
  CHECK_FALSE(has(CommandMachine("").kiln({"doctor"}).output, "\nremote "));
  CHECK_FALSE(has(told, "@unsigned"));
  const std::string open = CommandMachine(dead + " @unsigned").kiln({"doctor"}).output;
  CHECK(has(open, "\n           trusted there: all that is at " + dead + ", signed or not (@unsigned)\n"));
  guard.unset("KILN_CACHE_PUBLIC_KEYS");
  CHECK(has(CommandMachine(server.address()).kiln({"doctor"}).output,
            "\nremote     " + server.address() + ": is not used: compiled code is executed"));
  CHECK(has(CommandMachine("ftp://host").kiln({"doctor"}).output, "\nremote     not used: "));
}

TEST_CASE("kiln doctor waits for a remote that hangs no longer than for a connection" * doctest::skip(no_redis)) {
  RedisServer server;
  server.pause();
  const std::string slow = server.address() + " @unsigned connect-timeout=300ms request-timeout=1h";
  EnvironmentGuard guard;
  guard.set("KILN_CACHE_REMOTE", slow);
  const ScratchFolder folder;
  guard.set("KILN_CACHE_DIR", folder.path());
  // With the other one it would wait longer than this test may.
  const std::string told = run_program(KILN_TEST_TOOL, {"doctor"}).output;
  CHECK(has(told, "\nremote     " + server.address() + ": is not used: the server gave no answer in time"));
  server.resume();
}

TEST_SUITE_END();

}  // namespace remote_command_test
