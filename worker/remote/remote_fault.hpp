// What faults of remotes say.
#pragma once

#include "cache/remote/remote_address.hpp"
#include "worker/remote/remote_store.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Throws RemoteFault: the remote as shown, and what is wrong with it.
[[noreturn]] void throw_remote_fault(const RemoteAddress& address, const std::string& fault);

/// Of a server that answers a put as one that keeps the value.
inline constexpr const char* forgets_trial = "it says that it keeps a value, and does not give it back";

/// The message of the RemoteFault that a call throws; empty where it throws none.
template <class Call>
std::string fault_in(const Call& call) {
  try {
    call();
  } catch (const RemoteFault& fault) {
    return fault.what();
  }
  return {};
}

/// A server's own words for a message: the first of them, printable, and without any part of the address's password,
/// which a server may send back.
std::string server_words(const RemoteAddress& address, std::string_view words);

}  // namespace kiln
