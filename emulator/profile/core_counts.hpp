// The counts of one host thread in one launch.
#pragma once

#include "emulator/machine/code.hpp"
#include "emulator/machine/lanes.hpp"
#include "emulator/machine/launch.hpp"
#include "emulator/profile/counters.hpp"
#include "emulator/ptx/module.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::emulator {

/// The addresses of one warp's access, for drawings.
struct AccessSample {
  ptx::Space space = ptx::Space::none;
  Operation operation = Operation::load;
  Dim3 block;
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  unsigned size = 0;
  std::uint64_t base = 0;  // of the allocation
  std::string base_name;
  std::array<std::uint64_t, warp_size> at{};
  std::uint32_t units = 0;  // sectors or wavefronts
};

/// What is counted beside executions, of steps that have such.
struct StepEvents {
  Counters counters;
  std::vector<AccessSample> firsts;  // of warps of the first block
  std::uint32_t warps_sampled = 0;   // a bit for each of these warps
  std::optional<AccessSample> worst;
};

struct StepCounts {
  std::uint64_t warps = 0;
  std::uint64_t lanes = 0;   // that were there
  std::uint64_t active = 0;  // of them
  std::uint64_t divergent = 0;
  std::unique_ptr<StepEvents> events;
  bool is_first = false;     // of its instruction
  bool is_indirect = false;  // brx.idx
  bool is_constant = false;  // ld.const
  bool is_wait = false;      // mbarrier.test_wait and try_wait, which change nothing
};

struct CodeCounts {
  explicit CodeCounts(const Code& of);
  StepEvents& events(std::uint32_t step);

  const Code* code;
  std::vector<StepCounts> steps;
};

/// Accesses of the thread that makes the most.
struct BusiestThread {
  std::uint32_t global_reads = 0, global_writes = 0, shared_reads = 0, shared_writes = 0;
  void take(const BusiestThread& other);
};

struct TraceStep {
  const Code* code = nullptr;
  std::uint32_t instruction = 0;
  LaneMask lanes = 0, active = 0;
};

/// Not thread-safe: one for each thread.
struct CoreCounts {
  CodeCounts& of(const Code& code) {
    if (latest_ == nullptr || latest_->code != &code) latest_ = &find(code);
    return *latest_;
  }

  std::map<const Code*, CodeCounts> codes;
  BusiestThread busiest;
  std::vector<TraceStep> trace;  // of the first warp
  bool is_trace_cut = false;
  bool takes_samples = false;  // and the trace

 private:
  CodeCounts& find(const Code& code);

  CodeCounts* latest_ = nullptr;
};

}  // namespace kiln::emulator
