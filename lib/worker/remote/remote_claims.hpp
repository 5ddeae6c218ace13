// The claims that this worker holds at remote caches while code is compiled: renewed in time, by a thread of their own.
#pragma once

#include "cache/remote/remote_address.hpp"

#include <string>

namespace kiln {

/// Has a claim renewed until it is dropped, lost or this process ends, for some minutes at most. Thread-safe.
void keep_claim(const RemoteAddress& address, const std::string& name, const std::string& owner);
/// Renews it no more. Thread-safe.
void drop_claim(const std::string& owner);

}  // namespace kiln
