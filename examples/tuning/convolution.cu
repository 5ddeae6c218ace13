// out = in convolved with a filter of 9 times 9, of images of width times height; outside is 0. A thread computes
// WORK_X times WORK_Y pixels, with SHARED from a tile of the image in shared memory.
#define FILTER 9
#define RADIUS (FILTER / 2)
#define TILE_X (BLOCK_X * WORK_X)
#define TILE_Y (BLOCK_Y * WORK_Y)

extern "C" __global__ void convolution(float* out, const float* in, const float* filter, int width, int height) {
  const int left = blockIdx.x * TILE_X - RADIUS, top = blockIdx.y * TILE_Y - RADIUS;
  const auto pixel = [&](int x, int y) { return x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0; };
#if SHARED
  __shared__ float tile[TILE_Y + FILTER - 1][TILE_X + FILTER - 1];
  for (int y = threadIdx.y; y < TILE_Y + FILTER - 1; y += BLOCK_Y)
    for (int x = threadIdx.x; x < TILE_X + FILTER - 1; x += BLOCK_X) tile[y][x] = pixel(left + x, top + y);
  __syncthreads();
  const auto near = [&](int x, int y) { return tile[y][x]; };
#else
  const auto near = [&](int x, int y) { return pixel(left + x, top + y); };
#endif
  float sums[WORK_Y][WORK_X] = {};
#pragma unroll
  for (int j = 0; j < FILTER; ++j)
#pragma unroll
    for (int i = 0; i < FILTER; ++i)
#pragma unroll
      for (int y = 0; y < WORK_Y; ++y)
#pragma unroll
        for (int x = 0; x < WORK_X; ++x)
          sums[y][x] += filter[j * FILTER + i] * near(threadIdx.x + x * BLOCK_X + i, threadIdx.y + y * BLOCK_Y + j);
  for (int y = 0; y < WORK_Y; ++y)
    for (int x = 0; x < WORK_X; ++x) {
      const int to_x = left + RADIUS + threadIdx.x + x * BLOCK_X, to_y = top + RADIUS + threadIdx.y + y * BLOCK_Y;
      if (to_x < width && to_y < height) out[to_y * width + to_x] = sums[y][x];
    }
}
