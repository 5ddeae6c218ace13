// out = in transposed, of width times height. A block of TILE times ROWS threads moves a tile of TILE times TILE
// elements through shared memory, whose rows are PADDING longer. SWIZZLE gives blocks that run together other rows of
// the matrix.
extern "C" __global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE + PADDING];
  const int block_x = blockIdx.x, block_y = SWIZZLE ? (blockIdx.x + blockIdx.y) % gridDim.y : blockIdx.y;
  const int x = block_x * TILE + threadIdx.x, y = block_y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = READ_ONLY ? __ldg(in + (y + j) * width + x) : in[(y + j) * width + x];
  __syncthreads();
  const int to_x = block_y * TILE + threadIdx.x, to_y = block_x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (to_x < height && to_y + j < width) out[(to_y + j) * height + to_x] = tile[threadIdx.x][threadIdx.y + j];
}
