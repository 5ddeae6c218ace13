// kernel: sizes
// out: unsigned
// expect: 1 2 2 4
#include <type_traits>
template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
__device__ unsigned kind(T) { return 1; }
template <class T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
__device__ unsigned kind(T) { return 2; }
__global__ void sizes(unsigned* out, int n) {
  if (threadIdx.x != 0) return;
  out[0] = kind(3);
  out[1] = kind(3.0f);
  out[2] = kind(std::common_type<int, double>::type(1));
  for (int i = 3; i < n; ++i) out[i] = sizeof(std::conditional<std::is_same<int, const int>::value, char, int>::type);
}
