// Short calls to remotes for their tests.
#pragma once

#include "cache/remote/remote_address.hpp"
#include "worker/remote/remote_store.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace kiln::test {

/// Long enough for any machine: no test should ever wait that long.
inline RemoteStore::Clock::time_point in_time() { return RemoteStore::Clock::now() + std::chrono::seconds(60); }
/// For what is known to give no answer.
inline RemoteStore::Clock::time_point soon() { return RemoteStore::Clock::now() + std::chrono::milliseconds(100); }

/// With a time to connect that a busy machine has, too.
inline std::unique_ptr<RemoteStore> remote(const std::string& address) {
  return open_remote(parse_remotes(address + " connect-timeout=20s").front());
}

/// The message of the fault; empty where there is none.
template <class Call>
std::string fault_of(Call call) {
  try {
    call();
  } catch (const RemoteFault& fault) {
    return fault.what();
  }
  return {};
}

/// Whether that says that a deadline has passed; on a busy machine it may before there is a connection.
inline bool is_late(const std::string& fault) {
  return fault.find("in time") != std::string::npos || fault.find("timed out") != std::string::npos;
}

}  // namespace kiln::test
