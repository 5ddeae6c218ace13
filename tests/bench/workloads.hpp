// The three kernels that start-up is measured with: no include, one header, some six hundred headers; and the options
// of those who compile them without Kiln.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace kiln::bench {

struct Workload {
  const char* name;
  std::string source;  // holds a kernel "k4"
};

inline const std::array<Workload, 3> workloads = {{
    {"W1 no include", R"(extern "C" __global__ void k4(float*a,float*b,float*c,int n){ if(n<0) c[0]=a[0]+b[0];})"},
    {"W2 cuda_fp16.h",
     R"(#include <cuda_fp16.h>
extern "C" __global__ void k4(__half*a,__half*b,__half*c,int n){ if(n<0) c[0]=__hadd(a[0],b[0]);})"},
    {"W3 CUB",
     R"(#include <cub/block/block_reduce.cuh>
extern "C" __global__ void k4(float*a,float*b,float*c,int n){typedef cub::BlockReduce<float,128> BR; __shared__ typename BR::TempStorage ts; int i=blockIdx.x*blockDim.x+threadIdx.x; float s=BR(ts).Sum(i<n?a[i]:0.f); if(threadIdx.x==0)c[blockIdx.x]=s;})"},
}};

/// For a call of NVRTC itself, which does not have Kiln's headers in memory.
inline std::vector<std::string> without_own_headers(std::vector<std::string> options) {
  std::erase_if(options, [](const std::string& option) { return option.starts_with("--pre-include=kiln_"); });
  return options;
}

}  // namespace kiln::bench
