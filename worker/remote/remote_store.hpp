// One remote cache as a table of names and values, whatever the protocol. What values mean is not known here.
#pragma once

#include "cache/remote/remote_address.hpp"
#include "cache/remote/remote_names.hpp"

#include <kiln/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// A remote that cannot be reached, is too slow, rejects a request, or sends an invalid response. The message has the
/// remote as shown() and no secret. The connection is closed then.
class RemoteFault : public Error {
 public:
  using Error::Error;
};

/// A report on a remote for a person.
struct RemoteReport {
  std::string server;                            // "Redis 7.0.15"
  std::chrono::microseconds latency{0};          // the median of some round trips on one connection
  std::string write_fault;                       // why a trial with a name of its own failed; none is made read-only
  std::optional<std::uint64_t> values;           // under the prefix; nothing where that cannot be counted
  std::optional<std::chrono::seconds> ahead_by;  // the server's clock over this machine's
};

/// The beginning of a value.
struct RemoteFront {
  std::uint64_t size = 0;  // of the complete value; of the received part where HTTP does not say; 0: no value
  std::string bytes;
};

/// Connects at the first request. Not to be shared between threads. All but the constructor throw RemoteFault.
class RemoteStore {
 public:
  using Clock = std::chrono::steady_clock;
  /// Larger values are neither accepted nor sent.
  static constexpr std::size_t most_bytes = most_remote_bytes;
  /// The limit for one request of any number of values: beyond it is a fault.
  static constexpr std::size_t most_bytes_at_once = 8 * most_bytes;
  /// The time after which a claim (a lease) expires that is not renewed.
  static constexpr std::chrono::seconds claim_time{30};

  RemoteStore() = default;
  RemoteStore(const RemoteStore&) = delete;
  RemoteStore& operator=(const RemoteStore&) = delete;
  virtual ~RemoteStore() = default;

  /// The values of these names, in their order; nothing where there is none, or where it is too large (Redis: that is a
  /// fault). One round trip for all of them (HTTP: one connection). Ends, with a fault, at the deadline at the latest.
  virtual std::vector<std::optional<std::string>> get(const std::vector<std::string>& names,
                                                      Clock::time_point deadline) = 0;
  /// Sets values, in order, with the address's time to live. Each appears completely or not at all; those too large are
  /// left out.
  virtual void put(const std::vector<std::pair<std::string, std::string>>& values, Clock::time_point deadline) = 0;
  virtual RemoteReport report(Clock::time_point deadline) = 0;
  /// Every name of a value under the prefix, without it; nothing where this store cannot list.
  virtual std::optional<std::vector<std::string>> list(Clock::time_point deadline) = 0;

  /// So many bytes of these values at most, which may be none; one round trip, as get().
  virtual std::vector<RemoteFront> fronts(const std::vector<std::string>& names, std::size_t bytes,
                                          Clock::time_point deadline) = 0;
  /// The time since the last use of each; nothing for missing values, and where this store does not know it.
  virtual std::vector<std::optional<std::chrono::seconds>> idle_times(const std::vector<std::string>& names,
                                                                      Clock::time_point /*deadline*/) {
    return std::vector<std::optional<std::chrono::seconds>>(names.size());
  }

  // A claim is a lease: its owner is about to put a value of that name. `owner` is the token, a text that nobody else
  // has.

  /// Whether there are any claims here: false for HTTP, where the functions below do nothing.
  virtual bool has_claims() const noexcept { return false; }
  /// The present owner of the claim; refused: nobody, as the server accepts no writes of this user, or of anybody now.
  enum class Claimed : std::uint8_t { own, of_other, refused };
  virtual Claimed claim(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {
    return Claimed::own;
  }
  /// Renews the claim for another claim_time; false where it is lost.
  virtual bool renew(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {
    return true;
  }
  /// Releases it, where it is this owner's, and wakes those who wait.
  virtual void release(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {}
  /// Waits, without polling, until the claim is released or has expired, or until the deadline. Whether it has ended.
  virtual bool wait_for_claim(const std::string& /*name*/, Clock::time_point /*deadline*/) { return true; }
};

std::unique_ptr<RemoteStore> open_redis(const RemoteAddress& address);
std::unique_ptr<RemoteStore> open_http(const RemoteAddress& address);

/// Throws RemoteFault where this build cannot speak to such an address; the message says what to install.
inline std::unique_ptr<RemoteStore> open_remote(const RemoteAddress& address) {
  return address.is_redis() ? open_redis(address) : open_http(address);
}

}  // namespace kiln
