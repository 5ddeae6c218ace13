// Kernels that use distributed shared memory, as programs for Hopper do, with results that the host computes.
#include "needs.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace clusters_test {

namespace {

const char* const source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Each block has a part of the bins; every thread adds to the block that has its value's bin.
extern "C" __global__ void histogram(const unsigned* values, int count, unsigned* bins, int bins_of_block) {
  extern __shared__ unsigned own[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const int bin = values[i] % (bins_of_block * cluster.num_blocks());
    unsigned* const there = cluster.map_shared_rank(own, bin / bins_of_block);
    atomicAdd(there + bin % bins_of_block, 1u);
  }
  cluster.sync();
  unsigned* const part = bins + cluster.block_rank() * bins_of_block;
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(part + i, own[i]);
}

// The places of a block: in the grid, in its cluster, and of the cluster.
extern "C" __global__ void places(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned* const own = out + 8 * block;
  const dim3 index = cluster.block_index(), size = cluster.dim_blocks();
  own[0] = index.x; own[1] = index.y; own[2] = index.z;
  own[3] = cluster.block_rank();
  own[4] = size.x + 10 * size.y + 100 * size.z;
  own[5] = cluster.num_threads();
  own[6] = cluster.thread_rank();
  unsigned id;
  asm("{ .reg .u32 y, z, ny, nx; mov.u32 %0, %%clusterid.x; mov.u32 y, %%clusterid.y; mov.u32 z, %%clusterid.z;"
      " mov.u32 nx, %%nclusterid.x; mov.u32 ny, %%nclusterid.y;"
      " mad.lo.u32 y, z, ny, y; mad.lo.u32 %0, y, nx, %0; }" : "=r"(id));
  own[7] = id;
}

// A sum over the cluster, by a tree over its blocks.
extern "C" __global__ void sums(const int* values, int* out) {
  __shared__ int total;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, values[blockIdx.x * blockDim.x + threadIdx.x]);
  cluster.sync();
  for (unsigned step = 1; step < cluster.num_blocks(); step *= 2) {
    int other = 0;
    const unsigned from = cluster.block_rank() + step;
    if (threadIdx.x == 0 && cluster.block_rank() % (2 * step) == 0 && from < cluster.num_blocks())
      other = *cluster.map_shared_rank(&total, from);
    cluster.sync();
    if (threadIdx.x == 0) total += other;
    cluster.sync();
  }
  if (threadIdx.x == 0 && cluster.block_rank() == 0) out[blockIdx.x / cluster.num_blocks()] = total;
}

__device__ unsigned shared_address(const void* place) { return static_cast<unsigned>(__cvta_generic_to_shared(place)); }

// Each block sends its words to the next one, asynchronously, and waits for those that come to it.
extern "C" __global__ void send(int* out) {
  __shared__ alignas(8) unsigned long long barrier;
  __shared__ alignas(16) int words[128];
  __shared__ int count;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned own = shared_address(&barrier), next = (cluster.block_rank() + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) {
    count = 7;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(own),
                 "r"(blockDim.x * 8) : "memory");
  }
  cluster.sync();
  unsigned there, place, counter;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(next));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(place) : "r"(shared_address(words + threadIdx.x)), "r"(next));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(counter) : "r"(shared_address(&count)), "r"(next));
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(place),
               "r"(1000 * blockIdx.x + threadIdx.x), "r"(there) : "memory");
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::
               "r"(counter), "r"(2), "r"(there) : "memory");
  asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;"
               " @!p bra L; }" ::"r"(own) : "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x] + 1000000 * count;
  cluster.sync();
}
)";

const kiln::SourceModule& module() {
  static const kiln::SourceModule made(source);
  return made;
}

kiln::LaunchConfig in_clusters(kiln::Dim3 grid, kiln::Dim3 block, kiln::Dim3 cluster) {
  kiln::LaunchConfig config{grid, block};
  config.attributes.cluster = cluster;
  return config;
}

/// 8, and 16 where the device has them.
std::vector<int> sizes() {
  if (kiln::Device::current().compute_capability() == std::pair(9, 0)) return {1, 2, 3, 4, 8, 16};
  return {1, 2, 3, 4, 8};
}

}  // namespace

