// Tensor maps at work: boxes and pixels that the device's copy engine (TMA) brings into shared memory.
#include "needs.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tensor_map_test {

namespace {

using kiln::TensorMap;

// One thread has a box copied into shared memory; the block stores its words as they lie there.
const char* const source = R"(
#include <cuda.h>

__device__ unsigned address_of(const void* shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }

struct Arrival {
  unsigned long long barrier;
  __device__ void begin(int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)), "r"(bytes)
                 : "memory");
  }
  __device__ void wait() {
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(address_of(&barrier)) : "memory");
  }
};

template <int rank>
__device__ void copy_box(const CUtensorMap* map, unsigned target, unsigned barrier, int x, int y, int z) {
  if constexpr (rank == 1)
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
                 ::"r"(target), "l"(map), "r"(barrier), "r"(x) : "memory");
  if constexpr (rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(target), "l"(map), "r"(barrier), "r"(x), "r"(y) : "memory");
  if constexpr (rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
                 ::"r"(target), "l"(map), "r"(barrier), "r"(x), "r"(y), "r"(z) : "memory");
}

template <int rank>
__device__ void load_box(const CUtensorMap* map, unsigned* out, int words, int x, int y, int z) {
  __shared__ alignas(1024) unsigned box[4096];
  __shared__ Arrival arrival;
  if (threadIdx.x == 0) {
    arrival.begin(words * 4);
    copy_box<rank>(map, address_of(box), address_of(&arrival), x, y, z);
  }
  __syncthreads();
  arrival.wait();
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = box[i];
}

template <int rank>
__global__ void load(const __grid_constant__ CUtensorMap map, unsigned* out, int words, int x, int y, int z) {
  load_box<rank>(&map, out, words, x, y, z);
}

__global__ void load_listed(const CUtensorMap* maps, int which, unsigned* out, int words) {
  const CUtensorMap* map = maps + which;
  asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(map) : "memory");
  load_box<2>(map, out, words, 0, 0, 0);
}

__global__ void load_pixels(const __grid_constant__ CUtensorMap map, unsigned* out, int words, int w, int h, int n,
                            int offset_w, int offset_h) {
  __shared__ alignas(1024) unsigned pixels[4096];
  __shared__ Arrival arrival;
  if (threadIdx.x == 0) {
    arrival.begin(words * 4);
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
                 ::"r"(address_of(pixels)), "l"(&map), "r"(address_of(&arrival)), "r"(0), "r"(w), "r"(h), "r"(n),
                   "h"(static_cast<unsigned short>(offset_w)), "h"(static_cast<unsigned short>(offset_h)) : "memory");
  }
  __syncthreads();
  arrival.wait();
  for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = pixels[i];
}
)";

kiln::SourceModule& module() {
  static kiln::SourceModule kernels(source);
  return kernels;
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

struct Corner {
  int x = 0;
  int y = 0;
  int z = 0;
};

/// The box at a corner, as it lies in shared memory.
std::vector<float> load_box(const TensorMap& map, int rank, std::size_t elements, Corner corner) {
  const kiln::DeviceBuffer<float> out(std::vector<float>(elements, -1));
  const kiln::Function load = module().get_function("load<" + std::to_string(rank) + ">");
  load({1, 64}, map, out.device_pointer(), static_cast<int>(elements), corner.x, corner.y, corner.z);
  return out.to_host();
}

/// Where the swizzle of so many bytes (0, 32, 64 or 128) puts the byte at this offset.
std::size_t swizzled(std::size_t offset, std::size_t span) {
  const std::size_t mask = span == 0 ? 0 : span / 16 - 1;
  return offset ^ (((offset >> 7) & mask) << 4);
}

}  // namespace

TEST_CASE("a line is loaded, and what lies beyond it is zero" * kiln::test::needs_compute_capability_9()) {
  const std::vector<float> values = ramp(100);
  const kiln::DeviceBuffer<float> memory(values);
  const TensorMap map = TensorMap::tiled(memory.data(), {nullptr, kiln::TensorMapType::unstated, {100}, {}, {32}});
  for (const int x : {0, 20, 88, -4, 200}) {
    CAPTURE(x);
    const std::vector<float> box = load_box(map, 1, 32, {x});
    for (int i = 0; i < 32; ++i) {
      const int at = x + i;
      REQUIRE(box[static_cast<std::size_t>(i)] == (at >= 0 && at < 100 ? values[static_cast<std::size_t>(at)] : 0.0f));
    }
  }
}

