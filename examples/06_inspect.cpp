// What compiled code tells of its kernels: parameters, registers, memory. No GPU is needed, only the compiler.
// `kiln inspect FILE` shows the same for a source, and for code that others compiled.
#include <kiln/kiln.hpp>

#include <cstdio>

#include "find_device.hpp"

const char* const source = R"(
struct Range { int begin, end; };
__constant__ float weights[16];

namespace signal {
template <class T>
__global__ void __launch_bounds__(256) smooth(const T* in, T* out, Range range) {
  __shared__ T tile[256];
  int i = range.begin + blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < range.end ? in[i] : T(0);
  __syncthreads();
  if (threadIdx.x > 0 && i < range.end) out[i] = weights[0] * tile[threadIdx.x] + weights[1] * tile[threadIdx.x - 1];
}
}

extern "C" __global__ void clear(float* values) { values[threadIdx.x] = 0; }
)";

// -1 stands for what the code does not tell.
void print(const char* what, int amount) {
  if (amount < 0)
    std::printf("  %-28s not told\n", what);
  else
    std::printf("  %-28s %d\n", what, amount);
}

void print(const kiln::KernelInfo& kernel) {
  std::printf("%s\n", kernel.readable_name.c_str());
  for (const kiln::Parameter& parameter : kernel.parameters)
    std::printf("  at byte %2zu, %2zu bytes: %s\n", parameter.offset, parameter.size,
                // extern "C" leaves the types out of the kernel's name.
                parameter.type.empty() ? "(the name does not tell)" : parameter.type.c_str());
  print("registers a thread", kernel.registers);
  print("local bytes a thread", kernel.local_bytes);
  print("shared bytes a block", kernel.shared_bytes);
  print("constant bytes of the module", kernel.constant_bytes);
  print("threads a block at most", kernel.max_threads_per_block);
}

int main() {
  find_device();
  const auto options = kiln::CompileOptions{}.with_name_expressions({"signal::smooth<float>"});
  // Machine code for one architecture knows everything.
  const kiln::CodeObject cubin = kiln::compile(source, options.with_arch("sm_90"));
  std::printf("--- machine code for %s ---\n", cubin.arch().c_str());
  for (const kiln::KernelInfo& kernel : cubin.kernels()) print(kernel);

  // PTX is what the driver compiles for its device: registers are not chosen yet.
  const kiln::CodeObject ptx = kiln::compile(source, options.with_arch("compute_90"));
  std::printf("--- PTX for %s ---\n", ptx.arch().c_str());
  for (const kiln::KernelInfo& kernel : ptx.kernels()) print(kernel);

  bool right = cubin.kernels().size() == 2 && ptx.kernels().size() == 2;
  for (const kiln::KernelInfo& kernel : cubin.kernels())
    if (kernel.name == cubin.lowered_name("signal::smooth<float>"))
      right = right && kernel.shared_bytes == 256 * 4 && kernel.max_threads_per_block == 256 && kernel.registers > 0;
  return right ? 0 : 1;
}
