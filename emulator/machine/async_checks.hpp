// KILN_EMULATOR_CHECK=race: asynchronous operations that nothing has waited for.
#pragma once

#include "emulator/machine/lanes.hpp"

#include <cstdint>

namespace kiln::emulator {

class RaceCheck;
class Warp;

/// What an access is part of. The emulator does the accesses of an asynchronous operation when it is issued.
enum class AsyncKind : std::uint8_t {
  none,
  copy,        // cp.async
  bulk_load,   // a bulk copy to shared memory, which completes on an mbarrier
  bulk_store,  // one from shared memory, which completes in a bulk group
  product,     // wgmma
};

struct AsyncOperation {
  AsyncKind kind = AsyncKind::none;
  std::uint64_t barrier = 0;  // of a bulk load: the address of its mbarrier in shared memory
  std::uint32_t batch = 0;    // for the check
};

/// One object for each block. Until an operation is known to be complete, other accesses to the shared memory that it
/// uses are findings, as those of MemoryChecks. Implemented in checks/.
class AsyncChecks {
 public:
  explicit AsyncChecks(RaceCheck& race) : race_(race) {}

  /// The accesses of the block's threads belong to the operation, until end().
  void begin(const AsyncOperation& operation) { operation_ = operation; }
  void end() { operation_ = {}; }
  AsyncOperation& operation() { return operation_; }

  /// cp.async.commit_group and cp.async.bulk.commit_group.
  void commit(const Warp& warp, LaneMask lanes, AsyncKind kind);
  /// The lanes wait until no more than `pending` of their latest groups are incomplete.
  void wait(const Warp& warp, LaneMask lanes, AsyncKind kind, std::uint64_t pending);
  /// cp.async.wait_all
  void wait_all(const Warp& warp, LaneMask lanes);

  // mbarriers, by the addresses on the host of their objects, which may be in another block of the cluster.
  /// cp.async.mbarrier.arrive: the phase completes with the copies that the lane has issued.
  void arrive_copies(Warp& warp, unsigned lane, std::uint64_t barrier);
  void phase_completed(Warp& warp, std::uint64_t barrier);
  /// The lane has seen that a phase is complete: a test of it was true.
  void saw_phase(Warp& warp, unsigned lane, std::uint64_t barrier);
  /// The object becomes another one, or none.
  void forget(Warp& warp, std::uint64_t barrier);

  /// fence.proxy.async
  void fence_proxy(const Warp& warp, LaneMask lanes);

 private:
  RaceCheck& race_;
  AsyncOperation operation_;
};

/// Null unless Settings turn the check on.
AsyncChecks* async_checks(Warp& warp);

/// While it exists, the accesses of the block's threads belong to an operation.
class AsyncScope {
 public:
  AsyncScope(Warp& warp, AsyncKind kind, std::uint64_t barrier = 0) : checks_(async_checks(warp)) {
    if (checks_ != nullptr) checks_->begin({kind, barrier});
  }
  ~AsyncScope() {
    if (checks_ != nullptr) checks_->end();
  }
  AsyncScope(const AsyncScope&) = delete;
  AsyncScope& operator=(const AsyncScope&) = delete;

 private:
  AsyncChecks* const checks_;
};

}  // namespace kiln::emulator
