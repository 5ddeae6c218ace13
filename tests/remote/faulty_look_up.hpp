// Look-ups of a remote cache through a proxy that fails, with compiles that are next to free.
#pragma once

#include "fault_proxy.hpp"
#include "machine.hpp"
#include "replay.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace kiln::test {

/// A kind of server, with the code of one source, and the ways to it.
struct Origin {
  std::uint16_t port;
  std::string scheme;      // "redis://"
  std::string properties;  // behind the address, " @unsigned"

  std::string through(const FaultProxy& proxy) const { return scheme + proxy.host() + properties; }
  std::string direct() const { return scheme + "127.0.0.1:" + std::to_string(port) + properties; }
};

struct Wanted {
  std::string source;
  std::vector<std::filesystem::path> include_dirs;
  CodeObject compiled_by(const Machine& machine) const { return machine.compile(source, include_dirs); }
};

/// Compiles it, and returns when the server has it; the code.
inline std::string fill(const Origin& origin, const Wanted& wanted) {
  const Machine machine(patient(origin.direct()));
  const CodeObject code = wanted.compiled_by(machine);
  REQUIRE_FALSE(code.from_cache());
  while (machine.remote_stats().puts == 0) std::this_thread::yield();
  return std::string(code.bytes());
}

struct Outcome {
  bool is_hit = false;
  int connections = 0;
  RemoteCacheStats remote;
};

/// A first look-up by a new machine, through that fault, which is made sure of: on a busy machine the client may have
/// gone before it.
inline Outcome look_up(const Origin& origin, const Wanted& wanted, const std::string& right_code, ReplyFault fault) {
  for (std::chrono::milliseconds time(100);; time *= 2) {
    RemoteBudget::get().allow(std::chrono::minutes(10));
    const FaultProxy proxy(origin.port, fault);
    const Machine machine(origin.through(proxy) +
                          " connect-timeout=60s request-timeout=" + std::to_string(time.count()) + "ms");
    const CodeObject code = wanted.compiled_by(machine);
    CHECK(code.bytes() == right_code);
    CHECK(machine.stats().compiles == (code.from_cache() ? 0 : 1));
    CHECK(machine.is_clean());
    CHECK(Cache(machine.folder.path()).entries().size() == 1);
    if (proxy.strikes() > 0) return {code.from_cache(), proxy.connections(), machine.remote_stats()};
    REQUIRE(machine.remote_stats().faults > 0);
  }
}

}  // namespace kiln::test
