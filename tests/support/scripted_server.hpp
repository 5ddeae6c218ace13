// A server that a test writes: what it answers, byte for byte, and when.
#pragma once

#include "base/owned_descriptor.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace kiln::test {

/// A new socket of 127.0.0.1, listening where that is asked for, and its port.
inline std::pair<OwnedDescriptor, std::uint16_t> bound_socket(bool listening) {
  OwnedDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(socket.get(), name, size) != 0 || (listening && ::listen(socket.get(), 1024) != 0) ||
      ::getsockname(socket.get(), name, &size) != 0)
    throw std::runtime_error("no socket of 127.0.0.1");
  return {std::move(socket), ntohs(address.sin_port)};
}

/// Its own thread plays the script for one connection after the other, and closes each behind it. What a script does
/// ends when the server does.
class ScriptedServer {
 public:
  class Connection {
   public:
    Connection(int socket, int listening, int stopped) : socket_(socket), listening_(listening), stopped_(stopped) {}

    /// What the client sends, to the end of that text. Less where the client goes first.
    std::string read_until(std::string_view end) {
      std::string text;
      std::array<char, 1> byte;
      while (text.size() < end.size() || text.compare(text.size() - end.size(), end.size(), end) != 0) {
        if (!wait(socket_, POLLIN, -1) || ::recv(socket_, byte.data(), 1, 0) != 1) break;
        text += byte[0];
      }
      return text;
    }
    /// False where the client is gone.
    bool send(std::string_view bytes) {
      while (!bytes.empty()) {
        if (!wait(socket_, POLLOUT, -1)) return false;
        const ssize_t size = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (size < 0 && errno != EAGAIN) return false;
        if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
      }
      return true;
    }
    /// Until the client closes.
    void wait_for_end() { client_goes_within(std::chrono::milliseconds(-1)); }
    /// What it sends until then is dropped.
    bool client_goes_within(std::chrono::milliseconds time) {
      std::array<char, 4096> dropped;
      while (wait(socket_, POLLIN, static_cast<int>(time.count())))
        if (::recv(socket_, dropped.data(), dropped.size(), 0) <= 0) return true;
      return is_stopped_;
    }
    /// Until another connection waits for this one's end.
    void wait_for_another() { wait(listening_, POLLIN, -1); }
    /// The connection ends with a reset instead of an end.
    void reset() {
      const linger now{1, 0};
      ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }

   private:
    bool wait(int descriptor, short event, int milliseconds) {
      std::array<pollfd, 2> either = {{{descriptor, event, 0}, {stopped_, POLLIN, 0}}};
      while (::poll(either.data(), either.size(), milliseconds) < 0 && errno == EINTR) {
      }
      is_stopped_ = either[1].revents != 0;
      return !is_stopped_ && either[0].revents != 0;
    }
    int socket_;
    int listening_;
    int stopped_;
    bool is_stopped_ = false;
  };
  using Script = std::function<void(Connection&)>;

  explicit ScriptedServer(Script script) : ScriptedServer(std::move(script), bound_socket(true)) {}
  ~ScriptedServer() {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(stopped_.get(), &one, sizeof one));
    thread_.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const noexcept { return port_; }
  /// 127.0.0.1:port
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// How many were accepted.
  int connections() const noexcept { return connections_; }

 private:
  ScriptedServer(Script script, std::pair<OwnedDescriptor, std::uint16_t> bound)
      : script_(std::move(script)), socket_(std::move(bound.first)), port_(bound.second) {
    thread_ = std::thread([this] { serve(); });
  }

  void serve() {
    std::array<pollfd, 2> either = {{{socket_.get(), POLLIN, 0}, {stopped_.get(), POLLIN, 0}}};
    while (::poll(either.data(), either.size(), -1) >= 0 || errno == EINTR) {
      if (either[1].revents != 0) return;
      if (either[0].revents == 0) continue;
      const OwnedDescriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (client.get() < 0) continue;
      ++connections_;
      Connection connection(client.get(), socket_.get(), stopped_.get());
      script_(connection);
    }
  }

  Script script_;
  OwnedDescriptor socket_;
  std::uint16_t port_;
  OwnedDescriptor stopped_{::eventfd(0, EFD_CLOEXEC)};
  std::atomic<int> connections_{0};
  std::thread thread_;
};

/// A port of 127.0.0.1 where nobody listens, as long as this lives.
class RefusingPort {
 public:
  std::uint16_t number() const noexcept { return bound_.second; }

 private:
  std::pair<OwnedDescriptor, std::uint16_t> bound_ = bound_socket(false);
};

}  // namespace kiln::test
