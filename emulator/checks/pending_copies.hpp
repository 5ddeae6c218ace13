// Asynchronous operations on the shared memory of a block that are not known to be complete.
#pragma once

#include "emulator/machine/async_checks.hpp"
#include "emulator/machine/code.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace kiln::emulator {

/// What completes together is a batch. A byte knows the latest batch that writes it, and the latest that reads it.
class PendingCopies {
 public:
  explicit PendingCopies(std::uint64_t shared_size) : shared_size_(shared_size) {}
  static constexpr std::uint32_t other_block = 0xFFFFFFFFu;  // in place of a thread

  struct Range {
    const Code* code = nullptr;
    const Step* step = nullptr;
    std::uint64_t offset = 0, size = 0;
  };
  struct Batch {
    AsyncKind kind = AsyncKind::none;
    std::uint32_t thread = 0;   // that has issued it
    std::uint64_t barrier = 0;  // of a bulk load: the offset of the mbarrier
    std::vector<Range> ranges;
    bool is_store() const { return kind == AsyncKind::bulk_store; }
  };
  using Number = std::uint32_t;  // of a batch; 0: none

  bool is_empty() const { return batches_.empty(); }
  /// The batch of the copies that the thread has issued since its last commit or arrival.
  Number open_batch(AsyncKind kind, std::uint32_t thread);
  Number batch_on(std::uint64_t barrier, std::uint32_t thread);
  void add(Number batch, const Range& range);

  /// The batch that writes, or reads, this byte, or null.
  const Batch* writer_of(std::uint64_t offset) const { return user_of(writers_, offset); }
  const Batch* reader_of(std::uint64_t offset) const { return user_of(readers_, offset); }
  /// Whether the byte belongs to this batch and to no later one.
  bool is_of(const Batch& batch, Number number, std::uint64_t offset) const {
    return (batch.is_store() ? readers_ : writers_)[offset] == number;
  }

  void commit(AsyncKind kind, std::uint32_t thread);
  void arrive(std::uint32_t thread, std::uint64_t barrier);
  void phase_completed(std::uint64_t barrier);
  void forget(std::uint64_t barrier);

  /// Calls done(batch, its number) for each batch that the thread has waited for, or that completed on the barrier, and
  /// forgets them.
  template <class Done>
  void wait(AsyncKind kind, std::uint32_t thread, std::uint64_t pending, Done done) {
    for (const Number number : awaited(kind, thread, pending)) take(number, done);
  }
  template <class Done>
  void see(std::uint64_t barrier, Done done) {
    for (const Number number : seen(barrier)) take(number, done);
  }

 private:
  // More than this many batches are not remembered: the oldest are forgotten.
  static constexpr std::size_t most_batches = 1u << 16;
  struct ThreadGroups {
    Number current = 0;  // that takes what is issued; 0: none yet
    std::vector<Number> open;
    std::deque<std::vector<Number>> committed;
  };
  struct OnBarrier {
    std::vector<Number> pending, complete;
  };
  using Groups = std::map<std::uint32_t, ThreadGroups>;  // by thread

  Groups& groups_of(AsyncKind kind) { return kind == AsyncKind::bulk_store ? stores_ : copies_; }
  Number new_batch(const Batch& batch);
  const Batch* user_of(const std::vector<Number>& users, std::uint64_t offset) const;
  std::vector<Number> awaited(AsyncKind kind, std::uint32_t thread, std::uint64_t pending);
  std::vector<Number> seen(std::uint64_t barrier);
  void drop_taken(std::vector<Number>& numbers) const;
  template <class Done>
  void take(Number number, Done done) {
    const auto found = batches_.find(number);
    if (found == batches_.end()) return;
    done(found->second, number);
    batches_.erase(found);
  }

  std::uint64_t shared_size_;
  Number last_ = 0;
  std::map<Number, Batch> batches_;
  std::vector<Number> writers_, readers_;  // by byte; empty before the first operation
  Groups copies_, stores_;
  std::map<std::uint64_t, OnBarrier> barriers_;  // by offset
};

}  // namespace kiln::emulator
