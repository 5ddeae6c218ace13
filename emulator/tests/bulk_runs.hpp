// Kernels of one thread that copy between global memory (`%in`, `%out`, and a tensor map at `%map`) and shared memory.
#pragma once

#include "run_ptx.hpp"

#include "emulator/tensor_map/tensor_map.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kiln::emulator {

constexpr std::size_t bulk_shared_bytes = 8192;

/// Shared memory `s` is filled with 0x77 first, and `bar` awaits one arrival.
inline std::string bulk_kernel(const std::string& body, const std::string& target = "sm_90a") {
  return ptx_module(
      ".shared .align 1024 .b8 s[8192];\n.shared .align 8 .b64 bar;\n.shared .align 8 .b64 unset;\n"
      ".visible .entry k(.param .u64 p_out, .param .u64 p_in, .param .u64 p_map)\n{\n"
      ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .b64 %out, %in, %map;\n"
      "ld.param.u64 %out, [p_out]; ld.param.u64 %in, [p_in]; ld.param.u64 %map, [p_map];\n"
      "mov.u32 %r0, s; mov.u32 %r1, 0; mov.u32 %r2, 0x77777777;\n"
      "FILL: st.shared.u32 [%r0], %r2; add.u32 %r0, %r0, 4; add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 8192;\n"
      "@%p1 bra FILL; mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; mov.u32 %r0, s;\n" +
          body + "\nret; }\n",
      target);
}

/// Arrives, expects the bytes, and waits for them.
inline std::string wait_for(unsigned bytes) {
  return "mbarrier.arrive.expect_tx.shared.b64 _, [bar], " + std::to_string(bytes) +
         ";\nWAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;\n";
}

/// Copies all of `s` to `out`, by plain instructions.
inline std::string dump_shared() {
  return "mov.u32 %r1, 0; mov.u32 %r3, s; mov.u64 %d1, %out;\n"
         "DUMP: ld.shared.u32 %r2, [%r3]; st.global.u32 [%d1], %r2; add.u32 %r3, %r3, 4; add.u64 %d1, %d1, 4;\n"
         "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 8192; @%p1 bra DUMP;\n";
}

/// The same in the other direction: `s` becomes what `in` is.
inline std::string take_shared() {
  return "mov.u32 %r1, 0; mov.u32 %r3, s; mov.u64 %d1, %in;\n"
         "TAKE: ld.global.u32 %r2, [%d1]; st.shared.u32 [%r3], %r2; add.u32 %r3, %r3, 4; add.u64 %d1, %d1, 4;\n"
         "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 8192; @%p1 bra TAKE; fence.proxy.async;\n";
}

struct BulkRun {
  LaunchOutcome outcome;
  std::vector<std::uint32_t> out, in;
};

/// `in` and `out` begin with the values; each has 8192 bytes. The map, if there is one, describes `out` for stores and
/// `in` otherwise.
inline BulkRun run_bulk(TestModule& module, std::vector<std::uint32_t> in, std::vector<std::uint32_t> out = {},
                        TensorMap* map = nullptr, bool stores = false) {
  in.resize(bulk_shared_bytes / 4);
  out.resize(bulk_shared_bytes / 4);
  const Buffer<std::uint32_t> source(in), target(out);
  std::vector<TensorMapBytes> maps(1);
  if (map != nullptr) {
    map->address = stores ? target.address() : source.address();
    check_rules(*map);
    maps[0] = encoded(*map);
  }
  const Buffer<TensorMapBytes> map_memory(maps);
  BulkRun run;
  run.outcome = module.launch("k", {1}, {1}, target.address(), source.address(), map_memory.address());
  run.out = target.values();
  run.in = source.values();
  return run;
}

inline BulkRun run_bulk(const std::string& body, std::vector<std::uint32_t> in, std::vector<std::uint32_t> out = {},
                        TensorMap* map = nullptr, bool stores = false) {
  TestModule module(bulk_kernel(body));
  return run_bulk(module, std::move(in), std::move(out), map, stores);
}

inline std::vector<std::uint32_t> counted(std::size_t count = bulk_shared_bytes / 4) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i);
  return values;
}

}  // namespace kiln::emulator
