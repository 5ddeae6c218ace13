// The program that quickstart.sh runs twice: the first run compiles, the second one finds the code.
#include <kiln/kiln.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// A kernel that stands for a real one: it includes CUB, some six hundred headers.
const char* const source = R"(
#include <cub/block/block_reduce.cuh>
__global__ void block_sums(const float* values, float* sums, int n) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = Reduce(storage).Sum(i < n ? values[i] : 0.0f);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
})";

int main() {
  // A program that uses a GPU has made it current already; that cost is not Kiln's.
  const bool has_device = kiln::Device::count() > 0;
  if (has_device) kiln::Device(0).make_current();

  const auto start = std::chrono::steady_clock::now();
  kiln::SourceModule module(source);
  kiln::Function block_sums = module.get_function("block_sums");
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  // The script reads this line.
  std::printf("%s %lld\n", module.code().from_cache() ? "warm" : "cold", static_cast<long long>(time.count()));

  for (const kiln::KernelInfo& kernel : module.code().kernels()) {
    // PTX, which the emulator runs, does not have a device's registers yet.
    const std::string registers = kernel.registers < 0 ? "" : std::to_string(kernel.registers) + " registers, ";
    std::printf("kernel     %s for %s: %s%d bytes of shared memory\n", kernel.readable_name.c_str(),
                module.code().arch().c_str(), registers.c_str(), kernel.shared_bytes);
  }
  if (!has_device) {
    std::puts("launch     not done: there is no GPU here");
    return 0;
  }
  const int n = 1 << 20;
  kiln::DeviceBuffer<float> values(std::vector<float>(n, 1.0F)), sums(n / 256);
  const double seconds = block_sums.timed({n / 256, 256}, values, sums, n);
  const bool right = sums.to_host() == std::vector<float>(n / 256, 256.0F);
  std::printf("launch     on %s in %d us: the %d sums are %s\n", kiln::Device::current().name().c_str(),
              static_cast<int>(seconds * 1e6), n / 256, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
