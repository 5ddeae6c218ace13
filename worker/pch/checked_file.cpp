#include "worker/pch/checked_file.hpp"

#include "base/files.hpp"
#include "base/signal_masked_thread.hpp"

#include <kiln/error.hpp>

#include <fcntl.h>

#include <utility>

namespace kiln {

std::unique_ptr<CheckedFile> CheckedFile::open(FileSystem& files, const std::string& path, std::uint64_t size,
                                               const Digest& digest) {
  OwnedDescriptor descriptor(files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0));
  FileStatus status;
  if (descriptor.get() < 0 || files.status(descriptor.get(), status) != 0) return nullptr;
  constexpr unsigned written_by_others = 022;
  if (!status.is_regular() || status.size != size) return nullptr;
  if (status.owner != files.user() || (status.mode & written_by_others) != 0) return nullptr;
  std::unique_ptr<CheckedFile> file(new CheckedFile(std::move(descriptor)));
  try {
    file->thread_ = start_signal_masked_thread([&files, own = file.get(), digest] {
      own->may_begin_.wait(false);
      Digest found;
      own->is_good_ = digest_file(files, own->descriptor_.get(), found) == 0 && found == digest;
    });
  } catch (const Error&) {
    return nullptr;
  }
  return file;
}

CheckedFile::~CheckedFile() {
  begin();
  if (thread_.joinable()) thread_.join();
}

std::string CheckedFile::name() const { return "/proc/self/fd/" + std::to_string(descriptor_.get()); }

void CheckedFile::begin() {
  may_begin_ = true;
  may_begin_.notify_all();
}

bool CheckedFile::is_good() {
  begin();
  if (thread_.joinable()) thread_.join();
  return is_good_;
}

}  // namespace kiln
