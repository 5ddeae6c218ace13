// The file trace of nvcc and the programs that it starts.
#pragma once

#include "base/owned_descriptor.hpp"
#include "worker/recording/file_record.hpp"

#include <string>
#include <vector>

namespace kiln {

/// For one run of nvcc. Its programs preload a library, which this one has in memory, and which writes their file
/// accesses into memory that they share with this process.
class NvccRecording {
 public:
  /// `folder`: nvcc's working folder, which has the library where memory cannot be run.
  explicit NvccRecording(const std::string& folder);
  ~NvccRecording();
  NvccRecording(const NvccRecording&) = delete;
  NvccRecording& operator=(const NvccRecording&) = delete;

  /// The environment for nvcc: a preloaded library of the user's own stays, before this one.
  std::vector<std::string> environment(std::vector<std::string> variables) const;

  /// What nvcc's run wrote to standard error, without what the loader says of a library that it left out.
  std::string without_loader_messages(const std::string& errors) const;

  /// Whether a program did not start because of the library, by what the run wrote to standard error, where it failed.
  /// Run nvcc again then, with the unchanged environment and without a record.
  bool kept_program_from_running(const std::string& errors) const;

  /// After nvcc's end. Incomplete (FileRecord::gap) where the host compiler's accesses are missing: it did not open
  /// `source`, an absolute path.
  FileRecord take(const std::string& source) const;

 private:
  void make_area();
  std::string library_path(const std::string& folder);

  OwnedDescriptor area_file_;
  void* area_ = nullptr;
  std::size_t area_size_ = 0;
  std::string library_;  // what LD_PRELOAD names it; empty where there is none
  std::string gap_;
};

}  // namespace kiln
