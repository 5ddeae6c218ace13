// Bulk copies and tensor maps in both directions: results that the host computes itself.
#include "needs.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace bulk_copies_test {

namespace {

using kiln::TensorMap;

const char* const source = R"(
#include <cuda.h>

__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }
__device__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void init(unsigned long long* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count) : "memory");
}
__device__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  fence_async();
}
__device__ void expect(unsigned long long* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(unsigned long long* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}
__device__ void wait(unsigned long long* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address_of(barrier)), "r"(parity) : "memory");
}
__device__ void finish_group() {
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ void load_2d(const CUtensorMap* map, void* target, unsigned long long* barrier, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               ::"r"(address_of(target)), "l"(map), "r"(address_of(barrier)), "r"(x), "r"(y) : "memory");
}

// Each block brings a piece in, and adds it to `sums`, and writes it to `copies`.
extern "C" __global__ void bulk_there_and_back(const unsigned* in, unsigned* sums, unsigned* copies) {
  __shared__ alignas(128) unsigned piece[256];
  __shared__ alignas(8) unsigned long long barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    publish_barriers();
    expect(&barrier, sizeof piece);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(address_of(piece)), "l"(__cvta_generic_to_global(in + blockIdx.x * 256)),
                   "r"(static_cast<unsigned>(sizeof piece)), "r"(address_of(&barrier)) : "memory");
  }
  __syncthreads();
  wait(&barrier, 0);
  piece[threadIdx.x] += threadIdx.x;
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 1024;"
                 ::"l"(__cvta_generic_to_global(sums)), "r"(address_of(piece)) : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;"
                 ::"l"(__cvta_generic_to_global(copies + blockIdx.x * 256)), "r"(address_of(piece)) : "memory");
    finish_group();
  }
}

// Stores a box of `words` words, which count from 1, or adds it.
template <bool adds>
__global__ void store_box(const __grid_constant__ CUtensorMap map, int words, int x, int y) {
  __shared__ alignas(1024) unsigned box[1024];
  for (int i = threadIdx.x; i < words; i += blockDim.x) box[i] = i + 1;
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (adds)
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];"
                   ::"l"(&map), "r"(address_of(box)), "r"(x), "r"(y) : "memory");
    else
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                   ::"l"(&map), "r"(address_of(box)), "r"(x), "r"(y) : "memory");
    finish_group();
  }
}

__global__ void load_words(const __grid_constant__ CUtensorMap map, unsigned* out, int words, int x, int y) {
  __shared__ alignas(1024) unsigned box[1024];
  __shared__ alignas(8) unsigned long long barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    publish_barriers();
    expect(&barrier, words * 4);
    load_2d(&map, box, &barrier, x, y);
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = box[i];
}

__global__ void load_4d(const __grid_constant__ CUtensorMap map, unsigned* out, int words, int im2col, int c, int x, int y,
                        int z) {
  __shared__ alignas(1024) unsigned box[1024];
  __shared__ alignas(8) unsigned long long barrier;
  if (threadIdx.x == 0) {
    init(&barrier, 1);
    publish_barriers();
    expect(&barrier, words * 4);
    if (im2col)
      asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %7};"
                   ::"r"(address_of(box)), "l"(&map), "r"(address_of(&barrier)), "r"(c), "r"(x), "r"(y), "r"(z),
                     "h"(static_cast<unsigned short>(1)) : "memory");
    else
      asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                   "[%0], [%1, {%3, %4, %5, %6}], [%2];"
                   ::"r"(address_of(box)), "l"(&map), "r"(address_of(&barrier)), "r"(c), "r"(x), "r"(y), "r"(z) : "memory");
  }
  __syncthreads();
  wait(&barrier, 0);
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = box[i];
}

