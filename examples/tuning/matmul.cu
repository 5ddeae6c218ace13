// c = a * b, square matrices of n rows. A block of BLOCK_X times BLOCK_Y threads computes a tile of c, each thread
// WORK_X times WORK_Y elements of it, from tiles of a and b that are TILE_K wide.
#define TILE_M (BLOCK_Y * WORK_Y)
#define TILE_N (BLOCK_X * WORK_X)

extern "C" __global__ void matmul(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[TILE_M][TILE_K];
  __shared__ float tile_b[TILE_K][TILE_N];
  const int row = blockIdx.y * TILE_M, column = blockIdx.x * TILE_N;
  const int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  float sums[WORK_Y][WORK_X] = {};
  for (int k = 0; k < n; k += TILE_K) {
    for (int i = thread; i < TILE_M * TILE_K; i += BLOCK_X * BLOCK_Y) {
      const int y = row + i / TILE_K, x = k + i % TILE_K;
      tile_a[i / TILE_K][i % TILE_K] = y < n && x < n ? a[y * n + x] : 0;
    }
    for (int i = thread; i < TILE_K * TILE_N; i += BLOCK_X * BLOCK_Y) {
      const int y = k + i / TILE_N, x = column + i % TILE_N;
      tile_b[i / TILE_N][i % TILE_N] = y < n && x < n ? b[y * n + x] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE_K; ++i)
#pragma unroll
      for (int y = 0; y < WORK_Y; ++y)
#pragma unroll
        for (int x = 0; x < WORK_X; ++x)
          sums[y][x] += tile_a[threadIdx.y + y * BLOCK_Y][i] * tile_b[i][threadIdx.x + x * BLOCK_X];
    __syncthreads();
  }
  for (int y = 0; y < WORK_Y; ++y)
    for (int x = 0; x < WORK_X; ++x) {
      const int to_y = row + threadIdx.y + y * BLOCK_Y, to_x = column + threadIdx.x + x * BLOCK_X;
      if (to_y < n && to_x < n) c[to_y * n + to_x] = sums[y][x];
    }
}
