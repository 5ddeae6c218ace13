// A server that does what no good server does. Each fault ends, and is a RemoteFault without a secret.
#include "remote_calls.hpp"
#include "scripted_server.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace redis_faults_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Claimed = RemoteStore::Claimed;
using Values = std::vector<std::optional<std::string>>;
using Connection = ScriptedServer::Connection;
using Script = ScriptedServer::Script;

/// Sends that text to whoever asks something, and is silent then.
Script answering(std::string answer) {
  return [answer](Connection& client) {
    client.read_until("\r\n");
    client.send(answer);
    client.wait_for_end();
  };
}

std::unique_ptr<RemoteStore> client_of(const ScriptedServer& server, const std::string& login = {}) {
  return remote("redis://" + login + server.host());
}

/// What asking for a value ends with where that is the answer.
std::string get_fault(const std::string& answer) {
  const ScriptedServer server(answering(answer));
  return fault_of([&] { client_of(server)->get({"a"}, in_time()); });
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

}  // namespace

TEST_CASE("an answer cut at every byte") {
  const std::string answer = "*3\r\n$5\r\nfirst\r\n$-1\r\n$12\r\nsecond\r\nlast\r\n";
  const std::vector<std::string> names = {"a", "b", "c"};
  const std::size_t before = open_descriptors();
  for (const bool is_reset : {false, true}) {
    for (std::size_t size = 0; size < answer.size(); ++size) {
      const ScriptedServer server([&](Connection& client) {
        client.read_until("kiln:c\r\n");
        client.send(answer.substr(0, size));
        if (is_reset) client.reset();
      });
      const std::string fault = fault_of([&] { client_of(server)->get(names, in_time()); });
      INFO(size);
      CHECK((has(fault, "the server closed the connection") || has(fault, "the connection broke")));
      CHECK(fault.find("the remote cache redis://127.0.0.1:") == 0);
    }
  }
  CHECK(open_descriptors() == before);
  const ScriptedServer server(answering(answer));
  CHECK(client_of(server)->get(names, in_time()) == Values{"first", std::nullopt, "second\r\nlast"});
}

TEST_CASE("silence, and a byte now and then, end at the deadline") {
  for (const char* const answer : {"", "*1\r\n$4\r\nab"}) {
    const ScriptedServer server(answering(answer));
    CHECK(is_late(fault_of([&] { client_of(server)->get({"a"}, soon()); })));
  }
  const ScriptedServer server([](Connection& client) {
    client.read_until("\r\n");
    client.send("*1\r\n$1000000\r\n");
    while (client.send("x") && !client.client_goes_within(std::chrono::milliseconds(10))) {
    }
  });
  const auto store = client_of(server);
  CHECK(is_late(fault_of([&] { store->get({"a"}, soon()); })));
  CHECK_FALSE(fault_of([&] { store->report(soon()); }).empty());
}

TEST_CASE("a time that is over already asks nobody") {
  const ScriptedServer server(answering("+OK\r\n"));
  CHECK(has(fault_of([&] { client_of(server)->get({"a"}, RemoteStore::Clock::now()); }), "redis://127.0.0.1:"));
  CHECK(server.connections() == 0);
}

TEST_CASE("nobody listens, or has the name") {
  const RefusingPort port;
  const std::string address = "redis://127.0.0.1:" + std::to_string(port.number());
  CHECK(fault_of([&] { remote(address)->get({"a"}, in_time()); }) ==
        "the remote cache " + address +
            ": cannot connect (Connection refused): check the address, and that a server runs there");
  CHECK(has(fault_of([] { remote("redis://no-such-host.invalid")->get({"a"}, soon()); }), "the address of the host"));
}

