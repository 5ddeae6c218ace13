// The headers of packages that this process has read before, for look-ups that meet the same ones again and again.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "base/fork_safe_mutex.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace kiln {

/// Digests by the header's path and the state of its folder, which shows when a file was replaced. Thread-safe, also in
/// a child of fork.
class DigestMemory {
 public:
  /// The one of this process.
  static DigestMemory& get();

  /// Whether a folder has had that state for a tick (file_observer.hpp), as far as this process has looked at it: only
  /// then may what is read of it from `now_ns` on (FileSystem::steady_ns) be added.
  bool is_old(const std::string& folder, const FileStatus& status, std::int64_t now_ns);
  std::optional<Digest> find(const std::string& path, const FileStatus& folder) const;
  void add(const std::string& path, const FileStatus& folder, const Digest& digest);

 private:
  /// More than the toolkit has headers; beyond it nothing is added.
  static constexpr std::size_t most_files = 20'000;
  struct Known {
    FileStatus folder;
    Digest digest;
  };
  struct Met {
    FileStatus status;
    std::int64_t time_ns = 0;
  };
  mutable ForkSafeMutex mutex_;
  std::unordered_map<std::string, Met> met_;  // folders, when they were first met in their state
  std::unordered_map<std::string, Known> known_;
};

}  // namespace kiln
