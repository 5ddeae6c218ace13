#include "cache/remote/remote_address.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace remote_address_test {

using namespace kiln;
using namespace std::chrono_literals;

namespace {

RemoteAddress one(std::string_view text) {
  const std::vector<RemoteAddress> all = parse_remotes(text);
  REQUIRE(all.size() == 1);
  return all.front();
}

std::string refusal_of(std::string_view text) {
  try {
    parse_remotes(text);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("addresses of Redis") {
  const RemoteAddress full = one("redis://me:s%40cret@cache.example:6380/3");
  CHECK(full.scheme == RemoteAddress::Scheme::redis);
  CHECK(full.user == "me");
  CHECK(full.password == "s@cret");
  CHECK(full.host == "cache.example");
  CHECK(full.port == 6380);
  CHECK(full.database == 3);
  CHECK(full.shown() == "redis://cache.example:6380/3");
  const RemoteAddress bare = one("rediss://host");
  CHECK(bare.has_tls());
  CHECK(bare.port == 6379);
  CHECK(bare.database == 0);
  CHECK(one("redis://secret@host").password == "secret");
  CHECK(one("redis://secret@host").user.empty());
  CHECK(one("redis://[::1]:7000").host == "::1");
  CHECK(one("redis://[::1]:7000").shown() == "redis://[::1]:7000");
}

TEST_CASE("a socket of Redis") {
  for (const char* text :
       {"redis+unix:///run/my%20redis/redis.sock?db=2", "redis+unix:/run/my%20redis/redis.sock?db=2"}) {
    const RemoteAddress socket = one(text);
    CHECK(socket.scheme == RemoteAddress::Scheme::redis_unix);
    CHECK(socket.path == "/run/my redis/redis.sock");
    CHECK(socket.database == 2);
    CHECK(socket.shown() == "redis+unix:///run/my redis/redis.sock?db=2");
  }
}

TEST_CASE("a socket whose server wants a password") {
  const RemoteAddress full = one("redis+unix://me:s%40cret@localhost/run/redis.sock?db=2");
  CHECK(full.user == "me");
  CHECK(full.password == "s@cret");
  CHECK(full.path == "/run/redis.sock");
  CHECK(full.database == 2);
  CHECK(full.host.empty());
  CHECK(full.shown() == "redis+unix:///run/redis.sock?db=2");
  const RemoteAddress bare = one("redis+unix://secret@localhost/run/redis.sock");
  CHECK(bare.user.empty());
  CHECK(bare.password == "secret");
  CHECK(one("redis+unix://localhost/run/redis.sock").path == "/run/redis.sock");
  CHECK(one("redis+unix:///run/a@b/redis.sock").path == "/run/a@b/redis.sock");
}

TEST_CASE("the refusal of what stands behind a socket's path says where a login stands") {
  for (const char* behind : {"?password=secret", "?db=0&user=secret", "?", "?db=", "?db=first"}) {
    CAPTURE(behind);
    const std::string refusal = refusal_of("redis+unix:///run/redis.sock" + std::string(behind));
    CHECK(refusal.find("?db=NUMBER") != std::string::npos);
    CHECK(refusal.find("redis+unix://USER:PASSWORD@localhost/PATH") != std::string::npos);
    CHECK(refusal.find("secret") == std::string::npos);
  }
}

TEST_CASE("addresses of HTTP") {
  const RemoteAddress full = one("https://me:secret@cache.example/kiln/store/");
  CHECK(full.scheme == RemoteAddress::Scheme::https);
  CHECK(full.user == "me");
  CHECK(full.port == 443);
  CHECK(full.path == "/kiln/store");
  CHECK(full.shown() == "https://cache.example:443/kiln/store");
  CHECK(one("http://host").path.empty());
  CHECK(one("http://host:8080/").port == 8080);
}

TEST_CASE("several, each with properties and attributes") {
  const std::vector<RemoteAddress> all = parse_remotes(
      " redis://a request-timeout=2s connect-timeout=50ms @key-prefix=team @ttl=7d\n"
      "http://b/x read-only @layout=flat @bearer-token-file=/etc/token @unsigned ");
  REQUIRE(all.size() == 2);
  CHECK(all[0].request_timeout == 2s);
  CHECK(all[0].connect_timeout == 50ms);
  CHECK(all[0].key_prefix == "team");
  CHECK(all[0].ttl == 168h);
  CHECK_FALSE(all[0].read_only);
  CHECK_FALSE(all[0].is_unsigned);
  CHECK(all[1].read_only);
  CHECK(all[1].layout == RemoteAddress::Layout::flat);
  CHECK(all[1].bearer_token_file == "/etc/token");
  CHECK(all[1].is_unsigned);
  CHECK(parse_remotes("  ").empty());
}

TEST_CASE("a refusal says which of several addresses it means") {
  for (const char* text : {"redis://me:secret@a http://b redis://me:secret@c:port", "redis://a http://b ftp://c",
                           "redis://a http://b redis://c colour=red", "redis://a http://b redis://c @ttl=soon",
                           "redis://a http://b redis://c @layout=flat", "redis://a http://b redis://c read-only=no"}) {
    CAPTURE(text);
    const std::string refusal = refusal_of(text);
    CHECK(refusal.find(", address 3") != std::string::npos);
    CHECK(refusal.find("secret") == std::string::npos);
    CHECK(refusal.find("blanks") == std::string::npos);
  }
  CHECK(refusal_of("redis://me:secret@a colour=red").find("behind redis://a:6379") != std::string::npos);
}

TEST_CASE("remotes and properties that are not separated by blanks") {
  for (const char* text :
       {"redis://a,redis://b", "redis://a|read-only", "redis://a:6379|read-only", "redis://a:6379/0,redis://secret@b",
        "http://a/x,http://b/x", "http://a/x|read-only", "redis://a,read-only", "redis://a read-only,@unsigned",
        "redis://a request-timeout=1s|connect-timeout=1s", "redis+unix:///a.sock,redis://b",
        "redis+unix:///a.sock|read-only", "redis://a connect-timeout=1s,redis://secret@b"}) {
    CAPTURE(text);
    const std::string refusal = refusal_of(text);
    CHECK(refusal.find("separated by blanks") != std::string::npos);
    CHECK(refusal.find("secret") == std::string::npos);
  }
  CHECK(one("http://host/a,b").path == "/a,b");
  CHECK(one("redis://me:a,b|c@host").password == "a,b|c");
}

TEST_CASE("properties that are yes or no") {
  CHECK(one("redis://host read-only").read_only);
  CHECK(one("redis://host read-only=true").read_only);
  CHECK_FALSE(one("redis://host read-only=false").read_only);
  CHECK(one("redis://host @unsigned=true").is_unsigned);
  CHECK_FALSE(one("redis://host @unsigned=false").is_unsigned);
  for (const char* value : {"=", "=0", "=1", "=no", "=maybe", "=FALSE"})
    for (const char* name : {"read-only", "@unsigned"}) {
      const std::string property = name + std::string(value);
      CAPTURE(property);
      CHECK(refusal_of("redis://host " + property).find(name + std::string("=true")) != std::string::npos);
    }
}

TEST_CASE("a property without a name") {
  CHECK(refusal_of("redis://host =5").find("connect-timeout=") != std::string::npos);
}

TEST_CASE("attributes that an address has no use for") {
  CHECK(refusal_of("redis://host @layout=flat").find("@layout") != std::string::npos);
  CHECK(refusal_of("redis+unix:///socket @layout=subdirs").find("@layout") != std::string::npos);
  CHECK(refusal_of("redis://host @bearer-token-file=/etc/token").find("@bearer-token-file") != std::string::npos);
  CHECK(refusal_of("http://host @ttl=7d").find("@ttl") != std::string::npos);
  CHECK(refusal_of("redis://host @key-prefix=").find("@key-prefix") != std::string::npos);
  CHECK(refusal_of("redis://host @key-prefix").find("@key-prefix") != std::string::npos);
  CHECK(refusal_of("http://host @key-prefix").find("@key-prefix") != std::string::npos);
  CHECK(one("http://host/folder @key-prefix=").key_prefix.empty());  // the address has a folder
}

TEST_CASE("what is no remote is refused, without its secrets") {
  for (const char* text : {"ftp://me:secret@host",
                           "secret@redis://host",
                           "read-only redis://secret@host",
                           "redis://me:secret@",
                           "redis://me:secret@host:99999",
                           "redis://me:secret@host/first",
                           "redis://me:secret@[::1",
                           "redis+unix://relative",
                           "redis://me:secret@host @other=1",
                           "redis://me:secret@host colour=red",
                           "redis://me:secret@host @ttl=soon",
                           "redis://me:secret@host @ttl=10ms",
                           "http://me:secret@host @layout=tree",
                           "redis://me:secret@host request-timeout=0s",
                           "http://me:secret@host @bearer-token-file=token",
                           "https://host/cache?signature=secret",
                           "https://host/cache#secret",
                           "redis+unix://me:secret@host/run/redis.sock",
                           "redis+unix://secret@localhost",
                           "redis://host?password=secret",
                           "http://host?signature=secret",
                           "me:secret@host:6379",
                           "redis:/secret@host",
                           "redis://host me:secret@other"}) {
    CAPTURE(text);
    const std::string refusal = refusal_of(text);
    CHECK(refusal.find("KILN_CACHE_REMOTE") != std::string::npos);
    CHECK(refusal.find("secret") == std::string::npos);
  }
}

TEST_CASE("durations") {
  CHECK(parse_duration("100ms") == 100ms);
  CHECK(parse_duration("3") == 3s);
  CHECK(parse_duration("5m") == 5min);
  CHECK(parse_duration("1d") == 24h);
  for (const char* text : {"", "s", "-1s", "1.5s", "1 s", "99999999999s"}) CHECK(parse_duration(text) == std::nullopt);
}

}  // namespace remote_address_test
