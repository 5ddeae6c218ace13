// A proxy between a client and a real server, which does to the server's replies what a test wants.
#pragma once

#include "scripted_server.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

namespace kiln::test {

/// What becomes of the replies of a connection.
struct ReplyFault {
  enum class Kind {
    none,
    cut,      // the reply ends there, and the connection with it
    reset,    // the same by a reset
    flip,     // one bit of that byte
    garbage,  // from there on all bytes are others
    silence,  // from there on nothing comes, and the connection stays
    hang_up,  // the connection ends as soon as it is there
    held_up,  // it goes on as it is, behind what when_reached does
  };
  Kind kind = Kind::none;
  std::size_t at = 0;  // the byte of all replies of the connection
  unsigned bit = 0;
  std::chrono::microseconds delay{0};       // of each reply
  std::function<void()> when_reached = {};  // called by the proxy's thread, before the byte goes on

  bool strikes_within(std::size_t begin, std::size_t end) const {
    return kind != Kind::none && kind != Kind::hang_up && at >= begin && at < end;
  }
};

/// Has a port of 127.0.0.1 of its own, and a thread, which waits for events alone, and for the delay that it is to
/// make. What goes to the server is never changed. Thread-safe.
class FaultProxy {
 public:
  using Kind = ReplyFault::Kind;

  explicit FaultProxy(std::uint16_t server, ReplyFault plan = {})
      : FaultProxy(server, std::move(plan), bound_socket(true)) {}
  ~FaultProxy() {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(stopped_.get(), &one, sizeof one));
    thread_.join();
  }
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  /// 127.0.0.1:port
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  /// For connections to come.
  void set(ReplyFault plan) {
    const std::lock_guard<std::mutex> lock(mutex_);
    plan_ = std::move(plan);
  }
  int connections() const noexcept { return connections_; }
  int most_at_once() const noexcept { return most_at_once_; }
  /// How often somebody asked and had to wait for the answer.
  int round_trips() const noexcept { return round_trips_; }
  /// How often a reply came to the byte of the plan.
  int strikes() const noexcept { return strikes_; }
  /// What the server replied, all connections one behind the other where there was one at a time.
  std::string replies() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return replies_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Piece {
    Clock::time_point due;
    std::string bytes;
  };
  struct Link {
    OwnedDescriptor client;
    OwnedDescriptor server;
    ReplyFault plan;
    std::string to_server = {};
    std::deque<Piece> to_client = {};
    std::size_t replied = 0;  // bytes
    bool is_asking = false;
    bool is_over = false;  // what is on its way still goes to the client
    bool is_silent = false;
  };

  FaultProxy(std::uint16_t server, ReplyFault plan, std::pair<OwnedDescriptor, std::uint16_t> bound)
      : server_(server), plan_(std::move(plan)), listening_(std::move(bound.first)), port_(bound.second) {
    thread_ = std::thread([this] { serve(); });
  }

  void serve() {
    std::list<Link> links;
    for (;;) {
      std::vector<pollfd> watched = {{stopped_.get(), POLLIN, 0}, {listening_.get(), POLLIN, 0}};
      for (const Link& link : links) {
        watched.push_back({link.client.get(), events_of_client(link), 0});
        watched.push_back({link.is_over ? -1 : link.server.get(), events_of_server(link), 0});
      }
      wait(watched, links);
      if (watched[0].revents != 0) return;
      std::size_t i = 2;
      for (auto link = links.begin(); link != links.end(); i += 2)
        link = goes_on(*link, watched[i].revents, watched[i + 1].revents) ? std::next(link) : links.erase(link);
      if (watched[1].revents != 0) accept(links);
    }
  }

  static bool has_due(const Link& link) {
    return !link.to_client.empty() && link.to_client.front().due <= Clock::now();
  }
  static short events_of_client(const Link& link) { return static_cast<short>(POLLIN | (has_due(link) ? POLLOUT : 0)); }
  static short events_of_server(const Link& link) {
    return static_cast<short>(POLLIN | (link.to_server.empty() ? 0 : POLLOUT));
  }

