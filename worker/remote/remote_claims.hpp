// The leases (claims) that this worker holds at remote caches while code is compiled: renewed in time, by a thread.
#pragma once

#include "worker/remote/remote_store.hpp"

#include <chrono>
#include <string>

namespace kiln {

/// Has a claim renewed until it is dropped, lost or this process ends, for some minutes at most. Its file accesses,
/// such as for certificates, are in no trace of a compiler. Thread-safe.
void keep_claim(const RemoteAddress& address, const std::string& name, const std::string& owner,
                std::chrono::milliseconds interval = RemoteStore::claim_time / 3);
/// Stops renewing it. Thread-safe.
void drop_claim(const std::string& owner);

}  // namespace kiln