// A ring of four stages. Warp 0 loads boxes of 32 x 8 floats down a column of them; warps 1 to 4 sum them, each thread
// an eighth of a column, and free the stage.
constexpr int stages = 4;
__global__ void ring(const __grid_constant__ CUtensorMap map, float* sums, int boxes) {
  __shared__ alignas(1024) float stage[stages][8][32];
  __shared__ alignas(8) unsigned long long full[stages], empty[stages];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      init(&full[i], 1);
      init(&empty[i], 4);
    }
    publish_barriers();
  }
  __syncthreads();
  if (warp == 0) {
    if (lane == 0)
      for (int i = 0; i < boxes; ++i) {
        if (i >= stages) wait(&empty[i % stages], (i / stages - 1) & 1);
        expect(&full[i % stages], sizeof stage[0]);
        load_2d(&map, stage[i % stages], &full[i % stages], blockIdx.x * 32, i * 8);
      }
    return;
  }
  float sum = 0;
  for (int i = 0; i < boxes; ++i) {
    wait(&full[i % stages], (i / stages) & 1);
    for (int row = warp - 1; row < 8; row += 4) {
      const int chunk = (lane / 4) ^ row;  // 16 bytes, moved by the swizzle of 128 bytes
      sum += stage[i % stages][row][chunk * 4 + lane % 4];
    }
    __syncwarp();
    if (lane == 0) arrive(&empty[i % stages]);
  }
  sums[(blockIdx.x * 4 + warp - 1) * 32 + lane] = sum;
}
)";

// Changes a map in shared memory, and copies it to `maps`, whose second entry a kernel loads by.
const char* const changing_source = R"(
#include <cuda.h>
extern "C" __global__ void change_map(const __grid_constant__ CUtensorMap map, CUtensorMap* maps, const unsigned* other,
                                      unsigned columns) {
  __shared__ alignas(128) CUtensorMap own;
  if (threadIdx.x < 32) reinterpret_cast<unsigned*>(&own)[threadIdx.x] = reinterpret_cast<const unsigned*>(&map)[threadIdx.x];
  __syncwarp();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&own));
  if (threadIdx.x == 0) {
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(other) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(columns) : "memory");
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
               ::"l"(__cvta_generic_to_global(maps + 1)), "r"(at) : "memory");
}
extern "C" __global__ void load_changed(const CUtensorMap* maps, unsigned* out) {
  __shared__ alignas(1024) unsigned box[64];
  __shared__ alignas(8) unsigned long long barrier;
  const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(bar) : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(maps + 1) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %3}], [%2];"
                 ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(box))), "l"(maps + 1), "r"(bar), "r"(0) : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(bar) : "memory");
  out[threadIdx.x] = box[threadIdx.x];
}
)";

kiln::SourceModule& module() {
  static kiln::SourceModule kernels(source);
  return kernels;
}

std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i + 1);
  return values;
}

/// The word at which the swizzle of so many bytes (0, 32, 64 or 128) puts this one.
std::size_t swizzled(std::size_t word, std::size_t span) {
  const std::size_t mask = span == 0 ? 0 : span / 16 - 1;
  return word ^ (((word >> 5) & mask) << 2);
}

std::vector<std::uint32_t> load_words(const TensorMap& map, std::size_t words, int x, int y) {
  const kiln::DeviceBuffer<std::uint32_t> out(std::vector<std::uint32_t>(words, 77));
  module().get_function("load_words")({1, 64}, map, out, static_cast<int>(words), x, y);
  return out.to_host();
}

}  // namespace

TEST_CASE("bulk copies: pieces come in, are summed over blocks, and go back" *
          kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t blocks = 5;
  const std::vector<std::uint32_t> values = counted(256 * blocks);
  const kiln::DeviceBuffer<std::uint32_t> in(values), copies(std::vector<std::uint32_t>(values.size()));
  const kiln::DeviceBuffer<std::uint32_t> sums(std::vector<std::uint32_t>(256, 3));
  module().get_function("bulk_there_and_back")({blocks, 256}, in, sums, copies);
  const std::vector<std::uint32_t> copied = copies.to_host(), summed = sums.to_host();
  for (std::size_t i = 0; i < 256; ++i) {
    std::uint32_t sum = 3;
    for (std::size_t block = 0; block < blocks; ++block) {
      const auto value = static_cast<std::uint32_t>(values[block * 256 + i] + i);
      REQUIRE(copied[block * 256 + i] == value);
      sum += value;
    }
    REQUIRE(summed[i] == sum);
  }
}