  static void wait(std::vector<pollfd>& watched, const std::list<Link>& links) {
    std::optional<Clock::time_point> due;
    for (const Link& link : links)
      if (!link.to_client.empty()) due = std::min(due.value_or(Clock::time_point::max()), link.to_client.front().due);
    timespec left{};
    if (due) {
      const auto time = std::max(std::chrono::nanoseconds(*due - Clock::now()), std::chrono::nanoseconds(0));
      left = {time.count() / 1'000'000'000, time.count() % 1'000'000'000};
    }
    while (::ppoll(watched.data(), watched.size(), due ? &left : nullptr, nullptr) < 0 && errno == EINTR) {
    }
  }

  void accept(std::list<Link>& links) {
    OwnedDescriptor client(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() < 0) return;
    ++connections_;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (plan_.kind == Kind::hang_up) return;
    OwnedDescriptor server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    name.sin_port = htons(server_);
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) return;
    links.push_back({std::move(client), std::move(server), plan_});
    most_at_once_ = std::max(most_at_once_.load(), static_cast<int>(links.size()));
  }

  /// Both directions, as far as they go now. False where the connection is over.
  bool goes_on(Link& link, short client, short server) {
    std::array<char, std::size_t{64} << 10U> bytes;
    if ((client & ~POLLOUT) != 0) {
      const ssize_t count = ::recv(link.client.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (count == 0 || (count < 0 && errno != EAGAIN)) return false;
      if (count > 0 && !link.is_over) ask(link, {bytes.data(), static_cast<std::size_t>(count)});
    }
    if ((server & ~POLLOUT) != 0 && !link.is_over) {
      const ssize_t count = ::recv(link.server.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (count > 0) reply(link, {bytes.data(), static_cast<std::size_t>(count)});
      if (count == 0 || (count < 0 && errno != EAGAIN)) link.is_over = true;
    }
    if ((server & POLLOUT) != 0 && !send(link.server.get(), link.to_server)) link.is_over = true;
    while (has_due(link)) {
      if (!send(link.client.get(), link.to_client.front().bytes)) return false;
      if (!link.to_client.front().bytes.empty()) return true;
      link.to_client.pop_front();
    }
    const bool is_done = link.is_over && link.to_client.empty();
    if (is_done && link.plan.kind == Kind::reset) {
      const linger now{1, 0};
      ::setsockopt(link.client.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    return !is_done;
  }

  void ask(Link& link, std::string_view bytes) {
    if (!std::exchange(link.is_asking, true)) ++round_trips_;
    link.to_server += bytes;
  }

  void reply(Link& link, std::string_view bytes) {
    link.is_asking = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      replies_ += bytes;
    }
    const std::size_t begin = std::exchange(link.replied, link.replied + bytes.size());
    if (link.is_silent) return;
    std::string changed(bytes);
    if (link.plan.strikes_within(begin, link.replied)) strike(link, changed, link.plan.at - begin);
    if (!changed.empty()) link.to_client.push_back({Clock::now() + link.plan.delay, std::move(changed)});
  }

  void strike(Link& link, std::string& bytes, std::size_t at) {
    ++strikes_;
    if (link.plan.when_reached) link.plan.when_reached();
    switch (link.plan.kind) {
      case Kind::held_up:
        return;
      case Kind::flip:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << (link.plan.bit % 8U)));
        return;
      case Kind::garbage:
        for (std::size_t i = at; i < bytes.size(); ++i) bytes[i] = static_cast<char>(bytes[i] * 7 + 13);
        link.plan.at = link.replied;  // and what comes next
        return;
      case Kind::silence:
        link.is_silent = true;
        break;
      default:
        link.is_over = true;
    }
    bytes.resize(at);
  }

  /// What went is taken from the front. False where the connection broke.
  static bool send(int socket, std::string& bytes) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN;
    bytes.erase(0, static_cast<std::size_t>(count));
    return true;
  }

  const std::uint16_t server_;
  mutable std::mutex mutex_;
  ReplyFault plan_;
  std::string replies_;
  OwnedDescriptor listening_;
  std::uint16_t port_;
  OwnedDescriptor stopped_{::eventfd(0, EFD_CLOEXEC)};
  std::atomic<int> connections_{0};
  std::atomic<int> most_at_once_{0};
  std::atomic<int> round_trips_{0};
  std::atomic<int> strikes_{0};
  std::thread thread_;
};

}  // namespace kiln::test
