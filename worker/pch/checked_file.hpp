// A file that is used while it is checked.
#pragma once

#include "base/digest.hpp"
#include "base/file_system.hpp"
#include "base/owned_descriptor.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace kiln {

/// An open file, which a thread reads to its end meanwhile, to compare its digest. Whoever used the file asks
/// is_good() before the result is used. What replaces the file under its name does not matter.
class CheckedFile {
 public:
  /// Null where there is no file of that size that only this user can write, or no thread.
  static std::unique_ptr<CheckedFile> open(FileSystem& files, const std::string& path, std::uint64_t size,
                                           const Digest& digest);
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  /// A name for the open file, good in this process.
  std::string name() const;
  /// The check may begin: before, it would only be in the way of who reads the file.
  void begin();
  /// Waits for the end of the check.
  bool is_good();

 private:
  explicit CheckedFile(OwnedDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  OwnedDescriptor descriptor_;
  std::atomic<bool> may_begin_{false};
  bool is_good_ = false;  // the thread's, until it is joined
  std::thread thread_;
};

}  // namespace kiln
