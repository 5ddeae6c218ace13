// The counters of remote caches, each in a file of the cache folder beside those of the folder itself.
#pragma once

#include "base/file_system.hpp"
#include "cache/statistics.hpp"

#include <kiln/cache.hpp>

#include <string>
#include <vector>

namespace kiln {

/// Of one remote, shared by all processes that use the folder. For one thread.
class RemoteCounters {
 public:
  /// `folder`: CacheFolder::remotes_dir(); `remote`: as RemoteAddress::shown() has it.
  RemoteCounters(FileSystem& files, std::string folder, const std::string& remote);
  ~RemoteCounters();
  RemoteCounters(const RemoteCounters&) = delete;
  RemoteCounters& operator=(const RemoteCounters&) = delete;

  // The folder's own names: hits and misses are values that were there or not, stores and store_failures uploads that
  // succeeded or failed, refused values without a valid signature, corrupt calls that failed, waits leases (claims) of
  // others.
  void add(Counter counter, std::uint64_t amount = 1) { counts_.add(counter, amount); }

 private:
  FileSystem& files_;
  const std::string folder_;
  Statistics counts_;
};

/// Of each remote that was used with this folder, by address.
std::vector<RemoteCacheStats> remote_stats(FileSystem& files, const std::string& folder);
/// Sets them to zero; false where one cannot be.
bool reset_remote_stats(FileSystem& files, const std::string& folder);

}  // namespace kiln
