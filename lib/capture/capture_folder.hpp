// The folder of one capture: written aside, and there at once.
#pragma once

#include "base/checksum.hpp"
#include "base/file_system.hpp"
#include "base/temporary_folder.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

/// Calls its argument with a file's bytes, piece by piece, until that returns false.
using CapturePieces = std::function<void(const std::function<bool(std::string_view)>&)>;

/// For one thread. What was not published is removed with this object. Faults are thrown as NotCaptured.
class CaptureFolder {
 public:
  /// Makes `dir` where it is missing.
  CaptureFolder(FileSystem& files, const std::string& dir);

  void write(const std::string& name, std::string_view bytes);
  /// `header`, and the pieces behind it. The checksum of these.
  Checksum write(const std::string& name, std::string_view header, const CapturePieces& pieces);
  /// False where another process, or another thread, published a folder of that name before.
  bool publish(const std::string& name);

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& path, int error) const;

  FileSystem& files_;
  const std::string dir_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace kiln
