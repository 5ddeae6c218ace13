#include "cache/digest_memory.hpp"

#include "cache/file_observer.hpp"

#include <mutex>

namespace kiln {

DigestMemory& DigestMemory::get() {
  static auto* const memory = new DigestMemory;  // never destroyed: a thread may look up while the process ends
  return *memory;
}

std::optional<Digest> DigestMemory::find(const std::string& path, const FileStatus& folder) const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto known = known_.find(path);
  if (known == known_.end() || !same_state(known->second.folder, folder)) return std::nullopt;
  return known->second.digest;
}

void DigestMemory::add(const std::string& path, const FileStatus& folder, const Digest& digest) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  if (known_.size() < most_files || known_.count(path) != 0) known_.insert_or_assign(path, Known{folder, digest});
}

}  // namespace kiln
