#include "environment_guard.hpp"
#include "nginx_server.hpp"
#include "remote_calls.hpp"
#include "scratch_folder.hpp"
#include "scripted_server.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using kiln::RemoteReport;
using kiln::RemoteStore;
using kiln::test::EnvironmentGuard;
using kiln::test::fault_of;
using kiln::test::in_time;
using kiln::test::NginxOptions;
using kiln::test::NginxServer;
using kiln::test::remote;
using kiln::test::ScratchFolder;
using kiln::test::ScriptedServer;

namespace http_store_test {

const bool no_nginx = [] {
  if (NginxServer::is_installed()) return false;
  std::puts("skipped: tests that need nginx (Debian: nginx)");
  return true;
}();

using Values = std::vector<std::optional<std::string>>;

int connections_of(const std::vector<NginxServer::Request>& requests) {
  int count = 0;
  int last = 0;  // each is done with before the next one
  for (const NginxServer::Request& request : requests)
    if (std::exchange(last, request.connection) != request.connection) ++count;
  return count;
}

std::size_t files_below(const fs::path& folder) {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file();
  return count;
}

TEST_CASE("what was put is there, byte for byte, by one connection" * doctest::skip(no_nginx)) {
  NginxServer server;
  const auto store = remote(server.url() + "/cache/");
  std::string large(std::size_t{3} << 20U, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7919 >> 8U);
  store->put({{"0a1b.code", "one"}, {"0a1c.code", ""}, {"ff", large}}, in_time());
  CHECK(store->get({"0a1b.code", "0a1d.code", "0a1c.code", "ff"}, in_time()) == Values{"one", std::nullopt, "", large});
  store->put({{"0a1b.code", "another"}}, in_time());
  CHECK(store->get({"0a1b.code"}, in_time()) == Values{"another"});
  CHECK(store->get({}, in_time()).empty());
  CHECK(store->list(in_time()) == std::nullopt);
  CHECK_FALSE(store->has_claims());
  CHECK(fs::exists(server.files() / "cache/kiln/0a/1b.code"));
  CHECK(fs::exists(server.files() / "cache/kiln/ff"));
  const auto requests = server.stop();
  CHECK(requests.size() == 9);
  CHECK(connections_of(requests) == 1);
}

TEST_CASE("a flat layout, a prefix of one's own, and none" * doctest::skip(no_nginx)) {
  const NginxServer server;
  remote(server.url() + " @layout=flat @key-prefix=team%20a/b\xc3\xa4")->put({{"0a1b", "1"}}, in_time());
  CHECK(fs::exists(server.files() / "team%20a/b\xc3\xa4/0a1b"));
  remote(server.url() + " @layout=flat @key-prefix=")->put({{"0a1b", "1"}}, in_time());
  CHECK(fs::exists(server.files() / "0a1b"));
}

TEST_CASE("a larger value than the limit is neither sent nor taken" * doctest::skip(no_nginx)) {
  NginxServer server;
  const auto store = remote(server.url());
  store->put({{"00aa", std::string(RemoteStore::most_bytes + 1, 'x')}, {"00bb", "small"}}, in_time());
  CHECK_FALSE(fs::exists(server.files() / "kiln/00/aa"));
  kiln::test::write_file(server.files() / "kiln/00/aa", std::string(RemoteStore::most_bytes + 1, 'x'));
  CHECK(store->get({"00aa", "00bb"}, in_time()) == Values{std::nullopt, "small"});
  CHECK(server.stop().size() == 3);
}

TEST_CASE("a hundred values by one connection, of HTTP/1.1 and of HTTP/2" * doctest::skip(no_nginx)) {
  for (const bool http_2 : {false, true}) {
    CAPTURE(http_2);
    NginxServer server({.tls = true, .http_2 = http_2});
    EnvironmentGuard trusted({{"SSL_CERT_FILE", server.certificate().string()}});
    std::vector<std::string> names;
    Values values;
    for (int i = 100; i < 200; ++i) {
      names.push_back("a" + std::to_string(i) + ".code");
      values.emplace_back(std::string(static_cast<std::size_t>(i) * 100, static_cast<char>(i)));
      kiln::test::write_file(server.files() / ("kiln/a1/" + names.back().substr(2)), *values.back());
    }
    const auto store = remote(server.url());
    CHECK(store->get(names, in_time()) == values);
    const auto requests = server.stop();
    CHECK(requests.size() == 100);
    CHECK(connections_of(requests) == 1);
  }
}

TEST_CASE("over HTTP/2 requests do not wait for each other's answers" * doctest::skip(no_nginx)) {
  // Behind nginx, which asks it by one connection for each request.
  int count = 0;
  const ScriptedServer source([&count](ScriptedServer::Connection& connection) {
    connection.read_until("\r\n\r\n");
    if (++count == 2) connection.wait_for_another();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvalue");
  });
  const NginxServer server({.tls = true, .http_2 = true, .writing = "proxy_pass http://" + source.host() + ";"});
  EnvironmentGuard trusted({{"SSL_CERT_FILE", server.certificate().string()}});
  const auto store = remote(server.url());
  CHECK(store->get({"00aa", "00ab", "00ac"}, in_time()) == Values(3, "value"));
}

TEST_CASE("a connection that the server has closed is made again" * doctest::skip(no_nginx)) {
  NginxServer server({.writing = "dav_methods PUT; create_full_put_path on; keepalive_requests 2;"});
  const auto store = remote(server.url());
  for (int i = 0; i < 6; ++i) store->put({{"00a" + std::to_string(i), "1"}}, in_time());
  CHECK(store->get({"00a0", "00a5"}, in_time()) == Values{"1", "1"});
  CHECK(connections_of(server.stop()) == 4);
}

TEST_CASE("https is for servers with a trusted certificate of that name" * doctest::skip(no_nginx)) {
  const NginxServer server({.tls = true});
  const auto fault = [&](const std::string& host) {
    return fault_of([&] { remote("https://" + host)->put({{"00aa", "1"}}, in_time()); });
  };
  EnvironmentGuard variables;
  variables.unset("SSL_CERT_FILE");
  CHECK(fault(server.host()).find("certificate") != std::string::npos);
  variables.set("SSL_CERT_FILE", server.certificate().string());
  CHECK(fault("localhost:" + std::to_string(server.port())).find("certificate") != std::string::npos);
  CHECK(files_below(server.files()) == 0);
  CHECK(fault(server.host()) == "");
  CHECK(files_below(server.files()) == 1);
  variables.set("SSL_CERT_FILE", "/no/such/file");
  CHECK(fault(server.host()) != "");
}

TEST_CASE("a user and a password" * doctest::skip(no_nginx)) {
  const NginxServer server({.login = "me:se cret"});
  remote("http://me:se%20cret@" + server.host())->put({{"00aa", "1"}}, in_time());
  CHECK(remote("http://me:se%20cret@" + server.host())->get({"00aa"}, in_time()) == Values{"1"});
  for (const char* login : {"", "me:other@", "you:se%20cret@"}) {
    const auto store = remote(std::string("http://") + login + server.host());
    for (const std::string& fault : {fault_of([&] { store->get({"00aa"}, in_time()); }), fault_of([&] {
                                       store->put({{"00aa", "2"}}, in_time());
                                     }),
                                     fault_of([&] { store->report(in_time()); })}) {
      CAPTURE(fault);
      CHECK(fault.find("401") != std::string::npos);
      CHECK(fault.find(server.host()) != std::string::npos);
      CHECK(fault.find("other") == std::string::npos);
      CHECK(fault.find("cret") == std::string::npos);
    }
  }
}

TEST_CASE("who may read without a password and write with one" * doctest::skip(no_nginx)) {
  const ScratchFolder folder;
  const std::string users = folder.write("users", "me:{PLAIN}secret\n").string();
  const NginxServer server({.writing = "dav_methods PUT DELETE; create_full_put_path on; limit_except GET { auth_basic "
                                       "write; auth_basic_user_file \"" +
                                       users + "\"; }"});
  const auto writer = remote("http://me:secret@" + server.host());
  const auto reader = remote(server.url());
  writer->put({{"00aa", "1"}}, in_time());
  CHECK(reader->get({"00aa"}, in_time()) == Values{"1"});
  CHECK(fault_of([&] { reader->put({{"00aa", "2"}}, in_time()); }).find("401") != std::string::npos);
  CHECK(writer->report(in_time()).write_fault.empty());
  CHECK(reader->report(in_time()).write_fault.find("answers 401 to PUT") != std::string::npos);
  CHECK(reader->get({"00aa"}, in_time()) == Values{"1"});
}

TEST_CASE("a bearer token is read each time, and a fault closes the connection" * doctest::skip(no_nginx)) {
  NginxServer server({.more = R"(if ($http_authorization !~ "^Bearer (first|second)-token$") { return 401; })"});
  const ScratchFolder folder;
  // Not in an address of words: the folder's name holds a blank.
  kiln::RemoteAddress address = kiln::parse_remotes(server.url() + " connect-timeout=1h")[0];
  address.bearer_token_file = folder.write("token", "first-token\n").string();
  const auto store = kiln::open_http(address);
  const auto get = [&] { return store->get({"00aa"}, in_time()); };
  store->put({{"00aa", "1"}}, in_time());
  folder.write("token", "second-token");
  CHECK(get() == Values{"1"});
  for (const char* text : {"", "two words", "first-token\r\nX-Other: 1", "first\x01token"}) {
    folder.write("token", text);
    const std::string fault = fault_of(get);
    CAPTURE(fault);
    CHECK(fault.find(address.bearer_token_file) != std::string::npos);
    CHECK(fault.find("first") == std::string::npos);
  }
  fs::remove(folder / "token");
  CHECK(fault_of(get).find("No such file") != std::string::npos);
  folder.write("token", "first-token");
  CHECK(get() == Values{"1"});
  folder.write("token", "third-token");
  CHECK(fault_of(get).find("401") != std::string::npos);
  folder.write("token", "second-token");
  CHECK(get() == Values{"1"});
  CHECK(connections_of(server.stop()) == 3);
}

TEST_CASE("what a server does not allow is a fault that says what to do" * doctest::skip(no_nginx)) {
  struct Case {
    std::string writing;
    std::string word;
  };
  const std::string allowed = "dav_methods PUT; create_full_put_path on; ";
  for (const Case& one :
       {Case{"", "405"}, Case{"dav_methods PUT;", "create_full_put_path"},
        Case{allowed + "limit_except GET { deny all; }", "may not write"},
        Case{allowed + "client_max_body_size 1k;", "client_max_body_size"},
        Case{allowed + "return 301 http://127.0.0.1:1/;", "redirects"}, Case{allowed + "return 500;", "500"}}) {
    const NginxServer server({.writing = one.writing});
    const auto store = remote(server.url());
    const std::string fault = fault_of([&] {
      store->put({{"00aa", std::string(100'000, 'x')}, {"00ab", "behind it"}}, in_time());
    });
    CAPTURE(fault);
    CHECK(fault.find(one.word) != std::string::npos);
    CHECK(fault.find(server.url()) != std::string::npos);
    CHECK(files_below(server.files()) == 0);
  }
}

TEST_CASE("403 and 410 are no value, any other refusal is a fault" * doctest::skip(no_nginx)) {
  for (const int status : {401, 403, 404, 410, 302, 500, 503, 206, 204}) {
    CAPTURE(status);
    const NginxServer server({.writing = "return " + std::to_string(status) + ";"});
    const auto store = remote(server.url());
    Values values;
    const std::string fault = fault_of([&] { values = store->get({"00aa"}, in_time()); });
    if (status == 403 || status == 404 || status == 410) {
      CHECK(values == Values{std::nullopt});
    } else {
      CHECK(fault.find(std::to_string(status)) != std::string::npos);
    }
  }
}

TEST_CASE("the beginnings of values" * doctest::skip(no_nginx)) {
  for (const char* const more : {"", "max_ranges 0;"}) {  // a server may send all instead
    NginxServer server({.more = more});
    const auto store = remote(server.url());
    store->put({{"00aa", "abcdef"}, {"00bb", "xy"}, {"00cc", ""}}, in_time());
    const auto fronts = store->fronts({"00aa", "00dd", "00bb", "00cc"}, 4, in_time());
    REQUIRE(fronts.size() == 4);
    CHECK(fronts[0].bytes == "abcd");
    CHECK(fronts[0].size > 0);
    CHECK(fronts[1].size == 0);
    CHECK(fronts[2].bytes == "xy");
    CHECK(fronts[3].size == 0);
    CHECK(store->get({"00aa"}, in_time()) == Values{"abcdef"});
    CHECK_FALSE(store->idle_times({"00aa"}, in_time()).front());
    CHECK(connections_of(server.stop()) == 1);
  }
}

TEST_CASE("a report" * doctest::skip(no_nginx)) {
  NginxServer server;
  const RemoteReport writable = remote(server.url())->report(in_time());
  CHECK(writable.server.find("nginx/") == 0);
  CHECK(writable.latency > 0us);
  CHECK(writable.write_fault.empty());
  CHECK(writable.values == std::nullopt);
  REQUIRE(writable.ahead_by.has_value());
  CHECK(std::chrono::abs(*writable.ahead_by) < 30s);  // one clock, read twice
  CHECK(files_below(server.files()) == 0);
  CHECK(remote(server.url() + " read-only")->report(in_time()).write_fault.empty());
  const auto requests = server.stop();
  CHECK(requests.size() == 6 + 3 + 6);
  CHECK(connections_of(requests) == 2);
  const NginxServer closed({.writing = ""});
  CHECK(remote(closed.url())->report(in_time()).write_fault.find("dav_methods") != std::string::npos);
}

TEST_CASE("programs that are started do not inherit the connection" * doctest::skip(no_nginx)) {
  const NginxServer server;
  const auto store = remote(server.url());
  CHECK(store->get({"00aa"}, in_time()) == Values{std::nullopt});
  int found = 0;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.sin_family != AF_INET ||
        ntohs(peer.sin_port) != server.port())
      continue;
    ++found;
    CHECK((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found == 1);
}

}  // namespace http_store_test
