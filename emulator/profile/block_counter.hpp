// Counts what the threads of a block do.
#pragma once

#include "emulator/machine/block.hpp"
#include "emulator/machine/launch_profile.hpp"
#include "emulator/profile/access_patterns.hpp"
#include "emulator/profile/core_counts.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kiln::emulator {

class BlockCounter final : public BlockProfile {
 public:
  BlockCounter(const Block& block, CoreCounts& counts);
  ~BlockCounter() override { end(); }

  void restart(const Block& block) override;
  void step(const Warp& warp, LaneMask active) override;
  void access(const Warp& warp, const Step& step, const WarpAccess& access) override;
  void lane_access(const Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                   unsigned size, Access access) override;
  void arrive(const Warp& warp, LaneMask lanes, std::uint32_t barrier) override;
  void complete(std::uint32_t barrier, const std::vector<LaneMask>& waiting) override;

 private:
  // Where counts of an instruction go.
  struct StepPlace {
    CodeCounts* code = nullptr;
    std::uint32_t step = 0;
    StepEvents& events() const { return code->events(step); }
  };
  struct Arrival {
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    std::uint64_t time = 0;
    StepPlace place;
  };
  // Accesses of single lanes of one step, to be counted together.
  struct Pending {
    StepPlace place;
    std::uint32_t warp = 0;
    ptx::Space space = ptx::Space::none;
    unsigned size = 0;
    Access access = Access::read;
    LaneMask lanes = 0;
    std::array<std::uint64_t, warp_size> at{};
  };
  // Reads and writes of each thread of the block.
  struct ThreadAccesses {
    std::vector<std::uint32_t> reads, writes;
    void add(std::uint32_t warp, LaneMask lanes, Operation operation);
  };

  void start(const Block& block);
  void end();
  static bool completes_sector(const Pending& last, std::uint32_t step, unsigned lane, ptx::Space space,
                               std::uint64_t address, unsigned size, Access access);
  void flush();
  bool find_place(const Warp& warp, const Step& step, StepPlace& place);
  void count(std::uint32_t warp, const StepPlace& place, const Pending& access);
  void count_global(std::uint32_t warp, StepEvents& events, Operation operation, const AccessPattern& pattern);
  void count_local(std::uint32_t warp, StepEvents& events, Operation operation, const AccessPattern& pattern);
  void count_shared(std::uint32_t warp, StepEvents& events, Operation operation, const AccessPattern& pattern);
  void sample(std::uint32_t warp, StepEvents& events, ptx::Space space, Operation operation,
              const AccessPattern& pattern, std::uint32_t units);
  void trace(const Warp& warp, const Code& code, std::uint32_t step, LaneMask active);

  CoreCounts& counts_;
  Dim3 index_;
  bool is_first_block_ = false;
  SharedBanks banks_;
  std::vector<std::uint64_t> clocks_;           // of each warp: instructions that it has executed, or waited for
  std::vector<std::vector<Arrival>> arrivals_;  // of each barrier
  ThreadAccesses global_, shared_;
  std::vector<Pending> pending_;
};

}  // namespace kiln::emulator
