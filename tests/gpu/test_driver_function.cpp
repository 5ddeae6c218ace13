// The driver's own functions beside Kiln's, without linking the driver.
#include <cuda.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <vector>

namespace driver_function_gpu_test {

TEST_CASE("limits of the current context, by the driver's functions") {
  kiln::Device(0).make_current();
  const auto get = kiln::driver_function<decltype(&::cuCtxGetLimit)>("cuCtxGetLimit");
  const auto set = kiln::driver_function<decltype(&::cuCtxSetLimit)>("cuCtxSetLimit");
  std::size_t before = 0, after = 0;
  REQUIRE(get(&before, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
  CHECK(set(CU_LIMIT_STACK_SIZE, before + 1024) == CUDA_SUCCESS);
  CHECK(get(&after, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
  CHECK(set(CU_LIMIT_STACK_SIZE, before) == CUDA_SUCCESS);
  CHECK(after >= before + 1024);
}

TEST_CASE("memory of the driver's own functions is an argument of Kiln's kernels") {
  kiln::Function fill =
      kiln::SourceModule("__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }").get_function("fill");
  kiln::Device(0).make_current();
  CUdeviceptr memory = 0;
  REQUIRE(KILN_DRIVER_FUNCTION(cuMemAlloc)(&memory, 32 * sizeof(int)) == CUDA_SUCCESS);
  fill({1, 32}, memory);
  std::vector<int> values(32);
  CHECK(KILN_DRIVER_FUNCTION(cuMemcpyDtoH)(values.data(), memory, 32 * sizeof(int)) == CUDA_SUCCESS);
  CHECK(KILN_DRIVER_FUNCTION(cuMemFree)(memory) == CUDA_SUCCESS);
  CHECK(values[31] == 31);
  CHECK_THROWS_AS(kiln::driver_function<decltype(&::cuMemAlloc)>("cuMemAlloc"), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::driver_function<decltype(&::cuInit)>("cuNoSuchFunction"), kiln::ToolkitError);
}

}  // namespace driver_function_gpu_test
