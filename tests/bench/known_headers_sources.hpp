// Sources that have headers in common, and differ in one number.
#pragma once

#include <kiln/compile_all.hpp>
#include <kiln/compile_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kiln::bench {

/// VARIANT is a number in its code.
struct Kernel {
  const char* name;
  const char* includes;
  const char* code;
};

inline constexpr Kernel kernels[] = {
    {"CUB block_reduce", "#include <cub/block/block_reduce.cuh>\n",
     R"(extern "C" __global__ void k(const float* in, float* out, int n) {
  using Reduce = cub::BlockReduce<float, 32 * (VARIANT % 8 + 1)>;
  __shared__ typename Reduce::TempStorage storage;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = Reduce(storage).Sum(i < n ? in[i] + VARIANT : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
})"},
    {"cooperative_groups", "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n",
     R"(extern "C" __global__ void k(const int* in, int* out) {
  const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const int sum = cooperative_groups::reduce(warp, in[threadIdx.x] + VARIANT, cooperative_groups::plus<int>());
  if (warp.thread_rank() == 0) atomicAdd(out, sum);
})"},
    {"cuda_fp16.h", "#include <cuda_fp16.h>\n",
     R"(extern "C" __global__ void k(const __half* a, __half* b) {
  b[threadIdx.x] = __hadd(a[threadIdx.x], __int2half_rn(VARIANT));
})"},
    {"CUB load, scan and store",
     "#include <cub/block/block_load.cuh>\n#include <cub/block/block_scan.cuh>\n#include <cub/block/block_store.cuh>\n",
     R"(constexpr int threads = 128, items = 4;
extern "C" __global__ void k(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<int, threads>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union { Load::TempStorage load; Scan::TempStorage scan; Store::TempStorage store; } storage;
  int values[items];
  Load(storage.load).Load(in + blockIdx.x * threads * items, values);
  __syncthreads();
  for (int& value : values) value += VARIANT;
  Scan(storage.scan).InclusiveSum(values, values);
  __syncthreads();
  Store(storage.store).Store(out + blockIdx.x * threads * items, values);
})"},
};
inline constexpr std::size_t cub = 0, cooperative_groups = 1, fp16 = 2, edited = 3;
inline constexpr const char* arch = "sm_90";

inline std::string source(std::size_t kernel, unsigned number) {
  return std::string(kernels[kernel].includes) + "constexpr int VARIANT = " + std::to_string(number) + ";\n" +
         kernels[kernel].code;
}

/// A source, and options, that nothing has compiled yet. `way`: where the number is, in the text or in a macro.
inline CompileRequest request(std::size_t kernel, unsigned number, const std::string& way) {
  const auto options = CompileOptions{}.with_arch(arch);
  if (way == "text") return {source(kernel, number), options};
  const std::string text = std::string(kernels[kernel].includes) + kernels[kernel].code;
  const std::vector<Define> macro = {{"VARIANT", number}};
  return {text, way == "late" ? options.with_late_defines(macro) : options.with_defines(macro)};
}

}  // namespace kiln::bench
