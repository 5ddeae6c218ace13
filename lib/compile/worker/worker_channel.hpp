// Messages over a stream socket: eight bytes of length, one of its type, then so many bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Called where the socket is not ready: returns when poll(2) reports one of the events, an end or an error. May
/// throw, which abandons the message.
using ChannelWait = std::function<void(short events)>;

struct Message {
  /// `log`: a byte of LogLevel, then the text. `end`: of worker_end.hpp. `hello`: worker_build(), the first of each
  /// side. `kept`: a folder that stays, sent when it is made. `range`: of worker_ranges.hpp.
  enum class Type : std::uint8_t { job = 1, answer = 2, log = 3, end = 4, hello = 5, kept = 6, range = 7 };
  Type type = Type::job;  // of another build's peer possibly none of these
  std::string bytes;
};

/// False where the other end is gone. Raises no SIGPIPE.
bool send_message(int socket, Message::Type type, std::string_view bytes, const ChannelWait& wait);
/// Nothing where the other end is gone, also in the middle, or where no message can be so long.
std::optional<Message> receive_message(int socket, const ChannelWait& wait);

// What a worker has open, and in which places. Its output goes nowhere, and its errors into a file in memory of the
// host's: it holds no stream of the host.

constexpr int worker_channel = 0;  // a socket: jobs come in, answers go out
constexpr int worker_control = 3;  // a socket: hung up by the host to end the worker; how the compiler ended goes out
constexpr int worker_host = 4;     // a pidfd of the host; the null device where the system has none

}  // namespace kiln
