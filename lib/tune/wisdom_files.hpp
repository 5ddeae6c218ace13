// A folder of wisdom: one file of lines a key.
#pragma once

#include "base/file_lock.hpp"
#include "base/file_system.hpp"

#include <kiln/wisdom.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The file's name for a key: the key with all that is no letter, digit, -, _ or . as %XX, and ".jsonl"; of a long key
/// the beginning and a digest.
std::string wisdom_file_name(std::string_view key);

/// Thread-safe, and safe beside other processes: lines are appended, and files replaced, under a lock on the folder's
/// file ".lock", where the file system has locks.
class WisdomFiles {
 public:
  explicit WisdomFiles(std::string folder, FileSystem& files = FileSystem::real())
      : folder_(std::move(folder)), files_(files) {}

  const std::string& folder() const noexcept { return folder_; }
  /// Empty where there is no such file. A file is read again only when it has changed. One that cannot be read is a
  /// warning, once for each version of it.
  std::vector<WisdomRecord> records(std::string_view key);
  /// Of all files, in the order of their names.
  std::vector<WisdomRecord> all_records();
  /// Throws Error with the path.
  void append(const WisdomRecord& record);
  /// Replaces each file by the records that `kept` returns. Returns how many were removed. Throws Error with the path.
  std::size_t prune(const std::function<std::vector<WisdomRecord>(const std::vector<WisdomRecord>&)>& kept);

  std::uint64_t reads() const noexcept { return reads_.load(std::memory_order_relaxed); }  // of whole files

 private:
  struct Known {
    FileState state = {};
    std::vector<WisdomRecord> records;
  };

  std::vector<std::string> names();
  std::vector<WisdomRecord> read(const std::string& name);
  void lock(FileLock& lock);
  [[noreturn]] static void fail(const std::string& path, const char* what, int code);
  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  const std::string folder_;
  FileSystem& files_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;  // by file name
  std::atomic<std::uint64_t> reads_{0};
};

}  // namespace kiln
