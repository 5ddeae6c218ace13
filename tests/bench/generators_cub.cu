// CUB's device-wide calls for the rows of generators.cpp and by its method: device time by events, medians, the L2
// cache flushed. Not part of the build. Usage:
// nvcc -O3 -std=c++17 -arch=native generators_cub.cu -o generators_cub && ./generators_cub [repeats]
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Three {
  int a, b, c;
};
struct AddThree {
  __host__ __device__ Three operator()(const Three& x, const Three& y) const {
    return {x.a + y.a, x.b + y.b, x.c + y.c};
  }
};

__global__ void axpy4(float a, const float4* x, float4* y, long n) {
  const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 u = x[i];
  float4 v = y[i];
  v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
  y[i] = v;
}

constexpr size_t large = size_t{1} << 28;
int repeats = 20;
cudaStream_t stream;
char* flush;

template <class Work>
void row(const char* name, double bytes_of_element, const Work& work) {
  std::printf("| %s |", name);
  for (const size_t n : {size_t{1} << 10, size_t{1} << 20, large}) {
    std::vector<float> times;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int k = 0; k < repeats + 3; ++k) {
      cudaMemsetAsync(flush, 0, size_t{256} << 20, stream);
      cudaEventRecord(begin, stream);
      work(n);
      cudaEventRecord(end, stream);
      cudaEventSynchronize(end);
      float time = 0;
      cudaEventElapsedTime(&time, begin, end);
      if (k >= 3) times.push_back(time * 1e3f);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    const double time = times[times.size() / 2];
    if (n < large)
      std::printf(" %.1f |", time);
    else
      std::printf(" %.0f |", bytes_of_element * n / time * 1e-3);
  }
  std::printf("\n");
}

int main(int argc, char** argv) {
  if (argc > 1) repeats = std::atoi(argv[1]);
  float *x, *y;
  void* temporary;
  size_t bytes = size_t{256} << 20;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&x, large * 4);
  cudaMalloc(&y, large * 4);
  cudaMalloc(&temporary, bytes);
  cudaMalloc(&flush, size_t{256} << 20);
  cudaMemset(x, 0, large * 4);
  cudaMemset(y, 0, large * 4);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::fprintf(stderr, "generators_cub: %s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("| what | 2^10, us | 2^20, us | 2^28, GB/s |\n|---|---|---|---|\n");
  row("axpy, by hand with float4, by nvcc", 12, [&](size_t n) {
    axpy4<<<(n / 4 + 255) / 256, 256, 0, stream>>>(2.f, (float4*)x, (float4*)y, n / 4);
  });
  row("sum, CUB", 4, [&](size_t n) { cub::DeviceReduce::Sum(temporary, bytes, x, y, n, stream); });
  row("min alone, CUB", 4, [&](size_t n) { cub::DeviceReduce::Min(temporary, bytes, x, y, n, stream); });
  row("inclusive scan of float, CUB", 8, [&](size_t n) {
    cub::DeviceScan::InclusiveSum(temporary, bytes, x, y, n, stream);
  });
  row("inclusive scan of 12 bytes (n / 4 values), CUB", 6, [&](size_t n) {
    cub::DeviceScan::InclusiveScan(temporary, bytes, (Three*)x, (Three*)y, AddThree(), n / 4, stream);
  });
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
