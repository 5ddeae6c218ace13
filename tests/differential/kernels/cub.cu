// CUB's block primitives.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int threads = 128, each = 4, tile = threads * each;

template <cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
__device__ void load_and_store(const unsigned* in, unsigned* out) {
  using Loading = cub::BlockLoad<unsigned, threads, each, Load>;
  using Storing = cub::BlockStore<unsigned, threads, each, Store>;
  __shared__ union {
    typename Loading::TempStorage load;
    typename Storing::TempStorage store;
  } room;
  unsigned items[each];
  Loading(room.load).Load(in + blockIdx.x * tile, items, tile - 3, 99u);
  __syncthreads();
  for (int i = 0; i < each; ++i) items[i] = items[i] * 3 + unsigned(threadIdx.x * each + i);
  Storing(room.store).Store(out + blockIdx.x * tile, items, tile - 1);
}
// cub_direct <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_direct(const unsigned* in, unsigned* out) {
  load_and_store<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(in, out);
}
// cub_striped <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_striped(const unsigned* in, unsigned* out) {
  load_and_store<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(in, out);
}
// cub_vectorize <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_vectorize(const unsigned* in, unsigned* out) {
  using Loading = cub::BlockLoad<unsigned, threads, each, cub::BLOCK_LOAD_VECTORIZE>;
  using Storing = cub::BlockStore<unsigned, threads, each, cub::BLOCK_STORE_VECTORIZE>;
  unsigned items[each];
  Loading().Load(in + blockIdx.x * tile, items);
  Storing().Store(out + blockIdx.x * tile, items);
}
// cub_transpose <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_transpose(const unsigned* in, unsigned* out) {
  load_and_store<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, out);
}
// cub_warp_transpose <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_warp_transpose(const unsigned* in, unsigned* out) {
  load_and_store<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out);
}

template <cub::BlockReduceAlgorithm Algorithm>
__device__ unsigned reduced(const unsigned* in) {
  using Reduce = cub::BlockReduce<unsigned, threads, Algorithm>;
  __shared__ typename Reduce::TempStorage room;
  unsigned items[each];
  for (int i = 0; i < each; ++i) items[i] = in[blockIdx.x * tile + threadIdx.x * each + i];
  const unsigned sum = Reduce(room).Sum(items);
  __syncthreads();
  return sum + Reduce(room).Reduce(items[0], [](unsigned a, unsigned b) { return a > b ? a : b; }, 100);
}
// cub_reduce <<<(4, 3), 128>>> in bits 2048 out 12 rows 3 exact
extern "C" __global__ void cub_reduce(const unsigned* in, unsigned* out) {
  unsigned r = 0;
  if (blockIdx.y == 0) r = reduced<cub::BLOCK_REDUCE_RAKING>(in);
  if (blockIdx.y == 1) r = reduced<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in);
  if (blockIdx.y == 2) r = reduced<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in);
  if (threadIdx.x == 0) out[blockIdx.y * 4 + blockIdx.x] = r;
}

template <cub::BlockScanAlgorithm Algorithm>
__device__ void scanned(const unsigned* in, unsigned* out) {
  using Scan = cub::BlockScan<unsigned, threads, Algorithm>;
  __shared__ typename Scan::TempStorage room;
  unsigned items[each], sums[each], total = 0;
  for (int i = 0; i < each; ++i) items[i] = in[blockIdx.x * tile + threadIdx.x * each + i];
  Scan(room).ExclusiveSum(items, sums, total);
  __syncthreads();
  Scan(room).InclusiveScan(items, items, [](unsigned a, unsigned b) { return a > b ? a : b; });
  for (int i = 0; i < each; ++i)
    out[blockIdx.y * 2048 + blockIdx.x * tile + threadIdx.x * each + i] = sums[i] + items[i] + total;
}
// cub_scan <<<(4, 3), 128>>> in bits 2048 out 6144 rows 3 exact
extern "C" __global__ void cub_scan(const unsigned* in, unsigned* out) {
  if (blockIdx.y == 0) scanned<cub::BLOCK_SCAN_RAKING>(in, out);
  if (blockIdx.y == 1) scanned<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out);
  if (blockIdx.y == 2) scanned<cub::BLOCK_SCAN_WARP_SCANS>(in, out);
}

