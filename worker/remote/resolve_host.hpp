// Names of hosts, within a time.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

struct SocketAddress {
  sockaddr_storage bytes = {};
  socklen_t size = 0;
};

/// The addresses of a host for TCP, in the order in which they are to be tried; never none. Throws Error with the
/// reason alone, at the deadline at the latest: a thread of its own may then go on asking until the resolver gives up.
std::vector<SocketAddress> resolve_host(const std::string& host, std::uint16_t port,
                                        std::chrono::steady_clock::time_point deadline);

}  // namespace kiln