TEST_CASE("what is not Redis's protocol") {
  CHECK(has(get_fault("HTTP/1.1 400 Bad Request\r\n\r\n"), "does not speak Redis's protocol"));
  CHECK(has(get_fault(std::string("\x15\x03\x03\0\x02", 5)), "does not speak Redis's protocol"));
  CHECK(has(get_fault("*1\r\n!garbage\r\n"), "does not speak Redis's protocol"));
  CHECK(has(get_fault("*x\r\n"), "does not speak Redis's protocol"));
  CHECK(has(get_fault("$-7\r\n"), "does not speak Redis's protocol"));
  CHECK(has(get_fault("+" + std::string(200'000, 'x')), "does not speak Redis's protocol"));
}

TEST_CASE("an answer larger than any that is taken") {
  // Each is known by its announcement: the server waits then, and so the test would.
  const std::string beyond = std::to_string(RemoteStore::most_bytes + 1);
  for (const std::string& answer : {"*1\r\n$" + beyond + "\r\nx", std::string("*1\r\n$9223372036854775000\r\n"),
                                    std::string("*2000000000\r\n"), std::string("*1000000\r\n*1000000\r\n")}) {
    INFO(answer);
    CHECK(has(get_fault(answer), "answer is too large"));
  }
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += "*1\r\n";
  CHECK_FALSE(get_fault(nested + "$1\r\nx\r\n").empty());
}

TEST_CASE("an answer to another question") {
  const std::vector<std::string> answers = {
      "+OK\r\n",      ":1\r\n",       "$1\r\na\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "*2\r\n$1\r\na\r\n$1\r\nb\r\n",
      "*1\r\n:1\r\n", "*1\r\n*0\r\n",
  };
  for (const std::string& answer : answers) {
    INFO(answer);
    CHECK(has(get_fault(answer), "another form than asked for"));
  }
  CHECK(has(get_fault("*1\r\n$1\r\na\r\n+OK\r\n"), "answered more than it was asked"));
  CHECK(has(get_fault("*1\r\n-ERR inside\r\n"), "ERR inside"));
}

TEST_CASE("wrong answers to other questions") {
  const std::vector<std::string> answers = {"$-1\r\n", ":7\r\n", "*0\r\n", "*1\r\n$1\r\na\r\n", "+OK\r\n"};
  for (const std::string& answer : answers) {
    INFO(answer);
    const ScriptedServer server(answering(answer));
    const auto store = client_of(server);
    // One answer is too few for some of them.
    CHECK((answer == "+OK\r\n" || !fault_of([&] { store->put({{"a", "1"}}, soon()); }).empty()));
    CHECK_FALSE(fault_of([&] { store->claim("a", "me", soon()); }).empty());
    CHECK((answer == ":7\r\n" || !fault_of([&] { store->renew("a", "me", soon()); }).empty()));
    CHECK_FALSE(fault_of([&] { store->wait_for_claim("a", soon()); }).empty());
    CHECK_FALSE(fault_of([&] { store->list(soon()); }).empty());
    CHECK_FALSE(fault_of([&] { store->report(soon()); }).empty());
  }
}

TEST_CASE("a claim that is new, and another's, is no answer; one that is another's is one") {
  const ScriptedServer lying(answering("+OK\r\n$3\r\nyou\r\n:30000\r\n"));
  CHECK(has(fault_of([&] { client_of(lying)->claim("a", "me", in_time()); }), "another form"));
  const ScriptedServer honest(answering("$-1\r\n$3\r\nyou\r\n:30000\r\n"));
  CHECK(client_of(honest)->claim("a", "me", in_time()) == Claimed::of_other);
}

TEST_CASE("errors that a server gives are explained") {
  CHECK(has(get_fault("-LOADING Redis is loading the dataset in memory\r\n"), "still loading its data"));
  const std::string moved = get_fault("-MOVED 3999 127.0.0.1:6381\r\n");
  CHECK(has(moved, "Redis Cluster, which Kiln does not support"));
  CHECK(has(moved, "(the server: MOVED 3999 127.0.0.1:6381)"));
  CHECK(has(get_fault("-ERR some\tthing\x01\r\n"), "it refuses (the server: ERR some?thing?)"));
  CHECK(get_fault("-ERR " + std::string(5000, 'x') + "\r\n").size() < 400);
}

TEST_CASE("a server that sends the password back") {
  const std::string password = "correct-horse-battery";
  for (const std::string& words :
       {"ERR unknown command 'AUTH' with args 'me' '" + password + "'", "ERR " + password.substr(0, 12),
        "ERR x" + password.substr(7) + password, password + " is wrong"}) {
    const ScriptedServer server(answering("-" + words + "\r\n"));
    const std::string fault = fault_of([&] { client_of(server, "me:" + password + "@")->get({"a"}, in_time()); });
    INFO(fault);
    CHECK(has(fault, "***"));
    for (std::size_t i = 0; i + 4 <= password.size(); ++i) CHECK_FALSE(has(fault, password.substr(i, 4)));
  }
}

TEST_CASE("a server that hangs up while it is sent to raises no signal") {
  const ScriptedServer server([](Connection& client) {
    client.read_until("\r\n");
    client.reset();
  });
  const auto store = client_of(server);
  CHECK_FALSE(fault_of([&] { store->put({{"a", std::string(30 << 20U, 'x')}}, in_time()); }).empty());
}

TEST_CASE("a claim that is renewed while one waits is asked for again when it should have ended") {
  const std::string subscribed = "*3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n";
  const std::string begun = "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n";
  const std::string unsubscribed = "*3\r\n$11\r\nunsubscribe\r\n$1\r\nx\r\n:0\r\n";
  const ScriptedServer server([&](Connection& client) {
    client.read_until("EXEC\r\n");
    client.send(begun + ":1\r\n" + subscribed);
    client.read_until("EXEC\r\n");
    client.send(unsubscribed + begun + ":-2\r\n" + subscribed);
    client.wait_for_end();
  });
  CHECK(client_of(server)->wait_for_claim("a", in_time()));
  CHECK(server.connections() == 1);
  // A user who may not subscribe.
  const ScriptedServer strict(answering("+OK\r\n+QUEUED\r\n-NOPERM no channels\r\n-EXECABORT discarded\r\n"));
  CHECK(has(fault_of([&] { client_of(strict)->wait_for_claim("a", in_time()); }), "NOPERM no channels"));
}

}  // namespace redis_faults_test