TEST_CASE("bulk copies: boxes are stored and added, and nothing outside the tensor" *
          kiln::test::needs_compute_capability_9()) {
  constexpr int columns = 20, rows = 12, pitch = 24;
  const struct {
    kiln::TensorMapSwizzle swizzle;
    std::size_t span;
    std::uint32_t width;
  } cases[] = {{kiln::TensorMapSwizzle::none, 0, 16},
               {kiln::TensorMapSwizzle::swizzle_32b, 32, 8},
               {kiln::TensorMapSwizzle::swizzle_64b, 64, 16},
               {kiln::TensorMapSwizzle::swizzle_128b, 128, 32}};
  for (const bool adds : {false, true})
    for (const auto& item : cases)
      for (const auto& [x, y] : {std::pair{0, 0}, {4, 5}, {16, 9}, {20, 0}}) {
        const std::vector<std::uint32_t> old(std::size_t{pitch} * (rows + 1), 1000);
        const kiln::DeviceBuffer<std::uint32_t> memory(old);
        kiln::TensorMapTiled tensor;
        tensor.sizes = {columns, rows};
        tensor.strides = {pitch * 4};
        tensor.box = {item.width, 8};
        tensor.swizzle = item.swizzle;
        const auto words = static_cast<int>(item.width * 8);
        module().get_function(adds ? "store_box<true>" : "store_box<false>")(
            {1, 64}, TensorMap::tiled(memory.data(), tensor), words, x, y);
        std::vector<std::uint32_t> expected = old;
        for (int i = 0; i < words; ++i) {
          const int width = static_cast<int>(item.width), to_x = x + i % width, to_y = y + i / width;
          if (to_x < 0 || to_y < 0 || to_x >= columns || to_y >= rows) continue;
          const auto value = static_cast<std::uint32_t>(swizzled(static_cast<std::size_t>(i), item.span) + 1);
          expected[static_cast<std::size_t>(to_y * pitch + to_x)] = value + (adds ? 1000 : 0);
        }
        CHECK(memory.to_host() == expected);
      }
}

TEST_CASE("bulk copies: what an f32 becomes as tf32, and what is outside as NaN" *
          kiln::test::needs_compute_capability_9()) {
  const std::vector<std::uint32_t> values = {1,          0x3F801000, 0x3F801800, 0x3F803000,
                                             0x7F800001, 0xFF800000, 0x7F7FFFFF, 0x807FFFFF};
  const kiln::DeviceBuffer<std::uint32_t> memory(values);
  kiln::TensorMapTiled tensor;
  tensor.pointer = reinterpret_cast<const void*>(memory.data());
  tensor.type = kiln::TensorMapType::tfloat32;
  tensor.sizes = {8, 1};
  tensor.box = {12, 1};
  tensor.out_of_bounds_fill = kiln::TensorMapFill::nan;
  const std::vector<std::uint32_t> expected = {0,          0x3F800000, 0x3F802000, 0x3F804000, 0x7FFFE000, 0xFF800000,
                                               0x7F800000, 0x80800000, 0x7FF77FF7, 0x7FF77FF7, 0x7FF77FF7, 0x7FF77FF7};
  CHECK(load_words(TensorMap::tiled(tensor), 12, 0, 0) == expected);
}

TEST_CASE("bulk copies: an interleaved layout counts slices of 16 and 32 bytes" *
          kiln::test::needs_compute_capability_9()) {
  const std::vector<std::uint32_t> values = counted(8192);
  const kiln::DeviceBuffer<std::uint32_t> memory(values);
  for (const std::size_t slice : {4u, 8u}) {  // words
    CAPTURE(slice);
    kiln::TensorMapTiled tensor;
    tensor.sizes = {12, 5, 4, 2};
    tensor.strides = {512, 4096, 16384};
    tensor.box = {8, 3, 1, 1};
    tensor.element_strides = {1, 2, 1, 1};
    tensor.interleave =
        slice == 4 ? kiln::TensorMapInterleave::interleave_16b : kiln::TensorMapInterleave::interleave_32b;
    tensor.swizzle = kiln::TensorMapSwizzle::swizzle_32b;
    const TensorMap map = TensorMap::tiled(memory.data(), tensor);
    const std::size_t words = 8 * 2 * slice;
    const kiln::DeviceBuffer<std::uint32_t> out(std::vector<std::uint32_t>(words, 77));
    module().get_function("load_4d")({1, 64}, map, out, static_cast<int>(words), 0, 6, 3, 2, 1);
    const std::vector<std::uint32_t> box = out.to_host();
    for (std::size_t i = 0; i < words; ++i) {
      const std::size_t x = 6 + i / slice % 8, y = 3 + 2 * (i / slice / 8);
      const bool inside = x < 12 && y < 5;
      const std::size_t at = 1 * 4096 + 2 * 1024 + y * 128 + x * slice + i % slice;
      REQUIRE(box[swizzled(i, 32)] == (inside ? values[at] : 0));
    }
  }
}

