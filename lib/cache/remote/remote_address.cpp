#include "cache/remote/remote_address.hpp"

#include "base/argument_error.hpp"
#include "base/text_parts.hpp"
#include "cache/remote/percent_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kiln {

namespace {

using Scheme = RemoteAddress::Scheme;

struct KnownScheme {
  std::string_view name;
  Scheme scheme;
  std::uint16_t port;
};
constexpr std::array<KnownScheme, 5> known_schemes = {{{"redis", Scheme::redis, 6379},
                                                       {"rediss", Scheme::rediss, 6379},
                                                       {"redis+unix", Scheme::redis_unix, 0},
                                                       {"http", Scheme::http, 80},
                                                       {"https", Scheme::https, 443}}};

const KnownScheme& known(Scheme scheme) { return known_schemes[static_cast<std::size_t>(scheme)]; }

/// What is wrong with a word; parse_remotes says where it stands.
struct WordFault {
  std::string expected;
  std::string given;
};

[[noreturn]] void refuse_remote(const std::string& expected, const std::string& given) {
  throw WordFault{expected, given};
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The address after its scheme, taken apart from the front.
class AddressText {
 public:
  AddressText(const KnownScheme& scheme, std::string_view rest) : name_(scheme.name), rest_(rest) {
    address_.scheme = scheme.scheme;
    address_.port = scheme.port;
  }

  RemoteAddress take() && {
    std::string_view authority = rest_.substr(0, rest_.find('/'));
    rest_.remove_prefix(authority.size());
    take_user(authority);
    if (authority.find_first_of(",|") != std::string_view::npos || rest_.find('|') != std::string_view::npos ||
        rest_.find("://") != std::string_view::npos)
      fail("one address alone");
    if (address_.scheme == Scheme::redis_unix) {
      take_socket(authority);
    } else {
      take_host(authority);
      take_path();
    }
    return std::move(address_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse_remote(what, "one that begins with " + std::string(name_) + "://");
  }

  void take_user(std::string_view& authority) {
    const std::size_t at = authority.rfind('@');
    if (at == std::string_view::npos) return;
    const std::string_view login = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const std::size_t colon = login.find(':');
    // Redis before version 6 knows a password only: redis://password@host is one.
    if (colon == std::string_view::npos) {
      (address_.is_redis() ? address_.password : address_.user) = percent_decoded(login);
    } else {
      address_.user = percent_decoded(login.substr(0, colon));
      address_.password = percent_decoded(login.substr(colon + 1));
    }
  }

  void take_host(std::string_view authority) {
    // Names of values stand after an address; and what stores take there is often a secret.
    if (authority.find_first_of("?#") != std::string_view::npos || rest_.find_first_of("?#") != std::string_view::npos)
      fail("an address without '?' and '#'");
    std::string_view port;
    if (!authority.empty() && authority.front() == '[') {
      const std::size_t end = authority.find(']');
      if (end == std::string_view::npos) fail("a ']' behind the address of the host");
      address_.host = authority.substr(1, end - 1);
      port = authority.substr(end + 1);
    } else {
      const std::size_t colon = authority.find(':');
      address_.host = authority.substr(0, colon);
      if (colon != std::string_view::npos) port = authority.substr(colon);
    }
    if (address_.host.empty()) fail("a host, as in redis://host:6379");
    if (port.empty()) return;
    const auto given = port.front() == ':' ? number<std::uint16_t>(port.substr(1)) : std::nullopt;
    if (!given || *given == 0) fail("a port from 1 to 65535 behind the host");
    address_.port = *given;
  }

  void take_path() {
    if (!address_.is_redis()) {
      while (!rest_.empty() && rest_.back() == '/') rest_.remove_suffix(1);
      address_.path = rest_;
      return;
    }
    if (rest_.size() <= 1) return;
    const auto given = number<std::uint32_t>(rest_.substr(1));
    if (!given) fail("the number of a database behind the host, as in redis://host:6379/0");
    address_.database = *given;
  }

  void take_socket(std::string_view host) {
    const std::size_t question = std::min(rest_.find('?'), rest_.size());
    const std::string_view query = rest_.substr(question);
    address_.path = percent_decoded(rest_.substr(0, question));
    if ((!host.empty() && host != "localhost") || address_.path.empty())
      fail(
          "the socket's path from the root on, as in redis+unix:///run/redis/redis.sock, with a login "
          "redis+unix://USER:PASSWORD@localhost/PATH");
    if (query.empty()) return;
    const auto given = query.substr(0, 4) == "?db=" ? number<std::uint32_t>(query.substr(4)) : std::nullopt;
    if (!given)
      fail(
          "nothing but ?db=NUMBER behind the socket's path (a login stands before it: "
          "redis+unix://USER:PASSWORD@localhost/PATH)");
    address_.database = *given;
  }

  std::string_view name_;
  std::string_view rest_;
  RemoteAddress address_;
};

/// What may be shown of a word that is no address: one that lacks its scheme may have a login.
std::string without_login(std::string_view word) {
  const std::size_t at = word.rfind('@');
  if (at == std::string_view::npos || at == 0) return std::string(word);
  return "one that ends with " + std::string(word.substr(at));
}

RemoteAddress parse_address(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  for (const KnownScheme& scheme : known_schemes) {
    if (scheme.name != name) continue;
    std::string_view rest = word.substr(colon + 1);
    if (rest.substr(0, 2) == "//") rest.remove_prefix(2);
    return AddressText(scheme, rest).take();
  }
  refuse_remote("redis://, rediss://, redis+unix://, http:// or https://", without_login(name) + "://");
}

std::chrono::milliseconds duration_of(const std::string& name, std::string_view value) {
  const auto duration = parse_duration(value);
  if (!duration || duration->count() <= 0)
    refuse_remote(name + "= with a time such as 100ms or 1s", std::string(value));
  return *duration;
}

/// Of a property that is on where it has no value.
bool switch_of(const std::string& name, const std::optional<std::string>& value) {
  if (!value || *value == "true") return true;
  if (*value != "false") refuse_remote(name + ", " + name + "=true or " + name + "=false", *value);
  return false;
}

void require_use(bool has_use, const std::string& name, const char* whose) {
  if (!has_use) refuse_remote(name + "= behind addresses of " + whose + " alone", name);
}

void set_attribute(RemoteAddress& address, const std::string& name, const std::string& value) {
  if (name == "@key-prefix") {
    if (value.empty()) refuse_remote("@key-prefix= with what stands before all names", name);
    address.key_prefix = value;
  } else if (name == "@ttl") {
    require_use(address.is_redis(), name, "Redis");
    address.ttl = std::chrono::duration_cast<std::chrono::seconds>(duration_of(name, value));
    if (address.ttl.count() == 0) refuse_remote("@ttl= with a time of a second or more", value);
  } else if (name == "@layout") {
    require_use(!address.is_redis(), name, "HTTP");
    if (value != "flat" && value != "subdirs") refuse_remote("@layout=flat or @layout=subdirs", value);
    address.layout = value == "flat" ? RemoteAddress::Layout::flat : RemoteAddress::Layout::subdirs;
  } else if (name == "@bearer-token-file") {
    require_use(!address.is_redis(), name, "HTTP");
    if (value.empty() || value.front() != '/') refuse_remote("@bearer-token-file= with a path from the root on", value);
    address.bearer_token_file = value;
  } else {
    refuse_remote("@key-prefix=, @ttl=, @layout=, @bearer-token-file= or @unsigned", name);
  }
}

void set_property(RemoteAddress& address, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string name(word.substr(0, equals));
  std::optional<std::string> value;
  if (equals != std::string_view::npos) value = word.substr(equals + 1);
  if (name == "@unsigned") {
    address.is_unsigned = switch_of(name, value);
  } else if (name == "@key-prefix" && value == "" && !address.is_redis()) {
    address.key_prefix.clear();  // the address has a folder
  } else if (!name.empty() && name.front() == '@') {
    set_attribute(address, name, value.value_or(""));
  } else if (name == "connect-timeout") {
    address.connect_timeout = duration_of(name, value.value_or(""));
  } else if (name == "request-timeout") {
    address.request_timeout = duration_of(name, value.value_or(""));
  } else if (name == "read-only") {
    address.read_only = switch_of(name, value);
  } else {
    refuse_remote("connect-timeout=, request-timeout=, read-only, or an attribute with @", without_login(name));
  }
}

bool is_address(std::string_view word) {
  const std::string socket = std::string(known(Scheme::redis_unix).name) + ":";
  return word.substr(0, socket.size()) == socket || word.find("://") != std::string_view::npos;
}

void take_word(std::vector<RemoteAddress>& remotes, std::string_view word) {
  if (is_address(word)) {
    remotes.push_back(parse_address(word));
  } else if (remotes.empty()) {
    refuse_remote("an address such as redis://host:6379 before its properties", without_login(word));
  } else {
    set_property(remotes.back(), word);
  }
}

/// `remotes` are those before the word.
[[noreturn]] void refuse_word(const std::vector<RemoteAddress>& remotes, std::string_view word,
                              const WordFault& fault) {
  std::string subject = "a remote cache (KILN_CACHE_REMOTE or CacheOptions::remote)";
  if (is_address(word)) {
    subject += ", address " + std::to_string(remotes.size() + 1);
  } else if (!remotes.empty()) {
    subject += ", address " + std::to_string(remotes.size()) + ", behind " + remotes.back().shown();
  }
  const bool has_other_separator = word.find_first_of(",|") != std::string_view::npos;
  refuse(
      subject, fault.expected, fault.given,
      has_other_separator ? " (addresses and what stands behind them are separated by blanks, not by ',' or '|')" : "");
}

}  // namespace

std::string RemoteAddress::shown() const {
  std::string text = std::string(known(scheme).name) + "://";
  if (scheme == Scheme::redis_unix) {
    text += path;
  } else {
    text += host.find(':') != std::string::npos ? "[" + host + "]" : host;
    text += ":" + std::to_string(port);
    if (!is_redis()) text += path;
  }
  if (is_redis() && database != 0) text += (scheme == Scheme::redis_unix ? "?db=" : "/") + std::to_string(database);
  return text;
}

std::vector<RemoteAddress> parse_remotes(std::string_view text) {
  std::vector<RemoteAddress> remotes;
  for (std::string_view rest = trimmed(text); !rest.empty(); rest = trimmed(rest)) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest.remove_prefix(word.size());
    try {
      take_word(remotes, word);
    } catch (const WordFault& fault) {
      refuse_word(remotes, word, fault);
    }
  }
  return remotes;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = number<std::uint32_t>(text.substr(0, digits));
  if (!count) return std::nullopt;
  const std::string_view unit = text.substr(digits);
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units = {
      {{"ms", 1}, {"", 1'000}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  for (const auto& [name, milliseconds] : units)
    if (unit == name) return std::chrono::milliseconds(*count * milliseconds);
  return std::nullopt;
}

}  // namespace kiln
