// The members of Cache that ask remote caches.
#include <kiln/cache.hpp>

#include "cache/open_stores.hpp"
#include "compile/remote/remote_report.hpp"

namespace kiln {

RemoteCaches Cache::remotes(const std::string& remote) const {
  CacheOptions options;
  options.remote = remote;
  return report_remotes(options, open_store(directory_.string()).folder(), false);
}

}  // namespace kiln
