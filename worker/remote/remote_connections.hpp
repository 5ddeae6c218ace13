// The connections of this worker to remote caches, kept from one job to the next.
#pragma once

#include "worker/remote/remote_store.hpp"

#include <functional>
#include <mutex>

namespace kiln {

/// Calls `use` with the one connection to that address, which nobody else uses meanwhile. Throws what `use` throws; the
/// connection is given up then. Thread-safe.
void use_remote(const RemoteAddress& address, const std::function<void(RemoteStore&)>& use);

/// Closes all, as a connection has one owner. To be held over a fork whose child speaks to remotes, too, and given up
/// by the child first: meanwhile no other thread has a connection, or the lock.
std::unique_lock<std::mutex> close_remotes();

}  // namespace kiln
