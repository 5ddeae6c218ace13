// The connections of this worker to remote caches, kept from one job to the next.
#pragma once

#include "worker/remote/remote_store.hpp"

#include <functional>

namespace kiln {

/// Calls `use` with the one connection to that address, which nobody else uses meanwhile. Throws what `use` throws; the
/// connection is given up then. Thread-safe.
void use_remote(const RemoteAddress& address, const std::function<void(RemoteStore&)>& use);

/// Closes all. To be called before a fork whose child speaks to remotes, too: a connection has one owner.
void close_remotes();

}  // namespace kiln
