#include "toolkit/driver/driver.hpp"

#include <doctest/doctest.h>
#include <fake_cuda.hpp>
#include <kiln/error.hpp>

#include "message_of.hpp"

namespace driver_table_test {

using kiln::Driver;
using kiln::test::contains;
using kiln::test::message_of;

namespace {

struct FakeLibrary {
  FakeLibrary() { fake_cuda::reset(); }
  ~FakeLibrary() {
    fake_cuda::reset();
    fake_cuda::set_driver_version(13000);
    fake_cuda::set_code_kinds(3);
  }
  Driver bind() const { return Driver(kiln::SharedLibrary::open(fake_cuda::library_path())); }
};

}  // namespace

TEST_CASE("every function is bound, and is the one that its name says") {
  const FakeLibrary fake;
  const Driver driver = fake.bind();
  CHECK(driver.path == fake_cuda::library_path());
  CHECK(driver.loads_cubin);
  CHECK(bool{driver.kernel_get_param_info != nullptr});
  CHECK(bool{driver.library_get_kernel_count != nullptr});
  CHECK(bool{driver.library_enumerate_kernels != nullptr});
  CHECK(bool{driver.kernel_get_name != nullptr});

  fake_cuda::reset();
  int count = 0;
  std::size_t bytes = 0;
  CUdeviceptr memory = 0;
  CUcontext context = nullptr;
  REQUIRE(driver.init(0) == CUDA_SUCCESS);
  CHECK(driver.device_get_count(&count) == CUDA_SUCCESS);
  CHECK(driver.device_total_mem(&bytes, 0) == CUDA_SUCCESS);
  CHECK(driver.device_primary_ctx_retain(&context, 0) == CUDA_SUCCESS);
  CHECK(driver.ctx_set_current(context) == CUDA_SUCCESS);
  CHECK(driver.mem_alloc(&memory, 64) == CUDA_SUCCESS);
  CHECK(driver.mem_free(memory) == CUDA_SUCCESS);
  CHECK(driver.ctx_set_current(nullptr) == CUDA_SUCCESS);
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuInit", "cuDeviceGetCount", "cuDeviceTotalMem",
                                                       "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuMemAlloc",
                                                       "cuMemFree", "cuCtxSetCurrent"});
}

TEST_CASE("a library without cuGetProcAddress_v2 is bound by its exported names") {
  const Driver driver(kiln::SharedLibrary::open(FAKE_CUDA_PLAIN));
  // The plain library has a state of its own: the one beside it must see nothing.
  fake_cuda::reset();
  CHECK(driver.init(0) == CUDA_SUCCESS);
  CHECK(bool{driver.launch_kernel != nullptr});
  CHECK(bool{driver.kernel_get_param_info != nullptr});
  std::size_t bytes = 0;
  CHECK(driver.device_total_mem(&bytes, 0) == CUDA_SUCCESS);
  CHECK(bytes > 0);
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("a driver for CUDA 12.0 lacks the newer functions and nothing else") {
  const FakeLibrary fake;
  fake_cuda::set_driver_version(12000);
  const Driver driver = fake.bind();
  CHECK(bool{driver.launch_kernel != nullptr});
  CHECK(bool{driver.event_elapsed_time != nullptr});
  CHECK(bool{driver.kernel_get_name == nullptr});
  CHECK(bool{driver.kernel_get_param_info == nullptr});
  CHECK(bool{driver.library_get_kernel_count == nullptr});
  CHECK(bool{driver.library_enumerate_kernels == nullptr});
}

TEST_CASE("an optional function that is missing is null") {
  const FakeLibrary fake;
  fake_cuda::hide("cuKernelGetParamInfo");
  const Driver driver = fake.bind();
  CHECK(bool{driver.kernel_get_param_info == nullptr});
  CHECK(bool{driver.kernel_get_name != nullptr});
}

TEST_CASE("a missing function is named, with the driver's version") {
  const FakeLibrary fake;
  SUBCASE("one that was taken away") {
    fake_cuda::hide("cuLaunchKernel");
    const std::string message = message_of<kiln::ToolkitError>([&] { fake.bind(); });
    CHECK(contains(message, "cuLaunchKernel"));
    CHECK(contains(message, "CUDA 13.0"));
  }
  SUBCASE("a driver that is too old") {
    fake_cuda::set_driver_version(11080);
    const std::string message = message_of<kiln::ToolkitError>([&] { fake.bind(); });
    CHECK(contains(message, "cuLibraryLoadData"));
    CHECK(contains(message, "CUDA 11.8"));
    CHECK(contains(message, fake_cuda::library_path()));
  }
}

TEST_CASE("a library shows which kinds of code it loads") {
  const FakeLibrary fake;
  fake_cuda::set_code_kinds(2);
  CHECK_FALSE(fake.bind().loads_cubin);
  fake_cuda::set_code_kinds(1);
  CHECK(fake.bind().loads_cubin);
}

}  // namespace driver_table_test
