// A folder for the time of one piece of work.
#pragma once

#include "base/owned_descriptor.hpp"

#include <cstdint>
#include <string>

namespace kiln {

/// A new folder kiln-tmp-<purpose>-<random> of mode 0700 below `parent`, locked as long as it is in use, and removed
/// with all in it when destroyed, but not by a child of fork. What killed processes of this user left there is removed
/// by the first of a process: folders of such names and of mode 0700 that are not locked, in which nothing has been
/// made for an hour.
class TemporaryFolder {
 public:
  TemporaryFolder(const std::string& parent, const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// 0, or the errno why there is none.
  int error() const noexcept { return error_; }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  OwnedDescriptor lock_;
  std::uint64_t generation_;
  int error_ = 0;
};

/// Where temporary files belong: TMPDIR, else /tmp.
std::string temporary_files();

/// Removes what killed processes of this user left below `parent`.
void sweep_temporary_folders(const std::string& parent);

}  // namespace kiln
