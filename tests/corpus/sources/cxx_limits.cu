// kernel: digits
// out: unsigned
// expect: 31 24 17 1 0 8 1
#include <limits>
template <class T>
__device__ unsigned digits_of() { return std::numeric_limits<T>::digits; }
__global__ void digits(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  out[0] = digits_of<int>();
  out[1] = digits_of<float>();
  out[2] = std::numeric_limits<double>::max_digits10;
  out[3] = std::numeric_limits<short>::is_signed;
  out[4] = std::numeric_limits<uint3>::is_specialized;
  out[5] = digits_of<unsigned char>();
  for (int i = 6; i < n; ++i) out[i] = digits_of<bool>() && std::numeric_limits<float>::has_infinity;
}
