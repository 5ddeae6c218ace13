#include "emulator/memory/shared_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace kiln::emulator {
namespace {

void* mapped_at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// A file beyond the process's limit is a signal, not an error.
bool is_allowed(std::uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

off_t file_offset(std::uint64_t offset) { return static_cast<off_t>(offset); }

}  // namespace

bool SharedPages::grow(std::uint64_t size) {
  if (size <= size_) return true;
  if (!is_allowed(size)) return false;
  if (file_.get() < 0) file_ = OwnedDescriptor(memfd_create("kiln emulator", MFD_CLOEXEC));
  if (!file_.is_own() || ftruncate(file_.get(), file_offset(size)) != 0) return false;
  size_ = size;
  return true;
}

bool SharedPages::fill(std::uint64_t offset, std::uint64_t size, unsigned char value) {
  if (!file_.is_own()) return false;
  const std::vector<unsigned char> part(std::min(size, std::uint64_t{1} << 18), value);
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t count =
        pwrite(file_.get(), part.data(), std::min<std::uint64_t>(part.size(), size - done), file_offset(offset + done));
    if (count <= 0) return false;
    done += static_cast<std::uint64_t>(count);
  }
  return true;
}

void SharedPages::give_back(std::uint64_t offset, std::uint64_t size) {
  if (file_.is_own())
    (void)fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, file_offset(offset), file_offset(size));
}

bool SharedPages::show(std::uint64_t address, std::uint64_t offset, std::uint64_t size) {
  return file_.is_own() && mmap(mapped_at(address), size, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_.get(), file_offset(offset)) != MAP_FAILED;
}

bool SharedPages::hide(std::uint64_t address, std::uint64_t size) {
  return mmap(mapped_at(address), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
              -1, 0) != MAP_FAILED;
}

}  // namespace kiln::emulator
