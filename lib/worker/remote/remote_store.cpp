#include "worker/remote/remote_store.hpp"

#include "worker/remote/remote_fault.hpp"

namespace kiln {

std::unique_ptr<RemoteStore> open_remote(const RemoteAddress& address) {
  if (address.is_redis()) return open_redis(address);
  throw_remote_fault(address, "this build of Kiln has no HTTP");
}

}  // namespace kiln
