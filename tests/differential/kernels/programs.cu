// Whole small programs.

// mandelbrot <<<(4, 8), (32, 8)>>> in bits 4 out 8192 rows 1 exact
extern "C" __global__ void mandelbrot(const unsigned*, unsigned* out) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const float u = float(x) * 0.0234375F - 2.0F, v = float(y) * 0.03125F - 1.0F;
  float a = 0, b = 0;
  unsigned steps = 0;
  while (a * a + b * b < 4.0F && steps < 200) {
    const float next = a * a - b * b + u;
    b = 2.0F * a * b + v;
    a = next;
    ++steps;
  }
  out[y * 128 + x] = steps;
}

// sparse_product <<<4, 128>>> in bits 4096 out 512 rows 1 exact
extern "C" __global__ void sparse_product(const unsigned* in, unsigned* out) {
  const unsigned row = blockIdx.x * 128 + threadIdx.x, count = in[row] % 13;
  double sum = 0;
  for (unsigned k = 0; k < count; ++k) {
    const unsigned column = in[512 + (row * 13 + k) % 3584] % 512;
    sum += double(int(in[column]) >> 8) * 0.5;
  }
  out[row] = unsigned(__double_as_longlong(sum) >> 20);
}

// bodies <<<2, 64>>> in unit 384 out 384 rows 1 f32 64
extern "C" __global__ void bodies(const unsigned* in, unsigned* out) {
  __shared__ float3 tile[64];
  const float3* place = reinterpret_cast<const float3*>(in);
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const float3 p = place[i];
  float3 force = {0, 0, 0};
  for (unsigned first = 0; first < 128; first += 64) {
    tile[threadIdx.x] = place[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float x = tile[k].x - p.x, y = tile[k].y - p.y, z = tile[k].z - p.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + 0.01F), cube = inverse * inverse * inverse;
      force.x += fabsf(x) * cube;
      force.y += fabsf(y) * cube;
      force.z += fabsf(z) * cube;
    }
    __syncthreads();
  }
  reinterpret_cast<float3*>(out)[i] = force;
}

// jacobi <<<1, 256>>> in f64unit 512 out 512 rows 1 exact
extern "C" __global__ void jacobi(const unsigned* in, unsigned* out) {
  __shared__ double u[2][258];
  const unsigned t = threadIdx.x;
  u[0][t + 1] = u[1][t + 1] = reinterpret_cast<const double*>(in)[t];
  if (t == 0) u[0][0] = u[1][0] = 0, u[0][257] = u[1][257] = 1;
  int now = 0;
  for (int turn = 0; turn < 40; ++turn, now ^= 1) {
    __syncthreads();
    u[now ^ 1][t + 1] = 0.5 * (u[now][t] + u[now][t + 2]) + 1e-3 * u[now][t + 1] / 3.0;
  }
  reinterpret_cast<double*>(out)[t] = u[now][t + 1];
}

// random_walk <<<8, 128>>> in bits 1024 out 1024 rows 1 exact
extern "C" __global__ void random_walk(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned long long state = in[i] | 1ull << 40;
  int place = 0;
  for (int k = 0; k < 100; ++k) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    place += state & 4 ? 1 : -1;
    if (place > 8) place = -8;
  }
  out[i] = unsigned(place) ^ unsigned(state >> 33);
}

// prefix_code <<<4, 128>>> in bits 4096 out 512 rows 1 exact
extern "C" __global__ void prefix_code(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  unsigned crc = 0xFFFFFFFFu;
  for (unsigned k = 0; k < 8; ++k) {
    crc ^= in[i * 8 + k];
    for (int bit = 0; bit < 32; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  out[i] = ~crc;
}
