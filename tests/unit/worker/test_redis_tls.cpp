#include "base/shared_library.hpp"
#include "environment_guard.hpp"
#include "redis_server.hpp"
#include "remote_calls.hpp"
#include "run_program.hpp"
#include "scripted_server.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <filesystem>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace redis_tls_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Claimed = RemoteStore::Claimed;
using Values = std::vector<std::optional<std::string>>;
using Connection = ScriptedServer::Connection;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string tls_address(const RedisServer& server, const std::string& before_port = "127.0.0.1") {
  return "rediss://" + before_port + ":" + std::to_string(server.tls_port());
}

std::string get_fault(const std::string& address) {
  return fault_of([&] { remote(address)->get({"a"}, in_time()); });
}

}  // namespace

TEST_SUITE_BEGIN("redis, TLS" * doctest::skip(RedisServer::is_missing()) * doctest::description("needs redis-server"));

TEST_CASE("all of it through TLS") {
  RedisServer server({.password = "s3cret", .has_tls = true});
  const EnvironmentGuard trust({{"SSL_CERT_FILE", server.certificate().string()}});
  const auto mine = remote(tls_address(server, "s3cret@127.0.0.1") + "/1");
  const auto yours = remote(tls_address(server, "s3cret@127.0.0.1") + "/1");
  const std::string large(std::size_t{9} << 20U, 'x');
  mine->put({{"a", "1"}, {"large", large}}, in_time());
  CHECK((yours->get({"a", "b", "large"}, in_time()) == Values{"1", std::nullopt, large}));
  REQUIRE(mine->claim("b", "me", in_time()) == Claimed::own);
  auto waiter = std::async(std::launch::async, [&] { return yours->wait_for_claim("b", in_time()); });
  while (server.info("pubsub_channels") == 0) std::this_thread::yield();
  mine->release("b", "me", in_time());
  CHECK(waiter.get());
  CHECK(yours->get({"a"}, in_time()) == Values{"1"});
  CHECK(server.connections() == 2);
  server.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
  CHECK(yours->get({"a"}, in_time()) == Values{"1"});
}

TEST_CASE("a server whose certificate is another's, or of nobody whom the system trusts") {
  RedisServer server({.has_tls = true});
  {
    const ScratchFolder none;
    const EnvironmentGuard trust({{"SSL_CERT_FILE", (none / "none").string()}, {"SSL_CERT_DIR", none.path().string()}});
    const std::string fault = get_fault(tls_address(server));
    CHECK(has(fault, "the server's certificate is refused (self-signed certificate)"));
    CHECK(has(fault, "SSL_CERT_FILE"));
    CHECK(has(fault, "the remote cache " + tls_address(server) + ": "));
  }
  const EnvironmentGuard trust({{"SSL_CERT_FILE", server.certificate().string()}});
  CHECK(get_fault(tls_address(server)).empty());
  // The certificate is of the address 127.0.0.1 alone.
  CHECK(has(get_fault(tls_address(server, "localhost")), "the server's certificate is refused (hostname mismatch)"));
  CHECK(server.calls("mget") == 1);
}

TEST_CASE("a port with TLS is not asked without, nor the other way round") {
  RedisServer server({.has_tls = true});
  CHECK_FALSE(get_fault("redis://127.0.0.1:" + std::to_string(server.tls_port())).empty());
  const auto plain = remote("rediss://127.0.0.1:" + std::to_string(server.port()));
  CHECK_FALSE(fault_of([&] { plain->get({"a"}, soon()); }).empty());
}

TEST_CASE("a server that hangs within a connection with TLS") {
  RedisServer server({.has_tls = true});
  const EnvironmentGuard trust({{"SSL_CERT_FILE", server.certificate().string()}});
  const auto store = remote(tls_address(server));
  store->put({{"a", "1"}}, in_time());
  server.pause();
  CHECK(is_late(fault_of([&] { store->get({"a"}, soon()); })));
  CHECK(is_late(fault_of([&] { store->get({"a"}, soon()); })));
  server.resume();
  const std::string large(std::size_t{30} << 20U, 'x');
  store->put({{"large", large}}, in_time());
  server.pause();
  CHECK_FALSE(fault_of([&] { store->put({{"large", large}}, soon()); }).empty());
  server.resume();
  CHECK(store->get({"a"}, in_time()) == Values{"1"});
}

TEST_SUITE_END();

TEST_CASE("what is no TLS") {
  const auto fault_by = [](RemoteStore::Clock::time_point deadline, const ScriptedServer::Script& script) {
    const ScriptedServer server(script);
    return fault_of([&] { remote("rediss://" + server.host())->get({"a"}, deadline); });
  };
  CHECK(is_late(fault_by(soon(), [](Connection& client) { client.wait_for_end(); })));
  CHECK(is_late(fault_by(soon(), [](Connection& client) {
    client.send("\x16\x03\x03\x10");
    while (client.send("x") && !client.client_goes_within(std::chrono::milliseconds(10))) {
    }
  })));
  CHECK(has(fault_by(in_time(),
                     [](Connection& client) {
                       client.send("-ERR Protocol error\r\n");
                       client.wait_for_end();
                     }),
            "TLS failed (wrong version number)"));
  CHECK_FALSE(fault_by(in_time(), [](Connection&) {}).empty());
  CHECK_FALSE(fault_by(in_time(), [](Connection& client) { client.reset(); }).empty());
}

// In a process of its own, as others here open the library.
TEST_CASE("OpenSSL is opened for TLS alone, and named where that cannot be" * doctest::skip()) {
  const ScriptedServer server([](Connection&) {});
  CHECK_FALSE(fault_of([&] { remote("redis://" + server.host())->get({"a"}, in_time()); }).empty());
  CHECK_FALSE(SharedLibrary::is_loaded("libssl.so.3"));
  CHECK_FALSE(SharedLibrary::is_loaded("libcrypto.so.3"));
  rlimit files = {};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit no_files = {0, files.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &no_files) == 0);
  const std::string fault = get_fault("rediss://" + server.host());
  ::setrlimit(RLIMIT_NOFILE, &files);
  CHECK(has(fault, "TLS needs OpenSSL 3: libcrypto.so.3: "));
  CHECK(has(fault, "Debian's package of it is libssl3"));
  CHECK(server.connections() == 1);
}

TEST_CASE("OpenSSL is opened for TLS alone") {
  const ProgramResult result = run_program(std::filesystem::read_symlink("/proc/self/exe"),
                                           {"-ns", "-tc=OpenSSL is opened for TLS alone?*and named*"});
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(has(result.output, "1 passed"));
}

}  // namespace redis_tls_test
