// The claims that this worker holds at remote caches while code is compiled: renewed in time, by a thread of their own.
#pragma once

#include "worker/remote/remote_store.hpp"

#include <chrono>
#include <string>

namespace kiln {

/// Has a claim renewed until it is dropped, lost or this process ends, for some minutes at most. What that asks the
/// file system, such as for certificates, is in no record of a compiler's questions. Thread-safe.
void keep_claim(const RemoteAddress& address, const std::string& name, const std::string& owner,
                std::chrono::milliseconds interval = RemoteStore::claim_time / 3);
/// Renews it no more. Thread-safe.
void drop_claim(const std::string& owner);

}  // namespace kiln
