#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <doctest/doctest.h>

namespace kernel_test {

TEST_CASE("a function tells the device's figures of its kernel") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  CHECK(scale.name() == "_Z5scalePfif");
  CHECK(scale.max_threads_per_block() == 1024);
  CHECK(scale.shared_size_bytes() == 0);
  CHECK(scale.const_size_bytes() == 0);
  CHECK(scale.local_size_bytes() == 0);
  CHECK(scale.num_regs() == 16);
  CHECK(scale.ptx_version() == 90);
  CHECK(scale.binary_version() == 90);
  CHECK(scale.attribute(CU_FUNC_ATTRIBUTE_NUM_REGS) == 16);
  CHECK(scale.handle() != nullptr);
  CHECK(scale.handle() == kiln::Function(scale).handle());
  CHECK(module.loads() == 1);
}

TEST_CASE("a failed query names the kernel") {
  FakeModule module;
  fake_cuda::reset();
  fake_cuda::fail("cuKernelGetAttribute", CUDA_ERROR_INVALID_VALUE);
  try {
    (void)module.function("_Z5scalePfif").num_regs();
    FAIL("accepted");
  } catch (const kiln::DriverError& error) {
    CHECK(contains(error.what(), "of kernel scale(float*, int, float) on device 0"));
  }
}

TEST_CASE("parameters that the code tells need no driver") {
  FakeModule module;
  fake_cuda::reset();
  CHECK(module.function("_Z5scalePfif").parameters().size() == 3);
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("parameters that the code does not tell are asked of the driver, once") {
  FakeModule module;
  const kiln::Function scale(kiln::passkey, module.kernel("_Z5scalePfif", false));
  fake_cuda::reset();
  float* pointer = nullptr;
  CHECK_THROWS_AS(scale({1, 1}, pointer, 1), kiln::ArgumentError);
  CHECK_THROWS_AS(scale({1, 1}, pointer, 1, 2), kiln::ArgumentError);
  scale({1, 1}, pointer, 1, 2.0f);
  const auto& parameters = scale.parameters();
  REQUIRE(parameters.size() == 3);
  CHECK(parameters[0].type == "float*");
  CHECK(parameters[0].kind == kiln::ParameterKind::pointer);
  CHECK(parameters[2].offset == 12);
  CHECK(parameters[2].size == 4);
  CHECK(fake_cuda::calls("cuKernelGetParamInfo") == 4);
  CHECK(module.kernel("by_value", false)->parameters().at(0).kind == kiln::ParameterKind::other);
  CHECK(module.kernel("empty", false)->parameters().empty());
}

}  // namespace kernel_test
