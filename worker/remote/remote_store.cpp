#include "worker/remote/remote_store.hpp"

namespace kiln {

std::unique_ptr<RemoteStore> open_remote(const RemoteAddress& address) {
  return address.is_redis() ? open_redis(address) : open_http(address);
}

}  // namespace kiln
