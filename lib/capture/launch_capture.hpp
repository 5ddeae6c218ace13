// The capture of one launch, and its folder.
#pragma once

#include "base/checksum.hpp"
#include "base/file_system.hpp"
#include "base/temporary_folder.hpp"
#include "capture/capture_json.hpp"
#include "capture/captured_arguments.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Calls its argument with a file's bytes, piece by piece, until that returns false.
using CapturePieces = std::function<void(const std::function<bool(std::string_view)>&)>;

/// For one thread. What was not published is removed with this object. Faults are thrown as NotCaptured.
class CaptureFolder {
 public:
  /// Makes `dir` where it is missing.
  CaptureFolder(FileSystem& files, const std::string& dir);

  void write(const std::string& name, std::string_view bytes);
  /// `header`, and the pieces after it. The checksum of these.
  Checksum write(const std::string& name, std::string_view header, const CapturePieces& pieces);
  /// False where another process, or another thread, published a folder of that name before.
  bool publish(const std::string& name);

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& path, int error) const;

  FileSystem& files_;
  const std::string dir_;
  std::optional<TemporaryFolder> folder_;
};

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
