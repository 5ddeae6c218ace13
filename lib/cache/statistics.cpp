#include "cache/statistics.hpp"

#include "base/files.hpp"
#include "base/path_text.hpp"
#include "cache/byte_io.hpp"

#include <cerrno>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <time.h>

namespace kiln {

namespace {

constexpr std::string_view statistics_magic = "kilnstat";

void add_all(Statistics::Counts& to, const Statistics::Counts& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

/// What says how large the folder is.
Statistics::Counts after_reset(const Statistics::Counts& counts) {
  Statistics::Counts left = {};
  for (const Counter lasting : {Counter::bytes, Counter::measured}) {
    const auto index = static_cast<std::size_t>(lasting);
    left[index] = counts[index];
  }
  return left;
}

// The file's bytes, at most as many as a whole file has; nothing after an error.
std::optional<std::string> read_counts(FileSystem& files, int descriptor) {
  std::string bytes;
  if (read_part(files, descriptor, 0, statistics_file_size, bytes) != 0) return std::nullopt;
  return bytes;
}

// The lock is held for about 10 us.
void wait_a_little() {
  static thread_local std::minstd_rand random{std::random_device{}()};
  timespec time = {0, static_cast<long>(std::uniform_int_distribution<int>(50'000, 200'000)(random))};
  ::nanosleep(&time, nullptr);
}

}  // namespace

std::string encode_statistics(const Statistics::Counts& counts) {
  std::string bytes(statistics_magic);
  for (std::uint64_t value : counts) append_integer(bytes, value);
  bytes.append(checksum_of(bytes).view());
  return bytes;
}

std::optional<Statistics::Counts> decode_statistics(std::string_view bytes) {
  if (bytes.size() != statistics_file_size) return std::nullopt;
  const std::string_view checked = bytes.substr(0, statistics_file_size - sizeof(Checksum));
  if (checked.substr(0, statistics_magic.size()) != statistics_magic ||
      bytes.substr(checked.size()) != checksum_of(checked).view())
    return std::nullopt;
  ByteReader reader(checked.substr(statistics_magic.size()));
  Statistics::Counts counts;
  for (std::uint64_t& value : counts) value = reader.integer<std::uint64_t>();
  return counts;
}

// With the mutex held.
void Statistics::discard_parents_counts() {
  if (generation_ == fork_generation()) return;
  generation_ = fork_generation();
  pending_ = {};
  flushing_ = false;
}

void Statistics::add(Counter counter, std::uint64_t amount) {
  std::lock_guard<ForkSafeMutex> lock(mutex_);
  discard_parents_counts();
  pending_[static_cast<std::size_t>(counter)] += amount;
}

bool Statistics::add_now(Counts increments) {
  const Counts given = increments;
  if (add_to_file(increments)) return true;
  // What is left is what a torn file had.
  for (std::size_t i = 0; i < given.size(); ++i) increments[i] -= given[i];
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  discard_parents_counts();
  add_all(pending_, increments);
  return false;
}

std::optional<Statistics::Counts> Statistics::flush() {
  std::unique_lock<ForkSafeMutex> lock(mutex_);
  discard_parents_counts();
  std::optional<Counts> written;
  // A thread that is flushing writes these increments too before it stops.
  if (flushing_) return written;
  flushing_ = true;
  while (pending_ != Counts{}) {
    Counts increments = std::exchange(pending_, {});
    lock.unlock();
    const std::optional<Counts> counts = add_to_file(increments);
    lock.lock();
    if (counts) {
      written = counts;
      continue;
    }
    add_all(pending_, increments);
    break;
  }
  flushing_ = false;
  return written;
}

bool Statistics::reset() {
  std::unique_lock<ForkSafeMutex> lock(mutex_);
  discard_parents_counts();
  const Counts taken = std::exchange(pending_, {});
  lock.unlock();
  const Counts lasting = after_reset(taken);
  Counts increments = lasting;
  FileStatus ignored;
  const bool has_file = files_.status(folder_of(path_), ignored) != -ENOENT;
  if (has_file && add_to_file(increments, Start::reset)) return true;
  for (std::size_t i = 0; has_file && i < taken.size(); ++i) increments[i] += taken[i] - lasting[i];
  lock.lock();
  add_all(pending_, increments);
  return !has_file;
}

Statistics::Counts Statistics::totals() {
  std::unique_lock<ForkSafeMutex> lock(mutex_);
  discard_parents_counts();
  Counts totals = pending_;
  lock.unlock();
  add_all(totals, read_file_counts());
  return totals;
}

Statistics::Counts Statistics::read_file_counts() {
  std::optional<Counts> counts;
  // Read without the lock, which needs write permission. Tried a few times, because a writer may be at work.
  for (int attempt = 0; attempt < 3 && !counts; ++attempt) {
    if (attempt > 0) wait_a_little();
    // O_NONBLOCK: opening a pipe of that name must not block.
    const int descriptor = files_.open(path_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (descriptor < 0) break;
    if (const auto bytes = read_counts(files_, descriptor)) counts = decode_statistics(*bytes);
    files_.close(descriptor);
  }
  return counts.value_or(Counts{});
}

bool Statistics::lock(FileLock& file) {
  constexpr int attempts = 8;
  for (int attempt = 1;; ++attempt) {
    const int code = file.try_lock(0);
    if (code == -EAGAIN && attempt < attempts) {
      wait_a_little();
      continue;
    }
    // A file system without locks: some counts may be lost, but counting goes on.
    return code == 0 || FileLock::has_no_locks(code);
  }
}

// Where the file was left torn, `increments` receives what was in it too.
std::optional<Statistics::Counts> Statistics::add_to_file(Counts& increments, Start start) noexcept try {
  FileLock file(files_, FileLock::Duration::brief);
  if (file.open(path_) != 0 || !lock(file)) return std::nullopt;
  const auto bytes = read_counts(files_, file.descriptor());
  if (!bytes) return std::nullopt;
  const Counts before = decode_statistics(*bytes).value_or(Counts{});
  Counts counts = start == Start::reset ? after_reset(before) : before;
  add_all(counts, increments);
  if (write_all(files_, file.descriptor(), encode_statistics(counts)) == 0) return counts;
  const auto left = read_counts(files_, file.descriptor());
  if (left && !left->empty() && !decode_statistics(*left)) add_all(increments, before);
  return std::nullopt;
} catch (const std::exception&) {  // no memory, or no random numbers to wait by
  return std::nullopt;
}

}  // namespace kiln
