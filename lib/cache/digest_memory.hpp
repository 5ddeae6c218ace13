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

  /// Whether this process has seen the folder in that state for at least a tick (file_observer.hpp). Only then may
  /// digests be added that are read from it from `now_ns` (FileSystem::steady_ns) on.
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
  std::unordered_map<std::string, Met> met_;  // folders, and when their states were first seen
  std::unordered_map<std::string, Known> known_;
};

}  // namespace kiln
