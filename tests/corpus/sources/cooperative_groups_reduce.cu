// kernel: warps
// out: unsigned
// expect: 527
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void warps(unsigned* out, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned sum = cg::reduce(warp, warp.thread_rank(), cg::plus<unsigned>());
  const unsigned most = cg::reduce(warp, warp.thread_rank(), cg::greater<unsigned>());
  if (threadIdx.x < n) out[threadIdx.x] = sum + most;
}
