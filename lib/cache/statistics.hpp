// The counters of a cache folder, which survive the process.
#pragma once

#include "base/checksum.hpp"
#include "base/file_lock.hpp"
#include "base/file_system.hpp"
#include "base/fork_safe_mutex.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kiln {

/// Whether a look-up is counted.
enum class Counting { on, off };

/// The values are indices in the file: new ones go before `end`.
enum class Counter {
  hits,
  misses,
  compiles,
  stores,
  store_failures,
  corrupt,
  waits,
  evictions,
  refused,  // the sum of the ones by reason
  refused_time,
  refused_option,
  refused_unknown_headers,
  refused_young_header,
  refused_untrusted,
  bytes,     // an estimate of the size of the folder: since it was measured, what was published less what was removed
  measured,  // how often `bytes` was set to the size of all files; 0: it means nothing yet
  refused_no_worker,
  memory_hits,
  // Of precompiled headers, in the folder that they are in.
  pch_made,
  pch_used,
  pch_refused,  // the sum of the ones by reason
  pch_refused_text,
  pch_refused_options,
  pch_refused_nvrtc,
  pch_refused_address,
  pch_refused_changed,
  pch_refused_damaged,
  pch_refused_small,
  trees_made,  // kept_tree.hpp
  end
};

/// The counters of the file <root>/v3/statistics:
///
///   magic "kilnstat" | `slots` counters as u64, little-endian | XXH3-128 of all before
///
/// Increments are kept in memory until flush() has added them to the file; where that cannot be done now (another
/// process has the lock, no such folder yet, a full disk) the next flush does it, so that nothing is lost while the
/// process lives. Thread-safe. A child of fork leaves its parent's increments to the parent.
class Statistics {
 public:
  /// More than there are counters, for later ones.
  static constexpr std::size_t slots = 32;
  using Counts = std::array<std::uint64_t, slots>;

  Statistics(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  /// Amounts add up modulo 2^64, so that a decrement is an amount too.
  void add(Counter counter, std::uint64_t amount);
  /// Adds them to the file now, or not at all: false, and none of them waits for the next flush.
  bool add_now(Counts increments);
  /// Six file operations where the lock is free: open, try_lock, read_at, write, unlock, close. Makes the file, but no
  /// folder. Waits for the lock for at most 2 ms. What is in the file now, where this call wrote it.
  std::optional<Counts> flush();
  /// Sets what counts events to zero, in memory and in the file, and leaves what says how large the folder is. False
  /// where the file cannot be changed now: then nothing is.
  bool reset();
  /// The counts in the file and in memory, without what another thread is flushing at this moment. A missing or damaged
  /// file counts as zeros.
  Counts totals();

 private:
  void discard_parents_counts();
  Counts read_file_counts();
  enum class Start { present, reset };
  std::optional<Counts> add_to_file(Counts& increments, Start start = Start::present) noexcept;
  bool lock(FileLock& file);

  FileSystem& files_;
  const std::string path_;
  ForkSafeMutex mutex_;
  std::uint64_t generation_ = fork_generation();
  Counts pending_ = {};    // not in the file, nor on the way there
  bool flushing_ = false;  // by one of this process's threads
};

constexpr std::size_t statistics_file_size = 8 + 8 * Statistics::slots + sizeof(Checksum);

std::string encode_statistics(const Statistics::Counts& counts);
/// Nothing where the bytes are another number, or damaged.
std::optional<Statistics::Counts> decode_statistics(std::string_view bytes);

}  // namespace kiln
