// c = a + b. BLOCK threads, each with PER_THREAD times VECTOR elements.
struct __align__(4 * VECTOR) Elements {
  float of[VECTOR];
};

extern "C" __global__ void vector_add(float* c, const float* a, const float* b, int n) {
  const int first = (blockIdx.x * BLOCK * PER_THREAD + threadIdx.x) * VECTOR;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    const int i = first + k * BLOCK * VECTOR;
    if (i + VECTOR <= n) {
      const Elements x = *reinterpret_cast<const Elements*>(a + i), y = *reinterpret_cast<const Elements*>(b + i);
      Elements sum;
#pragma unroll
      for (int j = 0; j < VECTOR; ++j) sum.of[j] = x.of[j] + y.of[j];
      *reinterpret_cast<Elements*>(c + i) = sum;
    } else {
      for (int j = i; j < n; ++j) c[j] = a[j] + b[j];
    }
  }
}