TEST_CASE("boxes of a matrix with padded lines arrive, with every swizzle" * kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t columns = 72, rows = 40, stride = 80;
  const std::vector<float> values = ramp(stride * rows);
  const kiln::DeviceBuffer<float> memory(values);
  const struct {
    kiln::TensorMapSwizzle swizzle;
    std::size_t span;
    std::uint32_t width;
  } cases[] = {{kiln::TensorMapSwizzle::none, 0, 32},
               {kiln::TensorMapSwizzle::swizzle_32b, 32, 8},
               {kiln::TensorMapSwizzle::swizzle_64b, 64, 16},
               {kiln::TensorMapSwizzle::swizzle_128b, 128, 32}};
  for (const auto& item : cases) {
    kiln::TensorMapTiled tensor;
    tensor.sizes = {columns, rows};
    tensor.strides = {stride * sizeof(float)};
    tensor.box = {item.width, 16};
    tensor.swizzle = item.swizzle;
    tensor.l2_promotion = kiln::TensorMapL2Promotion::l2_128b;
    const TensorMap map = TensorMap::tiled(memory.data(), tensor);
    for (const Corner corner : {Corner{0, 0}, Corner{24, 8}, Corner{60, 30}}) {
      const std::vector<float> box = load_box(map, 2, item.width * 16, corner);
      for (std::size_t row = 0; row < 16; ++row)
        for (std::size_t column = 0; column < item.width; ++column) {
          const std::size_t x = static_cast<std::size_t>(corner.x) + column;
          const std::size_t y = static_cast<std::size_t>(corner.y) + row;
          const float expected = x < columns && y < rows ? values[y * stride + x] : 0.0f;
          const std::size_t offset = (row * item.width + column) * sizeof(float);
          REQUIRE(box[swizzled(offset, item.span) / sizeof(float)] == expected);
        }
    }
  }
}

TEST_CASE("a dense volume is loaded, every second line where element strides ask for it, with nan outside" *
          kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t width = 16, height = 12, depth = 6;
  const std::vector<float> values = ramp(width * height * depth);
  const kiln::DeviceBuffer<float> memory(values);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {width, height, depth};
  tensor.box = {8, 8, 2};
  tensor.element_strides = {1, 2, 1};
  tensor.out_of_bounds_fill = kiln::TensorMapFill::nan;
  const TensorMap map = TensorMap::tiled(memory.data(), tensor);
  constexpr std::size_t loaded = 8 * 4 * 2;
  const std::vector<float> box = load_box(map, 3, loaded, {12, 2, 5});
  for (std::size_t i = 0; i < loaded; ++i) {
    const std::size_t x = 12 + i % 8, y = 2 + 2 * (i / 8 % 4), z = 5 + i / 32;
    if (x < width && y < height && z < depth)
      REQUIRE(box[i] == values[(z * height + y) * width + x]);
    else
      REQUIRE(std::isnan(box[i]));
  }
}

TEST_CASE("a map is moved to other memory, and lists of maps lie in device memory" *
          kiln::test::needs_compute_capability_9()) {
  const std::vector<float> values = ramp(64 * 8);
  std::vector<float> others = values;
  for (float& value : others) value = -value;
  const kiln::DeviceBuffer<float> memory(values);
  const kiln::DeviceBuffer<float> other_memory(others);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {64, 8};
  tensor.box = {64, 8};
  const TensorMap map = TensorMap::tiled(memory.data(), tensor);
  const TensorMap moved = map.with_address(other_memory.data());
  CHECK(load_box(map, 2, values.size(), {}) == values);
  CHECK(load_box(moved, 2, values.size(), {}) == others);
  const TensorMap encoded = TensorMap::tiled(other_memory.data(), tensor);
  CHECK(std::memcmp(&moved, &encoded, sizeof moved) == 0);

  const kiln::DeviceBuffer<TensorMap> maps(std::vector<TensorMap>{map, moved});
  const kiln::DeviceBuffer<float> out(std::vector<float>(values.size()));
  const auto load_listed = module().get_function("load_listed");
  load_listed({1, 64}, maps, 1, out.device_pointer(), static_cast<int>(values.size()));
  CHECK(out.to_host() == others);
  load_listed({1, 64}, maps, 0, out.device_pointer(), static_cast<int>(values.size()));
  CHECK(out.to_host() == values);
}

