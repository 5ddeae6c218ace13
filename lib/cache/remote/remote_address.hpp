// Where remote caches are, as KILN_CACHE_REMOTE and CacheOptions::remote say it, in ccache's spelling.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// One remote cache. A plain value; holds secrets, so it is shown by shown() alone.
struct RemoteAddress {
  enum class Scheme : std::uint8_t { redis, rediss, redis_unix, http, https };
  enum class Layout : std::uint8_t { flat, subdirs };

  Scheme scheme = Scheme::redis;
  std::string user = {};
  std::string password = {};
  std::string host = {};  // an IPv6 address without its brackets; empty for a socket
  std::uint16_t port = 0;
  std::uint32_t database = 0;  // Redis
  std::string path = {};       // of the socket; of a URL, beginning with a slash and not ending with one

  std::chrono::milliseconds connect_timeout{100};
  std::chrono::milliseconds request_timeout{1000};
  bool read_only = false;
  std::string key_prefix = "kiln";
  std::chrono::seconds ttl{0};      // 0: values stay until the server drops them
  Layout layout = Layout::subdirs;  // HTTP
  std::string bearer_token_file = {};
  bool is_unsigned = false;  // values are taken without a signature

  bool is_redis() const noexcept { return scheme != Scheme::http && scheme != Scheme::https; }
  bool has_tls() const noexcept { return scheme == Scheme::rediss || scheme == Scheme::https; }
  /// For messages, counters and files' names: scheme, host and port, database or path; no user and no secret.
  std::string shown() const;
  friend bool operator==(const RemoteAddress&, const RemoteAddress&) = default;
};

/// The remotes of such a text, in order: addresses, each followed by its properties (name=value, read-only) and
/// attributes (@name=value), all separated by blanks. Throws ArgumentError for what it cannot be; the message names
/// the part at fault and the address's place in the text, but shows of an address that is none no more than its scheme.
std::vector<RemoteAddress> parse_remotes(std::string_view text);

/// "100ms", "1s", "5m", "2h", "7d"; seconds where there is no unit. Nothing for any other text.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace kiln
