// Code that was compiled with CUDA's C++ libraries has no constants of them but those that it uses or that were asked
// for; what a program sees of it is the same.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <string>
#include <vector>

namespace lean_code_test {

namespace {

const char* const source = R"(
#include <cub/block/block_reduce.cuh>
namespace tuning {
__device__ float factor = 2;
static __device__ float offset = 3;
__constant__ int unused[2] = {5, 6};
}
__device__ int launches;
extern "C" __global__ void reduce(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage storage;
  const float sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x != 0) return;
  *out = sum * tuning::factor + tuning::offset;
  ++launches;
}
// The address is taken, so that the constants are read from memory.
extern "C" __global__ void choose(int* out, int n) {
  const int* const choice[] = {&cuda::std::integral_constant<int, 31>::value,
                               &cuda::std::integral_constant<int, 32>::value};
  *out = *choice[n & 1];
}
)";

float reduced(const kiln::SourceModule& module) {
  const kiln::DeviceBuffer<float> in(std::vector<float>(64, 0.5F));
  kiln::DeviceBuffer<float> out(1);
  module.get_function("reduce")({1, 64}, in, out);
  return out.to_host().front();
}

}  // namespace

TEST_CASE("code with CUB's headers runs, and its variables are found by their names") {
  const kiln::SourceModule module(source);
  CHECK(reduced(module) == 67);
  module.get_global("tuning::factor").set(4.0F);
  module.get_global("offset").set(-8.0F);
  CHECK(reduced(module) == 120);
  CHECK(module.get_global("launches").get<int>() == 2);
  CHECK(module.get_global("unused").to_host<int>() == std::vector<int>{5, 6});
}

TEST_CASE("constants of a library that a kernel reads have their values") {
  const kiln::SourceModule module(source);
  kiln::DeviceBuffer<int> out(1);
  for (const int n : {0, 1}) {
    module.get_function("choose")({1, 1}, out, n);
    CHECK(out.to_host().front() == 31 + n);
  }
}

TEST_CASE("a constant of a library that a name expression asks for is found") {
  const std::string name = "cuda::std::integral_constant<int, 123>::value";
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name_expressions({"&" + name}));
  CHECK(module.get_global(name).get<int>() == 123);
  CHECK(reduced(module) == 67);
}

}  // namespace lean_code_test
