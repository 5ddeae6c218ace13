// Messages between a host and its worker, of a peer that may send anything.
#include "base/owned_descriptor.hpp"
#include "cache/byte_io.hpp"
#include "compile/worker/worker_channel.hpp"
#include "compile/worker/worker_end.hpp"
#include "fuzz.hpp"

#include <poll.h>
#include <sys/socket.h>

namespace fuzz_worker_message {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// A peer that has sent these bytes and has gone.
OwnedDescriptor peer_that_sent(std::string_view bytes) {
  int ends[2];
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "a socket");
  const OwnedDescriptor peer(ends[0]);
  const auto sent = ::send(peer.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  require(bytes.empty() || sent == static_cast<ssize_t>(bytes.size()), "it fits into the socket");
  return OwnedDescriptor(ends[1]);
}

void check_end(const std::string& bytes) {
  if (const auto status = decode_end(bytes)) require(encode_end(*status) == bytes, "an end is written as it was read");
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 9;
  const std::string_view input = view_of(data, size).substr(0, std::size_t{1} << 15);
  const OwnedDescriptor socket = peer_that_sent(input);
  const auto wait = [&](short events) {
    pollfd waited = {socket.get(), events, 0};
    require(::poll(&waited, 1, 1000) == 1, "a peer that has gone is not waited for");
  };
  std::size_t read = 0;
  while (const auto message = receive_message(socket.get(), wait)) {
    require(read + head + message->bytes.size() <= input.size(), "no message is longer than what was sent");
    require(ByteReader(input.substr(read)).integer<std::uint64_t>() == message->bytes.size(), "as long as announced");
    require(static_cast<std::uint8_t>(input[read + 8]) == static_cast<std::uint8_t>(message->type), "of its type");
    require(input.substr(read + head, message->bytes.size()) == message->bytes, "its bytes");
    check_end(message->bytes);
    read += head + message->bytes.size();
  }
  check_end(std::string(input));
  return 0;
}

}  // namespace fuzz_worker_message
