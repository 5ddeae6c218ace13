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

/// A remote that cannot be reached, is too slow, refuses, or answers what cannot be. The message has the remote as
/// shown() and no secret. The connection is closed then.
class RemoteFault : public Error {
 public:
  using Error::Error;
};

/// What a person wants to know of a remote.
struct RemoteReport {
  std::string server;                            // "Redis 7.0.15"
  std::chrono::microseconds latency{0};          // the median of some round trips on one connection
  std::string write_fault;                       // why a trial with a name of its own failed; none is made read-only
  std::optional<std::uint64_t> values;           // under the prefix; nothing where that cannot be counted
  std::optional<std::chrono::seconds> ahead_by;  // the server's clock over this machine's
};

/// The beginning of a value.
struct RemoteFront {
  std::uint64_t size = 0;  // of the whole value; of what came where the server does not say (HTTP); 0: there is none
  std::string bytes;
};

/// Connects when first asked. Not to be shared between threads. All but the constructor throw RemoteFault.
class RemoteStore {
 public:
  using Clock = std::chrono::steady_clock;
  /// Larger values are neither taken nor sent.
  static constexpr std::size_t most_bytes = most_remote_bytes;
  /// Nor are more for one question, however many values it asks for: that is a fault.
  static constexpr std::size_t most_bytes_at_once = 8 * most_bytes;
  /// How long a claim holds that is not renewed.
  static constexpr std::chrono::seconds claim_time{30};

  RemoteStore() = default;
  RemoteStore(const RemoteStore&) = delete;
  RemoteStore& operator=(const RemoteStore&) = delete;
  virtual ~RemoteStore() = default;

  /// The values of these names, in their order; nothing where there is none, or where it is too large (Redis: that is a
  /// fault). One round trip for all of them (HTTP: one connection). Ends, with a fault, at the deadline at the latest.
  virtual std::vector<std::optional<std::string>> get(const std::vector<std::string>& names,
                                                      Clock::time_point deadline) = 0;
  /// Sets values, in order, with the address's time to live. Each appears whole or not at all; those too large are
  /// left out.
  virtual void put(const std::vector<std::pair<std::string, std::string>>& values, Clock::time_point deadline) = 0;
  virtual RemoteReport report(Clock::time_point deadline) = 0;
  /// Every name of a value under the prefix, without it; nothing where this store cannot list.
  virtual std::optional<std::vector<std::string>> list(Clock::time_point deadline) = 0;

  /// So many bytes of these values at most, which may be none; one round trip, as get().
  virtual std::vector<RemoteFront> fronts(const std::vector<std::string>& names, std::size_t bytes,
                                          Clock::time_point deadline) = 0;
  /// How long nobody has asked for each; nothing for what is not there, and where this store cannot tell.
  virtual std::vector<std::optional<std::chrono::seconds>> idle_times(const std::vector<std::string>& names,
                                                                      Clock::time_point /*deadline*/) {
    return std::vector<std::optional<std::chrono::seconds>>(names.size());
  }

  // A claim says that somebody is about to put a value of that name. `owner` is a text that nobody else has.

  /// Whether there are any claims here: false for HTTP, where the functions below do nothing.
  virtual bool has_claims() const noexcept { return false; }
  /// Whose the claim is now; refused: nobody's, as the server takes nothing of this user, or of anybody now.
  enum class Claimed : std::uint8_t { own, of_other, refused };
  virtual Claimed claim(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {
    return Claimed::own;
  }
  /// Has the claim hold for another claim_time; false where it is lost.
  virtual bool renew(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {
    return true;
  }
  /// Gives it up, where it is this owner's, and wakes those who wait.
  virtual void release(const std::string& /*name*/, const std::string& /*owner*/, Clock::time_point /*deadline*/) {}
  /// Waits, without asking again and again, until the claim is released or has ended, or until the deadline. Whether it
  /// is gone.
  virtual bool wait_for_claim(const std::string& /*name*/, Clock::time_point /*deadline*/) { return true; }
};

std::unique_ptr<RemoteStore> open_redis(const RemoteAddress& address);
std::unique_ptr<RemoteStore> open_http(const RemoteAddress& address);

/// Throws RemoteFault where this build cannot speak to such an address; the message says what to install.
inline std::unique_ptr<RemoteStore> open_remote(const RemoteAddress& address) {
  return address.is_redis() ? open_redis(address) : open_http(address);
}

}  // namespace kiln
