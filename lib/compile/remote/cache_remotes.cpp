// The members of Cache that ask remote caches.
#include <kiln/cache.hpp>

#include "cache/open_stores.hpp"
#include "compile/remote/remote_report.hpp"
#include "compile/remote/remote_transfer.hpp"

namespace kiln {

RemoteCaches Cache::remotes(const std::string& remote) const {
  CacheOptions options;
  options.remote = remote;
  return report_remotes(options, open_store(directory_.string()).folder(), false);
}

std::vector<CacheTransfer> Cache::push(const TransferOptions& options) const {
  return push_entries(open_store(directory_.string()).folder(), options);
}

std::vector<CacheTransfer> Cache::pull(const TransferOptions& options) const {
  return pull_entries(open_store(directory_.string()).folder(), options);
}

}  // namespace kiln
