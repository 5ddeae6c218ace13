#include "cache/digest_memory.hpp"

#include "cache/file_observer.hpp"

#include <mutex>

namespace kiln {

DigestMemory& DigestMemory::get() {
  static auto* const memory = new DigestMemory;  // never destroyed: a thread may look up while the process ends
  return *memory;
}

bool DigestMemory::is_old(const std::string& folder, const FileStatus& status, std::int64_t now_ns) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  if (met_.size() >= most_files && met_.count(folder) == 0) return false;
  const auto [met, is_new] = met_.try_emplace(folder, Met{status, now_ns});
  if (!is_new && !same_state(met->second.status, status)) met->second = {status, now_ns};
  return now_ns - met->second.time_ns >= longest_tick_ns(status);
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
