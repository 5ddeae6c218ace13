// The kernels that the emulator's speed is measured by: chosen before it was worked on, and not changed since.
#pragma once

namespace kiln::bench {

inline const char* const matmul_source = R"(
constexpr int tile = 16;
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int t = 0; t < n; t += tile) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
)";

inline const char* const nbody_source = R"(
extern "C" __global__ void nbody(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 near[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int begin = 0; begin < n; begin += blockDim.x) {
    near[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float4 other = near[k];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      const float scale = other.w * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(ax, ay, az, 0);
}
)";

inline const char* const stencil_source = R"(
extern "C" __global__ void stencil_2d(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

extern "C" __global__ void stencil_3d(const float* in, float* out, int size) {
  __shared__ float plane[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, row = size + 2, layer = row * row;
  int i = layer + y * row + x;
  float below = in[i - layer], here = in[i];
  for (int z = 0; z < size; ++z) {
    const float above = in[i + layer];
    plane[ty][tx] = here;
    if (tx == 1) plane[ty][0] = in[i - 1];
    if (tx == 32) plane[ty][33] = in[i + 1];
    if (ty == 1) plane[0][tx] = in[i - row];
    if (ty == 8) plane[9][tx] = in[i + row];
    __syncthreads();
    out[i] = 0.4f * here +
             0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + below + above);
    __syncthreads();
    below = here;
    here = above;
    i += layer;
  }
}
)";

inline const char* const histogram_source = R"(
extern "C" __global__ void histogram(const uchar4* values, unsigned count, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uchar4 four = values[i];
    atomicAdd(&own[four.x], 1u);
    atomicAdd(&own[four.y], 1u);
    atomicAdd(&own[four.z], 1u);
    atomicAdd(&own[four.w], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
)";

// CUB's own kernels of a device-wide sort, with its numbers for 4-byte keys.
inline const char* const sort_source = R"(
#include <cub/device/dispatch/kernels/radix_sort.cuh>
struct Policy {
  using ActivePolicy = Policy;
  using HistogramPolicy = cub::AgentRadixSortHistogramPolicy<128, 16, 1, unsigned, 8>;
  using ExclusiveSumPolicy = cub::AgentRadixSortExclusiveSumPolicy<256, 8>;
  using OnesweepPolicy = cub::AgentRadixSortOnesweepPolicy<384, 21, unsigned, 1, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                                           cub::BLOCK_SCAN_RAKING_MEMOIZE, cub::RADIX_SORT_STORE_DIRECT, 8>;
};
using namespace cub::detail::radix_sort;
constexpr auto up = cub::SortOrder::Ascending;
)";
inline const char* const sort_histogram = "DeviceRadixSortHistogramKernel<Policy, up, unsigned, unsigned>";
inline const char* const sort_sums = "DeviceRadixSortExclusiveSumKernel<Policy, unsigned>";
inline const char* const sort_pass =
    "DeviceRadixSortOnesweepKernel<Policy, up, unsigned, cub::NullType, unsigned, int, int>";
constexpr unsigned sort_pass_threads = 384, sort_pass_items = 384 * 21, sort_digits = 256, sort_passes = 4;

}  // namespace kiln::bench
