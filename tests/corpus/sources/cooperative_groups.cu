// kernel: tiles
// out: unsigned
// expect: 28
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tiles(unsigned* out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  unsigned sum = tile.thread_rank();
  for (int step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_xor(sum, step);
  block.sync();
  if (block.thread_rank() < n) out[block.thread_rank()] = sum;
}
