// Cooperative groups, up to the whole grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// groups <<<(4, 8), 128>>> in bits 512 out 4096 rows 8 exact
extern "C" __global__ void groups(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x, a = in[i];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  unsigned r = 0;
  switch (blockIdx.y) {
    case 0: r = cg::reduce(warp, a, cg::plus<unsigned>()); break;
    case 1: r = cg::reduce(eight, a, cg::greater<unsigned>()); break;
    case 2: r = cg::inclusive_scan(eight, a); break;
    case 3: r = cg::exclusive_scan(warp, a, cg::bit_xor<unsigned>()); break;
    case 4: {
      const auto part = cg::labeled_partition(warp, a & 3);
      r = cg::reduce(part, a, cg::plus<unsigned>()) + part.size() + 100 * part.thread_rank();
      break;
    }
    case 5: {
      const auto part = cg::binary_partition(eight, (a & 1) != 0);
      r = part.shfl(a, 0) + part.size();
      break;
    }
    case 6:
      if (a & 1) {
        const auto active = cg::coalesced_threads();
        r = active.size() * 100 + active.thread_rank() + active.ballot((a & 2) != 0);
      }
      break;
    default: r = eight.shfl_xor(a, 3) + eight.match_any(a & 1) + unsigned(eight.any(a & 64)) + eight.meta_group_rank();
  }
  block.sync();
  out[blockIdx.y * 512 + i] = r;
}

// grid_sync <<<4, 128>>> in bits 512 out 1024 rows 1 exact cooperative
extern "C" __global__ void grid_sync(const unsigned* in, unsigned* out) {
  const auto grid = cg::this_grid();
  const unsigned i = unsigned(grid.thread_rank()), all_threads = unsigned(grid.size());
  unsigned *now = out, *next = out + 512;
  now[i] = in[i];
  for (int turn = 0; turn < 6; ++turn) {
    grid.sync();
    next[i] = now[(i + 129) % all_threads] * 3 + now[i];
    unsigned* const old = now;
    now = next;
    next = old;
  }
}
