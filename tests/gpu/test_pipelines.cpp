// Pipelines as programs for Hopper have them: a warp that copies (TMA), warp groups that multiply, and rings of stages
// between them. All numbers are small and whole, so that every sum is exact and the host's.
#include "needs.hpp"
#include "warp_group_case.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pipelines_test {

namespace {

using kiln::TensorMap;

const char* const common = R"(
#include <cuda.h>
#include <cuda_fp16.h>

using Barrier = unsigned long long;

__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }
__device__ void init(Barrier* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count) : "memory");
}
__device__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  fence_async();
}
__device__ void expect(Barrier* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;"
               ::"r"(address_of(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}
// At the barrier of a block of the cluster.
__device__ void arrive(Barrier* barrier, int rank) {
  asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }"
               ::"r"(address_of(barrier)), "r"(rank) : "memory");
}
__device__ void wait(Barrier* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(address_of(barrier)), "r"(parity) : "memory");
}
__device__ void named_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ void store_box(const CUtensorMap* map, const void* from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               ::"l"(map), "r"(address_of(from)), "r"(x), "r"(y) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int left>
__device__ void wait_for_reads() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory"); }
__device__ void wait_for_stores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

// Where one is in a ring.
template <int stages>
struct Place {
  int stage = 0;
  unsigned phase = 0;
  __device__ void advance() {
    if (++stage < stages) return;
    stage = 0;
    phase ^= 1;
  }
};
)";

// D = A B: A has rows of K, and so has B, a row for each column of D. A tile is 128 x 64; a line of a stage has 128
// bytes, swizzled. The last two of three warp groups multiply 64 rows each; the first has a thread that loads. The
// blocks of a cluster have the same columns of D: each loads a part of B for all.
const char* const gemm_source = R"(
constexpr int stages = 3, line = 128, tile_rows = 128, tile_columns = 64, consumers = 8;  // consumers: warps

struct Shared {
  unsigned char a[stages][tile_rows * line], b[stages][tile_columns * line], d[2][64 * line];
  Barrier full[stages], empty[stages];
};

struct Tiles {
  int rows, columns, steps;  // the rows, in tiles of a cluster
};

__device__ void load_box(const CUtensorMap* map, const void* to, Barrier* barrier, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%3, %4}], [%2];"
               ::"r"(address_of(to)), "l"(map), "r"(address_of(barrier)), "r"(x), "r"(y) : "memory");
}
__device__ void load_box_for_all(const CUtensorMap* map, const void* to, Barrier* barrier, int x, int y,
                                 unsigned blocks) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%3, %4}], [%2], %5;"
               ::"r"(address_of(to)), "l"(map), "r"(address_of(barrier)), "r"(x), "r"(y),
                 "h"(static_cast<unsigned short>(blocks)) : "memory");
}
__device__ unsigned packed(float x, float y) {
  const __half2 pair = __floats2half2_rn(x, y);
  return *reinterpret_cast<const unsigned*>(&pair);
}
__device__ unsigned packed(int x, int y) { return (x & 0xFFFF) | y << 16; }
template <class T> struct SumOf { using type = float; };
template <> struct SumOf<signed char> { using type = int; };
// Sums that are still being made must stay where they are.
__device__ void keep(float& sum) { asm volatile("" : "+f"(sum)::"memory"); }
__device__ void keep(int& sum) { asm volatile("" : "+r"(sum)::"memory"); }

template <class T, int cluster>
__device__ void load_tiles(Shared& shared, const CUtensorMap* a, const CUtensorMap* b, Tiles tiles, int first, int step, int rank) {
  constexpr int elements = line / sizeof(T), part = tile_columns / cluster;
  Place<stages> place;
  for (int tile = first; tile < tiles.rows * tiles.columns; tile += step) {
    const int row = (tile % tiles.rows * cluster + rank) * tile_rows, column = tile / tiles.rows * tile_columns;
    for (int k = 0; k < tiles.steps; ++k, place.advance()) {
      wait(&shared.empty[place.stage], place.phase ^ 1);
      Barrier* const full = &shared.full[place.stage];
      expect(full, (tile_rows + tile_columns) * line);
      load_box(a, shared.a[place.stage], full, k * elements, row);
      unsigned char* const to = shared.b[place.stage] + rank * part * line;
      if constexpr (cluster == 1)
        load_box(b, to, full, k * elements, column);
      else
        load_box_for_all(b, to, full, k * elements, column + rank * part, (1u << cluster) - 1);
    }
  }
}

