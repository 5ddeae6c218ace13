#include "compile/worker/worker_channel.hpp"

#include "cache/byte_io.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace kiln {

namespace {

constexpr std::uint64_t longest_message = std::uint64_t{1} << 32;

/// Whether the call is to be made again.
bool again(short events, const ChannelWait& wait) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  wait(events);
  return true;
}

bool send_all(int socket, std::string_view bytes, const ChannelWait& wait) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (!again(POLLOUT, wait)) {
      return false;
    }
  }
  return true;
}

/// Memory grows with what arrives, not with what was announced.
bool receive_all(int socket, std::string& bytes, std::uint64_t size, const ChannelWait& wait) {
  constexpr std::uint64_t least = std::uint64_t{1} << 16;
  std::size_t have = 0;
  while (have < size) {
    if (have == bytes.size())
      bytes.resize(static_cast<std::size_t>(std::min(size, have + std::max<std::uint64_t>(least, have))));
    const auto received = ::recv(socket, bytes.data() + have, bytes.size() - have, MSG_DONTWAIT);
    if (received == 0) return false;
    if (received > 0) {
      have += static_cast<std::size_t>(received);
    } else if (!again(POLLIN, wait)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool send_message(int socket, Message::Type type, std::string_view bytes, const ChannelWait& wait) {
  std::string head;
  append_integer(head, static_cast<std::uint64_t>(bytes.size()));
  append_integer(head, static_cast<std::uint8_t>(type));
  return send_all(socket, head, wait) && send_all(socket, bytes, wait);
}

std::optional<Message> receive_message(int socket, const ChannelWait& wait) {
  std::string head;
  if (!receive_all(socket, head, sizeof(std::uint64_t) + sizeof(std::uint8_t), wait)) return std::nullopt;
  ByteReader reader(head);
  const auto size = reader.integer<std::uint64_t>();
  Message message;
  message.type = static_cast<Message::Type>(reader.integer<std::uint8_t>());
  if (size > longest_message || !receive_all(socket, message.bytes, size, wait)) return std::nullopt;
  return message;
}

}  // namespace kiln
