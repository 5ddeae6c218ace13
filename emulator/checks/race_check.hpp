// Data races in the shared memory of a block.
#pragma once

#include "emulator/checks/pending_copies.hpp"
#include "emulator/checks/thread_clocks.hpp"
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