TEST_CASE("elements of one, two and eight bytes are loaded" * kiln::test::needs_compute_capability_9()) {
  const auto check = [](auto element, int words) {
    using T = decltype(element);
    std::vector<T> values(256);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i * 3);
    const kiln::DeviceBuffer<T> memory(values);
    kiln::TensorMapTiled tensor;
    tensor.sizes = {256};
    tensor.box = {64};
    const std::vector<float> box =
        load_box(TensorMap::tiled(memory.data(), tensor), 1, static_cast<std::size_t>(words), {128});
    CHECK(std::memcmp(box.data(), values.data() + 128, 64 * sizeof(T)) == 0);
  };
  check(std::uint8_t{}, 16);
  check(std::uint16_t{}, 32);
  check(std::int64_t{}, 128);
  check(double{}, 128);
}

TEST_CASE("im2col brings the pixels under a filter" * kiln::test::needs_compute_capability_9()) {
  constexpr std::size_t channels = 8, width = 6, height = 5, images = 2;
  const std::vector<float> values = ramp(channels * width * height * images);
  const kiln::DeviceBuffer<float> memory(values);
  // A filter of 3 x 2 without padding: its origin stays 2 columns and 1 line away from the far corner.
  kiln::TensorMapIm2col tensor;
  tensor.sizes = {channels, width, height, images};
  tensor.lower_corner = {0, 0};
  tensor.upper_corner = {-2, -1};
  tensor.channels_per_pixel = channels;
  tensor.pixels_per_column = 24;
  const TensorMap map = TensorMap::im2col(memory.data(), tensor);
  constexpr std::size_t words = channels * 24;
  const kiln::Function load = module().get_function("load_pixels");
  for (const int filter_x : {0, 2})
    for (const int filter_y : {0, 1}) {
      const kiln::DeviceBuffer<float> out(std::vector<float>(words, -1));
      load({1, 64}, map, out.device_pointer(), static_cast<int>(words), 0, 0, 0, filter_x, filter_y);
      const std::vector<float> pixels = out.to_host();
      for (std::size_t i = 0; i < words; ++i) {
        const std::size_t pixel = i / channels, n = pixel / 16;
        const std::size_t x = pixel % 4 + static_cast<std::size_t>(filter_x);
        const std::size_t y = pixel / 4 % 4 + static_cast<std::size_t>(filter_y);
        REQUIRE(pixels[i] == values[((n * height + y) * width + x) * channels + i % channels]);
      }
    }
}

TEST_CASE("the largest values that the rules allow, the driver takes" * kiln::test::needs_compute_capability_9()) {
  const kiln::DeviceBuffer<float> memory(1024);
  kiln::TensorMapTiled tensor;
  tensor.sizes = {std::uint64_t{1} << 32, 1, 1};
  tensor.strides = {(std::uint64_t{1} << 40) - 16, 16};
  tensor.box = {256, 1, 1};
  tensor.element_strides = {1, 8, 1};
  CHECK_NOTHROW(TensorMap::tiled(memory.data(), tensor));
  tensor.sizes = {16, 8, 4};
  tensor.strides = {};
  tensor.box = {16, 8, 4};
  for (const auto interleave : {kiln::TensorMapInterleave::interleave_16b, kiln::TensorMapInterleave::interleave_32b}) {
    tensor.interleave = interleave;
    tensor.swizzle = kiln::TensorMapSwizzle::swizzle_32b;
    tensor.element_strides = {};
    CHECK_NOTHROW(TensorMap::tiled(memory.data(), tensor));
  }
}

}  // namespace tensor_map_test
