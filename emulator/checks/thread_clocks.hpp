// Vector clocks: which accesses of other threads of the block happened before, for each thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace kiln::emulator {

class ThreadClocks {
 public:
  explicit ThreadClocks(std::uint32_t threads) : copies_(threads), clocks_(threads + 1) {}

  /// A point in the execution of a thread.
  struct Stamp {
    std::uint32_t epoch = 0;  // number of barriers of the whole block, from 1; 0: never
    std::uint32_t time = 0;
    std::uint32_t thread = 0;
  };
  Stamp now(std::uint32_t thread);
  /// Whether `moment` happened before everything that the thread does from now on.
  bool before(const Stamp& moment, std::uint32_t thread);

  /// The moment at which asynchronous copies are complete. It is of no thread (copies() in its place): this one knows
  /// of it, and those that synchronise with it afterwards.
  Stamp completion_seen_by(std::uint32_t thread);
  std::uint32_t copies() const { return copies_; }

  /// All threads of the block synchronise with each other.
  void meet_all();
  void meet(const std::vector<std::uint32_t>& threads);
  /// Around an atomic operation on an object: acquire() takes over what was released to it before, release() adds what
  /// the thread itself knows.
  void acquire(std::uint32_t thread, std::uint64_t object);
  void release(std::uint32_t thread, std::uint64_t object);

 private:
  using Times = std::vector<std::uint32_t>;  // by thread
  struct Clock {
    std::uint32_t epoch = 0;
    std::uint32_t time = 1;
    std::shared_ptr<const Times> known;  // of this epoch; null: nothing
  };
  Clock& clock_of(std::uint32_t thread);
  static void add(Times& to, const std::shared_ptr<const Times>& from);

  std::uint32_t copies_;
  std::uint32_t epoch_ = 1;
  std::vector<Clock> clocks_;
  std::map<std::uint64_t, std::shared_ptr<const Times>> objects_;
};

}  // namespace kiln::emulator
