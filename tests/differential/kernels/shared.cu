// Blocks that work together through shared memory.

// reduction <<<16, 256>>> in bits 4096 out 16 rows 1 exact
extern "C" __global__ void reduction(const unsigned* in, unsigned* out) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// scan <<<8, 256, 2048>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void scan(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned two[];
  unsigned *now = two, *next = two + 256;
  now[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  for (unsigned step = 1; step < 256; step *= 2) {
    __syncthreads();
    next[threadIdx.x] = now[threadIdx.x] + (threadIdx.x >= step ? now[threadIdx.x - step] : 0);
    unsigned* const old = now;
    now = next;
    next = old;
  }
  out[blockIdx.x * 256 + threadIdx.x] = now[threadIdx.x];
}

// transpose <<<(4, 4), (32, 8)>>> in bits 16384 out 16384 rows 1 exact
extern "C" __global__ void transpose(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32][33];
  for (unsigned y = threadIdx.y; y < 32; y += 8)
    tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * 128 + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned y = threadIdx.y; y < 32; y += 8)
    out[(blockIdx.x * 32 + y) * 128 + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}

// bitonic_sort <<<4, 512>>> in bits 2048 out 2048 rows 1 exact
extern "C" __global__ void bitonic_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned word[512];
  const unsigned t = threadIdx.x;
  word[t] = in[blockIdx.x * 512 + t];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned other = t ^ step;
      if (other > t) {
        const bool up = (t & size) == 0;
        if ((word[t] > word[other]) == up) {
          const unsigned kept = word[t];
          word[t] = word[other];
          word[other] = kept;
        }
      }
    }
  __syncthreads();
  out[blockIdx.x * 512 + t] = word[t];
}

// matrix_product <<<(4, 4), (16, 16)>>> in unit 8192 out 4096 rows 1 exact
extern "C" __global__ void matrix_product(const unsigned* in, unsigned* out) {
  __shared__ float a[16][16], b[16][16];
  const float *left = reinterpret_cast<const float*>(in), *right = left + 4096;
  const unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (unsigned tile = 0; tile < 64; tile += 16) {
    a[threadIdx.y][threadIdx.x] = left[y * 64 + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = right[(tile + threadIdx.y) * 64 + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = __fmaf_rn(a[threadIdx.y][k], b[k][threadIdx.x], sum);
    __syncthreads();
  }
  reinterpret_cast<float*>(out)[y * 64 + x] = sum;
}

// stencil <<<(4, 8), (32, 8)>>> in unit 8192 out 8192 rows 1 exact
extern "C" __global__ void stencil(const unsigned* in, unsigned* out) {
  __shared__ float tile[10][34];
  const float* from = reinterpret_cast<const float*>(in);
  const int x = int(blockIdx.x * 32 + threadIdx.x), y = int(blockIdx.y * 8 + threadIdx.y);
  const auto at = [&](int u, int v) { return from[((v + 64) % 64) * 128 + (u + 128) % 128]; };
  tile[threadIdx.y + 1][threadIdx.x + 1] = at(x, y);
  if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = at(x - 1, y);
  if (threadIdx.x == 31) tile[threadIdx.y + 1][33] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = at(x, y - 1);
  if (threadIdx.y == 7) tile[9][threadIdx.x + 1] = at(x, y + 1);
  __syncthreads();
  const unsigned i = threadIdx.x + 1, j = threadIdx.y + 1;
  reinterpret_cast<float*>(out)[y * 128 + x] =
      0.5F * tile[j][i] + 0.125F * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i]);
}

// life <<<4, 1024>>> in bits 4096 out 4096 rows 1 exact
extern "C" __global__ void life(const unsigned* in, unsigned* out) {
  __shared__ unsigned char world[2][32][32];
  const int x = int(threadIdx.x % 32), y = int(threadIdx.x / 32);
  world[0][y][x] = in[blockIdx.x * 1024 + threadIdx.x] & 1;
  int now = 0;
  for (int turn = 0; turn < 12; ++turn, now ^= 1) {
    __syncthreads();
    int neighbours = -world[now][y][x];
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u) neighbours += world[now][(y + v) & 31][(x + u) & 31];
    world[now ^ 1][y][x] = neighbours == 3 || (neighbours == 2 && world[now][y][x]);
  }
  out[blockIdx.x * 1024 + threadIdx.x] = world[now][y][x];
}
