// The capture of one launch.
#pragma once

#include "capture/capture_folder.hpp"
#include "capture/capture_json.hpp"
#include "capture/staged_memory.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// For one thread, with the stream's context current. Members throw NotCaptured, and DriverError. What was not
/// published leaves nothing behind.
class LaunchCapture {
 public:
  /// Waits for the stream's work, and writes what the launch is about to get. The launch must outlive this object.
  LaunchCapture(const CapturedKernel& kernel, const HookedLaunch& launch, FileSystem& files);

  /// After the launch: waits for it, writes what it changed, and puts the folder there under that name. False where one
  /// of that name was there before. A launch that ended in a fault is captured without results.
  bool finish(const std::string& name);

 private:
  void find_variables();
  void check_size() const;
  void write_memories();
  void write_code();
  void write_results();
  Checksum write_memory(const std::string& name, const CapturedMemory& memory);
  Checksum checksum_of_memory(const CapturedMemory& memory);

  const CapturedKernel& kernel_;
  const HookedLaunch& launch_;
  const CapturedArguments arguments_;
  CaptureParts parts_;
  std::optional<StagedMemory> staged_;
  std::optional<CaptureFolder> folder_;
  std::vector<Checksum> checksums_;  // of the memories before the launch
};

}  // namespace kiln