TEST_CASE("a histogram whose bins are spread over the blocks of a cluster" * kiln::test::needs_compute_capability_9()) {
  constexpr int count = 20000, bins_of_block = 40;
  std::vector<unsigned> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = i * 2654435761u >> 7;
  const kiln::DeviceBuffer<unsigned> in(values);
  for (const int cluster : sizes()) {
    CAPTURE(cluster);
    const int all = cluster * bins_of_block;
    std::vector<unsigned> expected(static_cast<std::size_t>(all));
    for (const unsigned value : values) ++expected[value % static_cast<unsigned>(all)];
    const kiln::DeviceBuffer<unsigned> bins{std::vector<unsigned>(expected.size())};
    kiln::LaunchConfig config = in_clusters(2 * cluster, 128, cluster);
    config.shared_size = bins_of_block * sizeof(unsigned);
    module().get_function("histogram")(config, in, count, bins, bins_of_block);
    CHECK(bins.to_host() == expected);
  }
}

TEST_CASE("clusters of one, two and three dimensions: each block has its place" *
          kiln::test::needs_compute_capability_9()) {
  struct Shape {
    unsigned x, y, z;
  };
  for (const Shape cluster : {Shape{8, 1, 1}, Shape{1, 4, 1}, Shape{2, 2, 1}, Shape{2, 1, 2}, Shape{2, 2, 2},
                              Shape{1, 1, 8}, Shape{3, 2, 1}}) {
    CAPTURE(cluster.x);
    CAPTURE(cluster.y);
    CAPTURE(cluster.z);
    const Shape grid{2 * cluster.x, 3 * cluster.y, 2 * cluster.z};
    const unsigned blocks = grid.x * grid.y * grid.z;
    const kiln::DeviceBuffer<unsigned> out(8 * std::size_t{blocks});
    module().get_function("places")(
        in_clusters(kiln::Dim3(grid.x, grid.y, grid.z), 1, kiln::Dim3(cluster.x, cluster.y, cluster.z)), out);
    const std::vector<unsigned> found = out.to_host();
    for (unsigned block = 0; block < blocks; ++block) {
      const Shape at{block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y};
      const Shape in{at.x % cluster.x, at.y % cluster.y, at.z % cluster.z};
      const unsigned rank = in.x + cluster.x * (in.y + cluster.y * in.z);
      const unsigned id = at.x / cluster.x + 2 * (at.y / cluster.y + 3 * (at.z / cluster.z));
      const std::vector<unsigned> expected = {
          in.x, in.y, in.z, rank, cluster.x + 10 * cluster.y + 100 * cluster.z, cluster.x * cluster.y * cluster.z,
          rank, id};
      const auto first = found.begin() + 8 * static_cast<std::ptrdiff_t>(block);
      REQUIRE(std::vector<unsigned>(first, first + 8) == expected);
    }
  }
}

TEST_CASE("a sum over the blocks of each cluster, by reads of each other's shared memory" *
          kiln::test::needs_compute_capability_9()) {
  for (const int cluster : sizes()) {
    CAPTURE(cluster);
    constexpr int clusters = 5, threads = 96;
    std::vector<int> values(static_cast<std::size_t>(clusters * cluster * threads));
    std::iota(values.begin(), values.end(), -100);
    const kiln::DeviceBuffer<int> in(values), out(clusters);
    module().get_function("sums")(in_clusters(clusters * cluster, threads, cluster), in, out);
    const std::vector<int> found = out.to_host();
    for (int i = 0; i < clusters; ++i) {
      const auto first = values.begin() + std::ptrdiff_t{i} * cluster * threads;
      CHECK(found[static_cast<std::size_t>(i)] == std::accumulate(first, first + std::ptrdiff_t{cluster} * threads, 0));
    }
  }
}

TEST_CASE("asynchronous stores and reductions into the next block, which waits for the bytes" *
          kiln::test::needs_compute_capability_9()) {
  constexpr int threads = 128;
  for (const int cluster : sizes()) {
    if (cluster == 1) continue;  // an illegal instruction on an H100
    CAPTURE(cluster);
    const int blocks = 3 * cluster;
    const kiln::DeviceBuffer<int> out(static_cast<std::size_t>(blocks * threads));
    module().get_function("send")(in_clusters(blocks, threads, cluster), out);
    const std::vector<int> found = out.to_host();
    for (int block = 0; block < blocks; ++block) {
      const int first = block / cluster * cluster, from = first + (block - first + cluster - 1) % cluster;
      for (int i = 0; i < threads; ++i)
        REQUIRE(found[static_cast<std::size_t>(block * threads + i)] == 1000 * from + i + 1000000 * (7 + 2 * threads));
    }
  }
}

}  // namespace clusters_test
