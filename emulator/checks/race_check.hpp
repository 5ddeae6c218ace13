// Data races in the shared memory of a block.
#pragma once

#include "emulator/checks/pending_copies.hpp"
#include "emulator/machine/host_bytes.hpp"
#include "emulator/machine/memory_checks.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
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

/// Two accesses to a byte race if at least one of them writes, they are not both atomic, and nothing orders their
/// threads in between. Two patterns that programs use on purpose are not reported: writing the value that is already
/// there, and the plain load before a compare-and-swap loop.
///
/// What an asynchronous operation does is compared with other accesses at two times: when it is issued, and when a
/// thread learns that it is complete. In between nobody else may use the bytes.
class RaceCheck {
 public:
  explicit RaceCheck(Block& block);

  void access(Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size, Access access);
  void storing(const StoredValues& values) { storing_ = values; }
  /// A byte of what a lane is storing, if it is known.
  std::optional<std::uint8_t> stored(const Warp& warp, unsigned lane, std::uint64_t byte) const;
  ThreadClocks& clocks() { return clocks_; }

  AsyncChecks& async() { return async_; }
  PendingCopies& copies() { return copies_; }
  /// A bulk load writes the range; `thread` may be PendingCopies::other_block.
  void add_load(AsyncOperation& operation, std::uint32_t thread, const PendingCopies::Range& range);
  /// The operation is complete, since that moment.
  void complete(const PendingCopies::Batch& batch, PendingCopies::Number number, const ThreadClocks::Stamp& moment);
  /// fence.proxy.async by this thread.
  void fence_proxy(std::uint32_t thread);

 private:
  struct Visit {
    const Code* code = nullptr;
    const Step* step = nullptr;
    ThreadClocks::Stamp stamp;  // epoch 0: no visit
    bool atomic = false;
    std::uint64_t number = 0;  // of a write by the generic proxy: counts them and the fences of proxies; 0 for others
  };
  // The latest accesses to a byte. A reader that is ordered before a later one is dropped.
  struct Byte {
    Visit write;
    std::optional<std::uint8_t> written;  // if known
    std::array<Visit, 2> reads;
  };
  static constexpr std::uint64_t chunk_size = 64;
  using Chunk = std::array<Byte, chunk_size>;

  Byte& byte_at(std::uint64_t offset);
  bool conflict(const Visit& earlier, const Visit& now);
  bool is_cas_loop_read(const Visit& read);
  void remember_read(Byte& byte, const Visit& visit);
  void use_asynchronously(const Warp& warp, const Step& step, unsigned lane, std::uint64_t offset, unsigned size,
                          Access access);
  void check_pending(unsigned lane, std::uint64_t offset, unsigned size, Access access);
  void check_proxy(unsigned lane, std::uint64_t offset, unsigned size);
  bool is_fenced(const Visit& write);
  std::string thread_text(std::uint32_t thread) const;
  [[noreturn]] void report(unsigned lane, std::uint64_t offset, unsigned size, Access access, const Visit& earlier,
                           const char* did) const;
  [[noreturn]] void report_pending(unsigned lane, std::uint64_t offset, unsigned size, Access access,
                                   const PendingCopies::Batch& batch, std::uint64_t at) const;
  [[noreturn]] void report_proxy(unsigned lane, std::uint64_t offset, unsigned size, const Visit& write) const;

  Block& block_;
  ThreadClocks clocks_;
  std::vector<std::unique_ptr<Chunk>> chunks_;  // allocated at the first access
  StoredValues storing_;
  std::map<const Step*, bool> cas_loop_loads_;  // results of is_cas_loop_load
  PendingCopies copies_;
  AsyncChecks async_;
  std::uint64_t writes_ = 0;                 // and fences of proxies
  std::vector<std::uint64_t> proxy_fences_;  // of each thread the last one, by number
};

}  // namespace kiln::emulator