TEST_CASE("bulk copies: im2col with padding and strides" * kiln::test::needs_compute_capability_9()) {
  constexpr int width = 7, height = 6, images = 2, pixels = 30;
  const std::vector<std::uint32_t> values = counted(std::size_t{4} * width * height * images);
  const kiln::DeviceBuffer<std::uint32_t> memory(values);
  for (const int step_w : {1, 2, 3})
    for (const int step_h : {1, 2})
      for (const auto& [w, h] : {std::pair{-1, -1}, {0, 0}, {2, 1}}) {
        kiln::TensorMapIm2col tensor;
        tensor.sizes = {4, width, height, images};
        tensor.lower_corner = {-1, -1};
        tensor.upper_corner = {-1, -2};
        tensor.channels_per_pixel = 4;
        tensor.pixels_per_column = pixels;
        tensor.element_strides = {1, static_cast<std::uint32_t>(step_w), static_cast<std::uint32_t>(step_h), 1};
        const TensorMap map = TensorMap::im2col(memory.data(), tensor);
        const kiln::DeviceBuffer<std::uint32_t> out(std::vector<std::uint32_t>(pixels * 4, 77));
        module().get_function("load_4d")({1, 64}, map, out, pixels * 4, 1, 0, w, h, 0);
        const std::vector<std::uint32_t> loaded = out.to_host();
        int x = w, y = h, n = 0;
        for (int pixel = 0; pixel < pixels; ++pixel) {
          const int px = x + 1, py = y + 1;  // the filter's offsets
          const bool inside = px >= 0 && px < width && py >= 0 && py < height && n < images;
          for (int c = 0; c < 4; ++c) {
            const int at = ((n * height + py) * width + px) * 4 + c;
            REQUIRE(loaded[static_cast<std::size_t>(pixel * 4 + c)] ==
                    (inside ? values[static_cast<std::size_t>(at)] : 0u));
          }
          x += step_w;
          if (x < width - 1) continue;
          x = -1;
          y += step_h;
          if (y < height - 2) continue;
          y = -1;
          ++n;
        }
      }
}

TEST_CASE("bulk copies: a ring of stages between a producer and four consumers" *
          kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t columns = 64, boxes = 11, rows = boxes * 8 - 3;
  std::vector<float> values(columns * rows);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 97);
  const kiln::DeviceBuffer<float> memory(values);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {columns, rows};
  tensor.box = {32, 8};
  tensor.swizzle = kiln::TensorMapSwizzle::swizzle_128b;
  const kiln::DeviceBuffer<float> sums(std::vector<float>(columns * 4, -1));
  module().get_function("ring")({2, 160}, TensorMap::tiled(memory.data(), tensor), sums, static_cast<int>(boxes));
  const std::vector<float> found = sums.to_host();
  for (std::size_t x = 0; x < columns; ++x)
    for (std::size_t part = 0; part < 4; ++part) {
      float sum = 0;
      for (std::size_t y = part; y < rows; y += 4) sum += values[y * columns + x];
      REQUIRE(found[(x / 32 * 4 + part) * 32 + x % 32] == sum);
    }
}

TEST_CASE("bulk copies: a kernel changes a tensor map" * kiln::test::needs_compute_capability_9()) {
  const std::string arch = kiln::Device::current().arch();
  const kiln::SourceModule changing(changing_source, kiln::CompileOptions{}.with_arch(arch + "a"));
  const std::vector<std::uint32_t> values = counted(64);
  std::vector<std::uint32_t> others = values;
  for (std::uint32_t& value : others) value += 1000;
  const kiln::DeviceBuffer<std::uint32_t> memory(values), other_memory(others);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {16, 4};
  tensor.box = {16, 4};
  const TensorMap map = TensorMap::tiled(memory.data(), tensor);
  const kiln::DeviceBuffer<TensorMap> maps(std::vector<TensorMap>{map, map});
  changing.get_function("change_map")({1, 32}, map, maps, other_memory, 10u);
  const kiln::DeviceBuffer<std::uint32_t> out(std::vector<std::uint32_t>(64, 77));
  changing.get_function("load_changed")({1, 64}, maps, out);
  const std::vector<std::uint32_t> box = out.to_host();
  for (std::size_t i = 0; i < 64; ++i) CHECK(box[i] == (i % 16 < 10 ? others[i] : 0));
}

}  // namespace bulk_copies_test