// cub_radix_sort <<<4, 128>>> in bits 2048 out 4096 rows 2 exact
extern "C" __global__ void cub_radix_sort(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockRadixSort<unsigned, threads, each, unsigned>;
  __shared__ typename Sort::TempStorage room;
  unsigned keys[each], values[each];
  for (int i = 0; i < each; ++i) {
    values[i] = threadIdx.x * each + unsigned(i);
    keys[i] = in[blockIdx.x * tile + values[i]] >> 4;
  }
  Sort(room).Sort(keys, values);
  __syncthreads();
  for (int i = 0; i < each; ++i) out[blockIdx.x * tile + threadIdx.x * each + i] = keys[i];
  Sort(room).SortDescendingBlockedToStriped(values, keys, 3, 9);
  for (int i = 0; i < each; ++i) out[2048 + blockIdx.x * tile + threadIdx.x * each + i] = values[i] ^ keys[i];
}
// cub_radix_sort_f32 <<<4, 128>>> in unit 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_radix_sort_f32(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockRadixSort<float, threads, each>;
  __shared__ typename Sort::TempStorage room;
  float keys[each];
  for (int i = 0; i < each; ++i)
    keys[i] = reinterpret_cast<const float*>(in)[blockIdx.x * tile + threadIdx.x * each + i] - 0.5F;
  Sort(room).SortDescending(keys);
  for (int i = 0; i < each; ++i) reinterpret_cast<float*>(out)[blockIdx.x * tile + threadIdx.x * each + i] = keys[i];
}
// cub_merge_sort <<<4, 128>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void cub_merge_sort(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockMergeSort<unsigned, threads, each>;
  __shared__ typename Sort::TempStorage room;
  unsigned keys[each];
  for (int i = 0; i < each; ++i) keys[i] = in[blockIdx.x * tile + threadIdx.x * each + i];
  Sort(room).Sort(keys, [](unsigned a, unsigned b) { return a > b; });
  for (int i = 0; i < each; ++i) out[blockIdx.x * tile + threadIdx.x * each + i] = keys[i];
}
// cub_exchange <<<4, 128>>> in bits 2048 out 8192 rows 4 exact
extern "C" __global__ void cub_exchange(const unsigned* in, unsigned* out) {
  using Exchange = cub::BlockExchange<unsigned, threads, each>;
  __shared__ typename Exchange::TempStorage room;
  unsigned items[each];
  int ranks[each];
  const unsigned first = blockIdx.x * tile + threadIdx.x * each;
  for (int i = 0; i < each; ++i) items[i] = in[first + i], ranks[i] = (int(threadIdx.x) * each + i) * 5 % tile;
  Exchange(room).StripedToBlocked(items, items);
  for (int i = 0; i < each; ++i) out[first + i] = items[i];
  __syncthreads();
  Exchange(room).BlockedToStriped(items, items);
  for (int i = 0; i < each; ++i) out[2048 + first + i] = items[i] + 1;
  __syncthreads();
  Exchange(room).WarpStripedToBlocked(items, items);
  for (int i = 0; i < each; ++i) out[4096 + first + i] = items[i] + 2;
  __syncthreads();
  Exchange(room).ScatterToBlocked(items, items, ranks);
  for (int i = 0; i < each; ++i) out[6144 + first + i] = items[i] + 3;
}
template <cub::BlockHistogramAlgorithm Algorithm>
__device__ void counted(const unsigned* in, unsigned* out) {
  using Histogram = cub::BlockHistogram<unsigned char, threads, each, 64, Algorithm>;
  __shared__ typename Histogram::TempStorage room;
  __shared__ unsigned bins[64];
  unsigned char items[each];
  for (int i = 0; i < each; ++i) items[i] = in[blockIdx.x * tile + threadIdx.x * each + i] & 63;
  Histogram(room).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.y * 256 + blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x];
}
// cub_histogram <<<(4, 2), 128>>> in bits 2048 out 512 rows 2 exact
extern "C" __global__ void cub_histogram(const unsigned* in, unsigned* out) {
  if (blockIdx.y == 0) counted<cub::BLOCK_HISTO_SORT>(in, out);
  if (blockIdx.y == 1) counted<cub::BLOCK_HISTO_ATOMIC>(in, out);
}
// cub_neighbours <<<4, 128>>> in bits 2048 out 6144 rows 3 exact
extern "C" __global__ void cub_neighbours(const unsigned* in, unsigned* out) {
  using Discontinuity = cub::BlockDiscontinuity<unsigned, threads>;
  using Difference = cub::BlockAdjacentDifference<unsigned, threads>;
  using Shuffle = cub::BlockShuffle<unsigned, threads>;
  __shared__ union {
    typename Discontinuity::TempStorage discontinuity;
    typename Difference::TempStorage difference;
    typename Shuffle::TempStorage shuffle;
  } room;
  unsigned items[each], differences[each], up[each];
  int heads[each];
  const unsigned first = blockIdx.x * tile + threadIdx.x * each;
  for (int i = 0; i < each; ++i) items[i] = in[first + i] & 1;
  Discontinuity(room.discontinuity).FlagHeads(heads, items, [](unsigned a, unsigned b) { return a != b; });
  __syncthreads();
  Difference(room.difference).SubtractLeft(items, differences, [](unsigned a, unsigned b) { return a - 3 * b; });
  __syncthreads();
  Shuffle(room.shuffle).Up(items, up);
  for (int i = 0; i < each; ++i) {
    out[first + i] = unsigned(heads[i]);
    out[2048 + first + i] = differences[i];
    out[4096 + first + i] = threadIdx.x == 0 && i == 0 ? 0 : up[i];
  }
}
// cub_warp <<<4, 128>>> in bits 512 out 1536 rows 3 exact
extern "C" __global__ void cub_warp(const unsigned* in, unsigned* out) {
  using Reduce = cub::WarpReduce<unsigned>;
  using Scan = cub::WarpScan<unsigned, 16>;
  using Sort = cub::WarpMergeSort<unsigned, 1, 32>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[8];
  __shared__ typename Sort::TempStorage sort[4];
  const unsigned i = blockIdx.x * 128 + threadIdx.x, warp = threadIdx.x / 32;
  const unsigned sum = Reduce(reduce[warp]).Sum(in[i]);
  out[i] = threadIdx.x % 32 == 0 ? sum : 0;
  unsigned scanned;
  Scan(scan[threadIdx.x / 16]).InclusiveSum(in[i], scanned);
  out[512 + i] = scanned;
  unsigned key[1] = {in[i]};
  Sort(sort[warp]).Sort(key, [](unsigned a, unsigned b) { return a < b; });
  out[1024 + i] = key[0];
}
