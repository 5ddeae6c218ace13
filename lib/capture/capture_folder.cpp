#include "capture/capture_folder.hpp"

#include "base/files.hpp"
#include "base/owned_descriptor.hpp"
#include "base/path_text.hpp"
#include "capture/not_captured.hpp"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

namespace kiln {

CaptureFolder::CaptureFolder(FileSystem& files, const std::string& dir) : files_(files), dir_(dir) {
  if (const int error = make_directories(files_, dir_); error != 0) fail("the folder cannot be made", dir_, error);
  folder_.emplace(dir_, "capture");
  if (folder_->error() != 0) fail("no folder can be made in it", dir_, -folder_->error());
}

void CaptureFolder::fail(const std::string& what, const std::string& path, int error) const {
  throw NotCaptured(path + ": " + what + ": " + std::generic_category().message(-error));
}

void CaptureFolder::write(const std::string& name, std::string_view bytes) {
  (void)write(name, bytes, [](const auto&) {});
}

Checksum CaptureFolder::write(const std::string& name, std::string_view header, const CapturePieces& pieces) {
  const std::string path = joined(folder_->path(), name);
  OwnedDescriptor file(files_.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666));
  int error = file.get() < 0 ? file.get() : write_all(files_, file.get(), header);
  RunningChecksum checksum;
  if (error == 0)
    pieces([&](std::string_view piece) {
      checksum.update(piece);
      error = write_all(files_, file.get(), piece);
      return error == 0;
    });
  // Some file systems report a full disk only here.
  if (const int descriptor = file.release(); descriptor >= 0)
    if (const int closed = files_.close(descriptor); error == 0) error = closed;
  if (error != 0) fail("it cannot be written", path, error);
  return checksum.value();
}

bool CaptureFolder::publish(const std::string& name) {
  const std::string path = joined(dir_, name);
  const int error = files_.rename(folder_->path(), path);
  if (error == -ENOTEMPTY || error == -EEXIST) return false;
  if (error != 0) fail("it cannot be put there", path, error);
  return true;
}

}  // namespace kiln