template <int cluster>
__device__ void release(Barrier* empty) {
  __syncwarp();
  if constexpr (cluster == 1) {
    if (threadIdx.x % 32 == 0) arrive(empty);
  } else {
    if (threadIdx.x % 32 < cluster) arrive(empty, threadIdx.x % 32);
  }
}

// 64 x 64 sums, as wgmma leaves them in registers, to swizzled lines of shared memory.
template <class Sum>
__device__ void store_matrices(unsigned char* lines, const Sum (&sums)[32]) {
  const int lane = threadIdx.x % 32, row = threadIdx.x % 128 / 32 * 16 + lane % 16;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int chunk = (2 * i + lane / 16) ^ (row % 8);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 ::"r"(address_of(lines + row * line + chunk * 16)), "r"(packed(sums[8 * i], sums[8 * i + 1])),
                   "r"(packed(sums[8 * i + 2], sums[8 * i + 3])), "r"(packed(sums[8 * i + 4], sums[8 * i + 5])),
                   "r"(packed(sums[8 * i + 6], sums[8 * i + 7])) : "memory");
  }
}

template <class T, int cluster>
__device__ void multiply_tiles(Shared& shared, const CUtensorMap* d, Tiles tiles, int first, int step, int rank) {
  const int group = threadIdx.x / 128 - 1;
  const bool stores = threadIdx.x % 128 == 0;
  constexpr unsigned long long layout = 1ull << 62 | 64ull << 32 | 1ull << 16;  // lines of 128 bytes, swizzled
  Place<stages> place;
  for (int tile = first; tile < tiles.rows * tiles.columns; tile += step) {
    typename SumOf<T>::type sums[32];
    int before = 0;
    for (int k = 0; k < tiles.steps; ++k) {
      wait(&shared.full[place.stage], place.phase);
      const unsigned long long x = layout | address_of(shared.a[place.stage] + group * 64 * line) >> 4;
      const unsigned long long y = layout | address_of(shared.b[place.stage]) >> 4;
#pragma unroll
      for (int i = 0; i < 32; ++i) keep(sums[i]);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int i = 0; i < 4; ++i) multiply(sums, x + 2 * i, y + 2 * i, k + i > 0);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
#pragma unroll
      for (int i = 0; i < 32; ++i) keep(sums[i]);
      if (k > 0) release<cluster>(&shared.empty[before]);
      before = place.stage;
      place.advance();
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 32; ++i) keep(sums[i]);
    release<cluster>(&shared.empty[before]);
    if (stores) wait_for_reads<0>();
    named_barrier(1 + group, 128);
    store_matrices(shared.d[group], sums);
    fence_async();
    named_barrier(1 + group, 128);
    if (stores)
      store_box(d, shared.d[group], tile / tiles.rows * tile_columns,
                (tile % tiles.rows * cluster + rank) * tile_rows + group * 64);
  }
  if (stores) wait_for_stores();
}

template <class T, int cluster>
__global__ void __launch_bounds__(384, 1) gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                                               const __grid_constant__ CUtensorMap d, Tiles tiles) {
  extern __shared__ unsigned char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory + (1024 - address_of(memory) % 1024) % 1024);
  const int rank = blockIdx.x % cluster, first = blockIdx.x / cluster, step = gridDim.x / cluster;
  if (threadIdx.x == 0) {
    for (const CUtensorMap* map : {&a, &b, &d}) asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
    for (int i = 0; i < stages; ++i) {
      init(&shared.full[i], 1);
      init(&shared.empty[i], consumers * cluster);
    }
    publish_barriers();
  }
  if constexpr (cluster == 1)
    __syncthreads();
  else
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) load_tiles<T, cluster>(shared, &a, &b, tiles, first, step, rank);
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    multiply_tiles<T, cluster>(shared, &d, tiles, first, step, rank);
    __syncwarp();
  }
  // A block stays while others may copy into its memory or arrive at its barriers.
  if constexpr (cluster > 1)
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
)";

