#include "worker/remote/byte_stream.hpp"
#include "worker/remote/remote_fault.hpp"
#include "worker/remote/resolve_host.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <system_error>
#include <vector>

namespace kiln {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using StreamClock = ByteStream::Clock;

SocketAddress local_socket(const std::string& path) {
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path))
    throw Error("the path of a socket has " + std::to_string(sizeof(name.sun_path) - 1) + " bytes at most");
  std::memcpy(name.sun_path, path.data(), path.size());
  SocketAddress address;
  address.size = sizeof(name);
  std::memcpy(&address.bytes, &name, sizeof(name));
  return address;
}

/// By a call that waits, with a limit: one that does not is refused by a local socket whose queue is full.
int try_to_connect(const SocketAddress& address, StreamClock::time_point until, OwnedDescriptor& connected) {
  for (;;) {
    const auto left = std::chrono::duration_cast<microseconds>(until - StreamClock::now());
    if (left.count() <= 0) return ETIMEDOUT;
    OwnedDescriptor socket(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (socket.get() < 0) return errno;
    const timeval limit = {static_cast<time_t>(left.count() / 1'000'000),
                           static_cast<suseconds_t>(left.count() % 1'000'000)};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address.bytes), address.size) == 0) {
      connected = std::move(socket);
      return 0;
    }
    if (errno == EINTR) continue;  // that socket may yet connect: another one
    return errno == EINPROGRESS || errno == EAGAIN ? ETIMEDOUT : errno;
  }
}

[[noreturn]] void throw_cannot_connect(int error) {
  throw Error("cannot connect (" + std::system_category().message(error) +
              "): check the address, and that a server runs there");
}

OwnedDescriptor connected_socket(const RemoteAddress& address, StreamClock::time_point deadline) {
  const bool is_local = address.scheme == RemoteAddress::Scheme::redis_unix;
  const std::vector<SocketAddress> candidates =
      is_local ? std::vector{local_socket(address.path)} : resolve_host(address.host, address.port, deadline);
  OwnedDescriptor socket;
  int error = 0;
  for (std::size_t i = 0; i < candidates.size() && socket.get() < 0; ++i) {
    const auto now = StreamClock::now();
    const auto share = (deadline - now) / static_cast<std::int64_t>(candidates.size() - i);
    error = try_to_connect(candidates[i], now + share, socket);
  }
  if (socket.get() < 0) throw_cannot_connect(error);
  const int on = 1;
  if (!is_local) ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  return socket;
}

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

SocketStream::SocketStream(const RemoteAddress& address, Clock::time_point deadline) : address_(address) {
  try {
    socket_ = connected_socket(address, std::min(deadline, Clock::now() + address.connect_timeout));
  } catch (const Error& error) {
    throw_remote_fault(address, error.what());
  }
}

std::size_t SocketStream::read(char* bytes, std::size_t size) {
  const ssize_t count = ::recv(socket_.get(), bytes, size, 0);
  if (count > 0) return static_cast<std::size_t>(count);
  if (count == 0) throw_remote_fault(address_, "the server closed the connection");
  if (would_wait(errno)) return 0;
  throw_remote_fault(address_, "the connection broke (" + std::system_category().message(errno) + ")");
}

std::size_t SocketStream::write(std::string_view bytes) {
  const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (would_wait(errno)) return 0;
  throw_remote_fault(address_, "the connection broke (" + std::system_category().message(errno) + ")");
}

bool SocketStream::wait(bool to_write, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::duration_cast<nanoseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    const auto whole = std::chrono::duration_cast<seconds>(left);
    const timespec limit = {static_cast<time_t>(whole.count()), static_cast<long>((left - whole).count())};
    pollfd polled = {socket_.get(), static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0};
    const int count = ::ppoll(&polled, 1, &limit, nullptr);
    if (count > 0) return true;
    if (count < 0 && errno != EINTR)
      throw_remote_fault(address_, "cannot wait (" + std::system_category().message(errno) + ")");
  }
}

}  // namespace kiln
