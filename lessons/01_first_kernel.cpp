// Lesson 1, a first kernel: a thread for each element, and why it asks whether its element exists.
#include "lesson.hpp"

const char* const source = R"(// y = a * x + y, one element a thread
__global__ void unchecked(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)";

const int size = 1000;

std::vector<float> results_of(const kiln::Function& kernel) {
  const kiln::DeviceBuffer<float> x(std::vector<float>(size, 3.0F)), y(std::vector<float>(size, 1.0F));
  kernel({4, 256}, 2.0F, x, y, size);  // 4 blocks of 256 threads are 1024
  return y.to_host();
}

int main(int argc, char** argv) {
  const bool on_emulator = begin(argc, argv, source);
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("first_kernel.cu"));

  if (!is_right("saxpy", results_of(module.get_function("saxpy")), std::vector<float>(size, 7.0F))) return 1;
  if (!on_emulator) {
    std::puts("unchecked: not launched, because only the emulator stops a kernel at its first wrong access");
    return 0;
  }
  // Last, because a kernel that was stopped leaves its process without a usable device, as on a GPU.
  try {
    results_of(module.get_function("unchecked"));
  } catch (const kiln::DriverError&) {
    std::puts("unchecked: stopped by the emulator, whose report says thread, memory and line");
    std::puts("Look at: the thread's number, 768 + 232 = 1000, and in the profile the one divergent branch of saxpy.");
    return 0;
  }
  std::puts("unchecked: the access out of bounds was NOT found");
  return 1;
}
