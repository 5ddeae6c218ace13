// Lesson 2, memory coalescing: the same work, with a warp's threads far apart in memory or side by side.
#include "lesson.hpp"

const char* const source = R"(// values *= factor, eight elements a thread
__global__ void apart(float* values, float factor, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int i = first; i < first + 8 && i < n; ++i)
    values[i] *= factor;
}

__global__ void side_by_side(float* values, float factor, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += gridDim.x * blockDim.x)
    values[i] *= factor;
}
)";

const int size = 8192;

std::vector<float> results_of(const kiln::Function& kernel) {
  const kiln::DeviceBuffer<float> values(std::vector<float>(size, 2.0F));
  kernel({4, 256}, values, 1.5F, size);
  return values.to_host();
}

int main(int argc, char** argv) {
  begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("coalescing.cu"));
  bool right = true;
  for (const char* name : {"apart", "side_by_side"})
    right &= is_right(name, results_of(module.get_function(name)), std::vector<float>(size, 3.0F));
  std::puts("Look at: sectors of 32 bytes a load and a store. Both kernels move the same 32768 bytes there and back,");
  std::puts("and `apart` asks eight times for each sector.");
  return right ? 0 : 1;
}
