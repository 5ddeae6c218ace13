// kernel: powers
// out: unsigned
// expect: 81
__host__ __device__ constexpr unsigned power(unsigned base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }
constexpr unsigned table_size = power(3, 4);
static_assert(table_size == 81, "3^4");
template <unsigned n>
struct Size { static constexpr unsigned value = n; };
__global__ void powers(unsigned* out, int n) {
  if constexpr (table_size > 80) {
    if (threadIdx.x < n) out[threadIdx.x] = Size<table_size>::value;
  }
}
