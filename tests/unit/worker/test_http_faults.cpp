// What a server of HTTP may do instead of answering as it should. Each deadline is near where it has to pass, and far
// away where a fault has to come before it.
#include "environment_guard.hpp"
#include "remote_calls.hpp"
#include "scripted_server.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <netdb.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace http_faults_test {

/// Names that a look-up hangs for, as where the network has no server for names.
constexpr const char* hanging_name = "hangs.test";
struct HangingLookUp {
  sem_t may_end;
  sem_t has_ended;
  std::atomic<int> count{0};
  HangingLookUp() {
    ::sem_init(&may_end, 0, 0);
    ::sem_init(&has_ended, 0, 0);
  }
} hanging_look_up;

}  // namespace http_faults_test

/// In place of the C library's, also for libcurl.
extern "C" __attribute__((visibility("default"))) int getaddrinfo(const char* name, const char* service,
                                                                  const addrinfo* hints, addrinfo** results) {
  using namespace http_faults_test;
  if (name != nullptr && std::strcmp(name, hanging_name) == 0) {
    ++hanging_look_up.count;
    while (::sem_wait(&hanging_look_up.may_end) != 0) {
    }
    ::sem_post(&hanging_look_up.has_ended);
    return EAI_AGAIN;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"))(name, service, hints, results);
}

namespace http_faults_test {

using namespace std::chrono_literals;
using kiln::RemoteFault;
using kiln::RemoteStore;
using kiln::test::EnvironmentGuard;
using kiln::test::in_time;
using kiln::test::RefusingPort;
using kiln::test::remote;
using kiln::test::ScriptedServer;
using Connection = ScriptedServer::Connection;
using Values = std::vector<std::optional<std::string>>;

const std::string whole = "HTTP/1.1 200 OK\r\nServer: scripted\r\nContent-Length: 5\r\n\r\nvalue";
const std::string in_chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nva\r\n3\r\nlue\r\n0\r\n\r\n";

RemoteStore::Clock::time_point in(std::chrono::milliseconds time) { return RemoteStore::Clock::now() + time; }

/// What one get of one name answers; nothing where it is a fault, whose text is in `fault`.
struct Outcome {
  explicit Outcome(RemoteStore& store, std::chrono::milliseconds time = 30s) {
    try {
      value = store.get({"00aa"}, in(time)).at(0);
    } catch (const RemoteFault& thrown) {
      fault = thrown.what();
    }
  }
  std::optional<std::string> value;
  std::string fault;
};

Outcome answer_to(const std::string& bytes, std::chrono::milliseconds time = 30s) {
  const ScriptedServer server([&](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.send(bytes);
  });
  const auto store = remote("http://" + server.host());
  return Outcome(*store, time);
}

TEST_CASE("an answer that ends at any byte is a fault, or has all of the value") {
  for (const std::string& answer : {whole, in_chunks}) {
    CHECK(answer_to(answer).value == "value");
    // Behind the last chunk nothing of the value is left.
    const std::size_t end_of_value = answer == whole ? whole.size() : in_chunks.find("0\r\n\r\n") + 3;
    for (std::size_t size = 0; size < answer.size(); ++size) {
      CAPTURE(size);
      const Outcome outcome = answer_to(answer.substr(0, size));
      if (size < end_of_value) {
        CHECK(outcome.value == std::nullopt);
        CHECK(outcome.fault.find("127.0.0.1") != std::string::npos);
      } else {
        CHECK((outcome.value == "value" || !outcome.fault.empty()));
      }
    }
  }
}

TEST_CASE("no value there is such an answer, too") {
  const std::string answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone";
  for (std::size_t size = 0; size <= answer.size(); ++size) {
    CAPTURE(size);
    const Outcome outcome = answer_to(answer.substr(0, size));
    CHECK(outcome.value == std::nullopt);
    CHECK(outcome.fault.empty() == (size == answer.size()));
  }
}

TEST_CASE("what is no HTTP is a fault") {
  for (const std::string& bytes :
       {std::string("\x16\x03\x01garbage\n\r\n"), std::string("+PONG\r\n"), std::string(100'000, '\0'),
        std::string("HTTP/1.1 abc\r\n\r\n"), std::string("HTTP/9.9 200 OK\r\nContent-Length: 5\r\n\r\nvalue"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nvalue"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nvalue"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nvalue")}) {
    const Outcome outcome = answer_to(bytes);
    CAPTURE(bytes.substr(0, 60));
    CHECK(outcome.value == std::nullopt);
    CHECK(outcome.fault.find("127.0.0.1") != std::string::npos);
  }
}

TEST_CASE("a value of which nobody says where it ends is a fault") {
  CHECK(answer_to("HTTP/1.1 200 OK\r\n\r\nvalue").fault.find("Content-Length") != std::string::npos);
  CHECK(answer_to("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nvalue").value == "value");
}

TEST_CASE("bytes behind a value are not the next answer") {
  const ScriptedServer server([](Connection& connection) {
    while (!connection.read_until("\r\n\r\n").empty())
      connection.send(whole + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong");
  });
  const auto store = remote("http://" + server.host());
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome(*store);
    CHECK(outcome.value.value_or("value") == "value");
  }
}

TEST_CASE("interim answers are no answers") {
  CHECK(answer_to("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + whole).value == "value");
}

TEST_CASE("silence ends at the deadline: before the answer, within its head, within the value") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, whole.size() - 1}) {
    const ScriptedServer server([size](Connection& connection) {
      connection.read_until("\r\n\r\n");
      connection.send(whole.substr(0, size));
      connection.wait_for_end();  // which only the client's giving up is
    });
    CHECK(Outcome(*remote("http://" + server.host()), 100ms).fault.find("in time") != std::string::npos);
  }
}

TEST_CASE("a value that drips ends at the deadline") {
  const ScriptedServer server([](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
    while (!connection.client_goes_within(5ms)) connection.send("x");
  });
  CHECK(Outcome(*remote("http://" + server.host()), 200ms).fault.find("in time") != std::string::npos);
}

TEST_CASE("a head that does not end is a fault") {
  const ScriptedServer server([](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.send("HTTP/1.1 200 OK\r\n");
    while (connection.send("X-More: and more\r\n")) {
    }
  });
  CHECK_FALSE(Outcome(*remote("http://" + server.host()), 1s).fault.empty());
}

TEST_CASE("a value without an end fills no memory and is none") {
  const ScriptedServer server([](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
    while (connection.send(chunk)) {
    }
  });
  const Outcome outcome(*remote("http://" + server.host()), 60s);
  CHECK(outcome.fault == "");
  CHECK(outcome.value == std::nullopt);
}

TEST_CASE("a value that says that it is too large is not waited for") {
  const ScriptedServer server([](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
    connection.wait_for_end();
  });
  const Outcome outcome(*remote("http://" + server.host()));
  CHECK(outcome.fault == "");
  CHECK(outcome.value == std::nullopt);
}

TEST_CASE("many values for one question fill no more memory than one answer of Redis may") {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(RemoteStore::most_bytes) + "\r\n\r\n";
  std::atomic<std::size_t> sent{0};
  const ScriptedServer server([&](Connection& connection) {
    const std::string piece(0x100000, 'x');
    while (!connection.read_until("\r\n\r\n").empty()) {
      connection.send(head);
      for (std::size_t size = 0; size < RemoteStore::most_bytes && connection.send(piece); size += piece.size())
        sent += piece.size();
    }
  });
  const auto store = remote("http://" + server.host());
  std::string fault;
  try {
    store->get(std::vector<std::string>(12, "00aa"), in_time());
  } catch (const RemoteFault& thrown) {
    fault = thrown.what();
  }
  CHECK(fault.find("too large") != std::string::npos);
  CHECK(sent < RemoteStore::most_bytes_at_once + RemoteStore::most_bytes);
}

TEST_CASE("redirects are not followed") {
  const ScriptedServer other([](Connection& connection) { connection.send(whole); });
  for (const std::string& place : {std::string("file:///etc/hostname"), "http://" + other.host() + "/kiln/00/aa"}) {
    const Outcome outcome = answer_to("HTTP/1.1 302 Found\r\nLocation: " + place + "\r\nContent-Length: 0\r\n\r\n");
    CHECK(outcome.fault.find("redirects") != std::string::npos);
  }
  CHECK(other.connections() == 0);
}

TEST_CASE("a port that refuses, and a deadline that has passed") {
  const RefusingPort port;
  const auto store = remote("http://127.0.0.1:" + std::to_string(port.number()));
  CHECK(Outcome(*store).fault.find("127.0.0.1:" + std::to_string(port.number())) != std::string::npos);
  const ScriptedServer server([](Connection& connection) { connection.send(whole); });
  CHECK(Outcome(*remote("http://" + server.host()), 0ms).fault.find("in time") != std::string::npos);
  CHECK(server.connections() == 0);
}

TEST_CASE("connecting, TLS with it, takes no longer than it may") {
  const ScriptedServer server([](Connection& connection) { connection.wait_for_end(); });
  CHECK_FALSE(
      Outcome(*kiln::open_remote(kiln::parse_remotes("https://" + server.host() + " connect-timeout=50ms")[0]), 1h)
          .fault.empty());
}

TEST_CASE("a look-up of the host that hangs is left behind at the deadline") {
  const auto store = remote(std::string("http://") + hanging_name);
  while (hanging_look_up.count == 0) CHECK_FALSE(Outcome(*store, 100ms).fault.empty());
  for (int i = 0; i < hanging_look_up.count; ++i) ::sem_post(&hanging_look_up.may_end);
  while (::sem_wait(&hanging_look_up.has_ended) != 0) {
  }
}

TEST_CASE("a server that resets while it is sent a value") {
  const ScriptedServer server([](Connection& connection) {
    connection.read_until("\r\n\r\n");
    connection.reset();
  });
  const auto store = remote("http://" + server.host());
  CHECK_THROWS_AS(store->put({{"00aa", std::string(10'000'000, 'x')}}, in_time()), RemoteFault);
  CHECK_THROWS_AS(store->put({{"00aa", "x"}}, in_time()), RemoteFault);
}

TEST_CASE("a value is put with its length, its type, and without waiting for leave") {
  std::string head;
  {
    const ScriptedServer server([&head](Connection& connection) {
      head = connection.read_until("\r\n\r\n");
      connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
      connection.wait_for_end();
    });
    remote("http://" + server.host() + "/cache")->put({{"00aa", std::string(2'000'000, 'x')}}, in_time());
  }
  CAPTURE(head);
  CHECK(head.find("PUT /cache/kiln/00/aa HTTP/1.1\r\n") == 0);
  CHECK(head.find("\r\nContent-Length: 2000000\r\n") != std::string::npos);
  CHECK(head.find("\r\nContent-Type: application/octet-stream\r\n") != std::string::npos);
  CHECK(head.find("Expect") == std::string::npos);
  CHECK(head.find("Authorization") == std::string::npos);
}

TEST_CASE("a put whose answer is cut is a fault") {
  const std::string answer = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
  for (std::size_t size = 0; size <= answer.size(); ++size) {
    CAPTURE(size);
    const ScriptedServer server([&](Connection& connection) {
      connection.read_until("\r\n\r\nvalue");
      connection.send(answer.substr(0, size));
    });
    const auto store = remote("http://" + server.host());
    if (size < answer.size()) {
      CHECK_THROWS_AS(store->put({{"00aa", "value"}}, in_time()), RemoteFault);
    } else {
      CHECK_NOTHROW(store->put({{"00aa", "value"}}, in_time()));
    }
  }
}

TEST_CASE("proxies of the environment are asked, and their secrets are not shown") {
  std::string head;
  EnvironmentGuard variables;
  for (const char* name : {"no_proxy", "NO_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"}) variables.unset(name);
  {
    const ScriptedServer proxy([&head](Connection& connection) {
      head = connection.read_until("\r\n\r\n");
      connection.send(whole);
    });
    variables.set("http_proxy", "http://" + proxy.host());
    CHECK(Outcome(*remote("http://store.test/cache")).value == "value");
  }
  CHECK(head.find("GET http://store.test/cache/kiln/00/aa HTTP/1.1\r\n") == 0);
  for (const char* proxy : {"other://me:secret@proxy.test", "http://me:secret@127.0.0.1:port"}) {
    variables.set("http_proxy", proxy);
    const std::string fault = Outcome(*remote("http://store.test/cache")).fault;
    CAPTURE(fault);
    CHECK(fault.find("http://store.test:80/cache") != std::string::npos);
    CHECK(fault.find("secret") == std::string::npos);
  }
}

}  // namespace http_faults_test
