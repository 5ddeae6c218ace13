// Messages over a stream socket: eight bytes of length, then the bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Called where the socket is not ready: returns when poll(2) tells of one of the events, of an end or of an error. May
/// throw, and the message is then given up in its middle.
using ChannelWait = std::function<void(short events)>;

/// False where the other end is gone. Raises no SIGPIPE.
bool send_message(int socket, std::string_view bytes, const ChannelWait& wait);
/// Nothing where the other end is gone, also in the middle, or where no message can be so long.
std::optional<std::string> receive_message(int socket, const ChannelWait& wait);

}  // namespace kiln
