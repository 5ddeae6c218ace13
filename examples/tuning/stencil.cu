// One step of the heat equation on a cube of n times n times n: the mean of an element and its six neighbours. A thread
// goes WORK_Z elements along z, with REUSE keeping those below and above in registers.
extern "C" __global__ void stencil(float* out, const float* in, int n) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int plane = n * n, at = y * n + x, first = blockIdx.z * WORK_Z;
  float below = 0, here = 0;
  if (REUSE && first > 0) below = in[(first - 1) * plane + at];
  if (REUSE && first < n) here = in[first * plane + at];
#pragma unroll
  for (int k = 0; k < WORK_Z; ++k) {
    const int z = first + k;
    if (z >= n - 1) return;
    const float* const p = in + z * plane + at;
    if (!REUSE) here = p[0];
    if (!REUSE && z > 0) below = p[-plane];
    const float above = p[plane];
    if (z > 0) out[z * plane + at] = (here + below + above + p[-1] + p[1] + p[-n] + p[n]) * (1.0f / 7);
    below = here;
    here = above;
  }
}