/// The device function `multiply`: 64 x 64 sums and a product of 128 bytes a line.
std::string multiply_function(const std::string& sum, const std::string& constraint, const std::string& instruction,
                              const std::string& scales) {
  std::string numbers, outputs;
  for (int i = 0; i < 32; ++i) {
    numbers += (i == 0 ? "%" : ", %") + std::to_string(i);
    outputs += (i == 0 ? "\"+" : ", \"+") + constraint + "\"(c[" + std::to_string(i) + "])";
  }
  return "__device__ void multiply(" + sum +
         " (&c)[32], unsigned long long x, unsigned long long y, int adds) {\n"
         "  asm volatile(\"{ .reg .pred p; setp.ne.s32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64" +
         instruction + " {" + numbers + "}, %32, %33, p" + scales + "; }\" : " + outputs +
         " : \"l\"(x), \"l\"(y), \"r\"(adds) : \"memory\");\n}\n";
}

const kiln::SourceModule& gemm_module() {
  static const kiln::SourceModule made(common + multiply_function("float", "f", "k16.f32.f16.f16", ", 1, 1, 0, 0") +
                                           multiply_function("int", "r", "k32.s32.s8.s8", "") + gemm_source,
                                       kiln::CompileOptions{}.with_arch("sm_90a"));
  return made;
}

int value(std::size_t row, std::size_t k) { return static_cast<int>((row * 3 + k * 5 + row * k) % 5) - 2; }

template <class T>
std::vector<T> matrix(std::size_t rows, std::size_t columns, std::size_t first, const std::string& type) {
  std::vector<T> made(rows * columns);
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<T>(kiln::test::encoded_element(type, value(first + i / columns, i % columns)));
  return made;
}

TensorMap swizzled_map(const void* memory, kiln::TensorMapType type, std::size_t rows, std::size_t columns,
                       std::uint32_t box_rows, std::uint32_t box_columns) {
  kiln::TensorMapTiled tensor;
  tensor.pointer = memory;
  tensor.type = type;
  tensor.sizes = {columns, rows};
  tensor.box = {box_columns, box_rows};
  tensor.swizzle = kiln::TensorMapSwizzle::swizzle_128b;
  tensor.l2_promotion = kiln::TensorMapL2Promotion::l2_128b;
  return TensorMap::tiled(tensor);
}

// Of the kernel's parameter.
struct Tiles {
  int rows, columns, steps;
};

constexpr std::size_t rows = 200, columns = 232;  // no whole number of tiles

/// D as the kernel makes it, with 16 bits an element.
template <class T>
std::vector<std::uint16_t> product(const std::string& type, kiln::TensorMapType element, std::size_t depth,
                                   unsigned cluster, unsigned blocks) {
  const kiln::DeviceBuffer<T> a(matrix<T>(rows, depth, 0, type)), b(matrix<T>(columns, depth, 1, type));
  const kiln::DeviceBuffer<std::uint16_t> d(std::vector<std::uint16_t>(rows * columns, 0xFFFF));
  constexpr std::uint32_t elements = 128 / sizeof(T);
  const TensorMap left = swizzled_map(a.data(), element, rows, depth, 128, elements);
  const TensorMap right = swizzled_map(b.data(), element, columns, depth, 64 / cluster, elements);
  const TensorMap result = swizzled_map(
      d.data(), sizeof(T) == 1 ? kiln::TensorMapType::uint16 : kiln::TensorMapType::float16, rows, columns, 64, 64);
  kiln::LaunchConfig config{blocks, 384};
  config.shared_size = 92 * 1024;
  if (cluster > 1) config.attributes.cluster = cluster;
  const Tiles tiles{static_cast<int>((rows + 128 * cluster - 1) / (128 * cluster)), (columns + 63) / 64,
                    static_cast<int>((depth + elements - 1) / elements)};
  gemm_module().get_function(std::string("gemm<") + (sizeof(T) == 1 ? "signed char" : "__half") + ", " +
                             std::to_string(cluster) + ">")(config, left, right, result, tiles);
  return d.to_host();
}

void check_product(const std::vector<std::uint16_t>& found, const std::string& type, std::size_t depth) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      int sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += value(row, k) * value(column + 1, k);
      const auto expected = static_cast<std::uint16_t>(type == "s8" ? static_cast<std::uint32_t>(sum)
                                                                    : kiln::test::encoded_element("f16", sum));
      if (found[row * columns + column] == expected) continue;
      CAPTURE(row);
      CAPTURE(column);
      REQUIRE(found[row * columns + column] == expected);
    }
}

}  // namespace

