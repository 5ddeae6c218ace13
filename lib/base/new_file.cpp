#include "base/new_file.hpp"

#include "base/files.hpp"

#include <cerrno>
#include <cstdint>
#include <utility>

#include <fcntl.h>

namespace kiln {

namespace {

// A network file system that lost its server's reply repeats the request, and finds no such file.
int rename_file(FileSystem& files, const std::string& from, const std::string& to, std::uint64_t size) {
  const int code = files.rename(from, to);
  if (code != -ENOENT) return code;
  FileStatus status;
  const bool done = files.status(from, status) == -ENOENT && files.status(to, status) == 0 && status.size == size;
  return done ? 0 : code;
}

}  // namespace

NewFile::NewFile(FileSystem& files, const std::string& temporary_dir, unsigned mode) : files_(files) {
  int result = -EEXIST;
  for (int attempt = 0; attempt < 16 && result == -EEXIST; ++attempt) {
    path_ = temporary_name(files_, temporary_dir);
    result = files_.open(path_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  }
  if (result < 0) {
    error_ = result;
    path_.clear();
  } else {
    descriptor_ = result;
  }
}

NewFile::~NewFile() {
  close();
  if (!path_.empty()) files_.remove(path_);
}

int NewFile::write(std::string_view bytes) {
  if (error_ == 0) error_ = write_all(files_, descriptor_, bytes);
  size_ += bytes.size();
  return error_;
}

int NewFile::sync() {
  if (error_ == 0) error_ = files_.sync(descriptor_);
  return error_;
}

int NewFile::close() { return descriptor_ < 0 ? 0 : files_.close(std::exchange(descriptor_, -1)); }

int NewFile::publish(const std::string& path) {
  const int closed = close();  // some file systems report a full disk only here
  if (error_ == 0) error_ = closed;
  if (error_ == 0) error_ = rename_file(files_, path_, path, size_);
  if (error_ == 0) path_.clear();
  return error_;
}

}  // namespace kiln