TEST_CASE("pipelines: a product of f16, by a warp that loads and warp groups that multiply" *
          kiln::test::needs_sm_90a()) {
  for (const unsigned blocks : {1u, 3u, 8u}) {
    CAPTURE(blocks);
    check_product(product<std::uint16_t>("f16", kiln::TensorMapType::float16, 224, 1, blocks), "f16", 224);
  }
}

TEST_CASE("pipelines: a product of s8" * kiln::test::needs_sm_90a()) {
  check_product(product<std::uint8_t>("s8", kiln::TensorMapType::uint8, 464, 1, 3), "s8", 464);
}

TEST_CASE("pipelines: products by clusters whose blocks load parts of B for each other" * kiln::test::needs_sm_90a()) {
  for (const unsigned cluster : {2u, 4u}) {
    CAPTURE(cluster);
    check_product(product<std::uint16_t>("f16", kiln::TensorMapType::float16, 224, cluster, 2 * cluster), "f16", 224);
    check_product(product<std::uint8_t>("s8", kiln::TensorMapType::uint8, 464, cluster, 2 * cluster), "s8", 464);
  }
}

// Each block goes down a strip of 64 columns. A warp loads rows with their neighbours into a ring of six; two warps
// need three of them at a time, and store four rows of results at once, from two buffers in turn.
TEST_CASE("pipelines: a stencil with a ring of rows, and boxes that are stored" *
          kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t width = 192, height = 37, pitch = width + 8;
  const kiln::SourceModule module(common + std::string(R"(
constexpr int slots = 6, row_bytes = (64 + 8) * 4;
__global__ void __launch_bounds__(96) stencil(const float* in, int pitch, int height, const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) float results[2][4][64], row[slots][72];
  __shared__ Barrier full[slots], empty[slots];
  const int lane = threadIdx.x % 32, x = blockIdx.x * 64;
  if (threadIdx.x == 0) {
    for (int i = 0; i < slots; ++i) {
      init(&full[i], 1);
      init(&empty[i], 64);
    }
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    Place<slots> place;
    for (int y = 0; y < height + 2 && lane == 0; ++y, place.advance()) {
      wait(&empty[place.stage], place.phase ^ 1);
      expect(&full[place.stage], row_bytes);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   ::"r"(address_of(row[place.stage])), "l"(__cvta_generic_to_global(in + y * pitch + x)), "n"(row_bytes),
                     "r"(address_of(&full[place.stage])) : "memory");
    }
    return;
  }
  const int t = threadIdx.x - 32;
  Place<slots> above, here, below;
  here.advance();
  below.advance();
  below.advance();
  wait(&full[0], 0);
  wait(&full[1], 0);
  for (int y = 0; y < height; ++y) {
    wait(&full[below.stage], below.phase);
    const float* const middle = row[here.stage] + 4 + t;
    results[y / 4 % 2][y % 4][t] =
        6 * middle[0] - middle[-1] - 2 * middle[1] - row[above.stage][4 + t] - 2 * row[below.stage][4 + t];
    arrive(&empty[above.stage]);
    above.advance();
    here.advance();
    below.advance();
    if (y % 4 != 3 && y != height - 1) continue;
    fence_async();
    named_barrier(1, 64);
    if (t == 0) {
      store_box(&out, results[y / 4 % 2], x, y / 4 * 4);
      wait_for_reads<1>();
    }
    named_barrier(1, 64);
  }
  if (t == 0) wait_for_stores();
}
)"));
  const auto number = [](std::size_t i) { return static_cast<float>(i * 7 % 101); };
  std::vector<float> in(pitch * (height + 2));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = number(i);
  const kiln::DeviceBuffer<float> memory(in), out(std::vector<float>(width * height, -1));
  kiln::TensorMapTiled tensor;
  tensor.sizes = {width, height};
  tensor.box = {64, 4};
  module.get_function("stencil")({width / 64, 96}, memory.device_pointer(), static_cast<int>(pitch),
                                 static_cast<int>(height), TensorMap::tiled(out.data(), tensor));
  const std::vector<float> found = out.to_host();
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = (y + 1) * pitch + x + 4;
      REQUIRE(found[y * width + x] ==
              6 * number(at) - number(at - 1) - 2 * number(at + 1) - number(at - pitch) - 2 * number(at + pitch));
    }
}

}  // namespace pipelines_test
