// What the other components' tests rely on in the fake driver.
#include <cuda.h>
#include <doctest/doctest.h>
#include <fake_cuda.hpp>

#include <cstring>

#include "cubin_fixture.hpp"

namespace fake_driver_test {

using kiln::test::compile_fixture;
using kiln::test::Form;

namespace {

const std::string source = R"cuda(
__device__ int counter[3];
extern "C" __global__ void add(int* p, short s, double d) { *p = s + d + counter[0]; }
)cuda";

struct Fake {
  Fake() {
    fake_cuda::reset();
    fake_cuda::set_devices({90, 80});
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    for (int device = 0; device < 2; ++device)
      REQUIRE(cuDevicePrimaryCtxRetain(&contexts[device], device) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(contexts[0]) == CUDA_SUCCESS);
  }
  ~Fake() {
    cuCtxSetCurrent(nullptr);
    fake_cuda::reset();
  }
  CUcontext contexts[2] = {};
};

struct Loaded {
  explicit Loaded(const std::string& code) {
    REQUIRE(cuLibraryLoadData(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS);
    REQUIRE(cuLibraryGetKernel(&kernel, library, "add") == CUDA_SUCCESS);
  }
  ~Loaded() { cuLibraryUnload(library); }
  CUresult launch(CUstream stream, unsigned block = 32, unsigned shared = 0) {
    int* pointer = nullptr;
    short s = 7;
    double d = 2.5;
    void* parameters[] = {&pointer, &s, &d};
    return cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 2, 1, 1, block, 1, 1, shared, stream, parameters,
                          nullptr);
  }
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
};

}  // namespace

TEST_CASE("the fake's memory holds what is copied to it, and knows its bounds") {
  const Fake fake;
  const std::size_t before = fake_cuda::live_allocations();
  CUdeviceptr memory = 0;
  REQUIRE(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  CHECK(fake_cuda::live_allocations() == before + 1);
  char out[8] = {};
  CHECK(cuMemcpyHtoD(memory + 8, "1234567", 8) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(out, memory + 8, 8) == CUDA_SUCCESS);
  CHECK(std::strcmp(out, "1234567") == 0);
  CHECK(cuMemcpyHtoD(memory + 9, "1234567", 8) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("the fake records launches with their parameters") {
  const Fake fake;
  const auto code = compile_fixture(source, "sm_80", Form::cubin);
  if (!code) return;
  {
    Loaded loaded(*code);
    CHECK(fake_cuda::live_libraries() == 1);
    CUstream stream = nullptr;
    // The stream decides the device: compiled for 8.0, so device 0 (9.0) cannot run it and device 1 can.
    CHECK(loaded.launch(nullptr) == CUDA_ERROR_NO_BINARY_FOR_GPU);
    REQUIRE(cuCtxSetCurrent(fake.contexts[1]) == CUDA_SUCCESS);
    REQUIRE(cuStreamCreate(&stream, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(loaded.launch(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(loaded.launch(stream) == CUDA_SUCCESS);
    const auto launches = fake_cuda::launches();
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].kernel == "add");
    CHECK(launches[0].device == 1);
    CHECK(launches[0].stream == stream);
    CHECK(launches[0].grid[0] == 2);
    CHECK(launches[0].block[0] == 32);
    REQUIRE(launches[0].parameters.size() == 3);
    CHECK(launches[0].parameters[1] == std::string("\x07\x00", 2));
    double d = 0;
    REQUIRE(launches[0].parameters[2].size() == sizeof d);
    std::memcpy(&d, launches[0].parameters[2].data(), sizeof d);
    CHECK(d == 2.5);

    CHECK(loaded.launch(stream, 1025) == CUDA_ERROR_INVALID_VALUE);
    CHECK(loaded.launch(stream, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(loaded.launch(stream, 32, 50000) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50000, loaded.kernel, 1) ==
          CUDA_SUCCESS);
    CHECK(loaded.launch(stream, 32, 50000) == CUDA_SUCCESS);
    CHECK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000, loaded.kernel, 1) ==
          CUDA_ERROR_INVALID_VALUE);
    fake_cuda::set_recording(false);
    CHECK(loaded.launch(stream) == CUDA_SUCCESS);
    CHECK(fake_cuda::launches().size() == 2);
    CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
  }
  CHECK(fake_cuda::live_libraries() == 0);
  CHECK(fake_cuda::live_streams() == 0);
}

TEST_CASE("the fake's variables are the library's own, one a device") {
  const Fake fake;
  const auto code = compile_fixture(source, "compute_75", Form::ptx);
  if (!code) return;
  Loaded first(*code);
  Loaded second(*code);
  CUdeviceptr a = 0;
  CUdeviceptr b = 0;
  CUdeviceptr elsewhere = 0;
  std::size_t size = 0;
  CHECK(cuLibraryGetGlobal(&a, &size, first.library, "counter") == CUDA_SUCCESS);
  CHECK(size == 12);
  CHECK(cuLibraryGetGlobal(&b, &size, second.library, "counter") == CUDA_SUCCESS);
  REQUIRE(cuCtxSetCurrent(fake.contexts[1]) == CUDA_SUCCESS);
  CHECK(cuLibraryGetGlobal(&elsewhere, &size, first.library, "counter") == CUDA_SUCCESS);
  CHECK(a != b);
  CHECK(a != elsewhere);
  CHECK(cuLibraryGetGlobal(&a, &size, first.library, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryGetManaged(&a, &size, first.library, "counter") == CUDA_ERROR_NOT_FOUND);
}

TEST_CASE("the fake refuses what is no code, and fails where a test asks for it") {
  const Fake fake;
  CUlibrary library = nullptr;
  const auto load = [&](const char* code) {
    return cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  CHECK(load("garbage") == CUDA_ERROR_INVALID_IMAGE);
  fake_cuda::fail("cuLibraryLoadData", CUDA_ERROR_OUT_OF_MEMORY, 1);
  CHECK(load("garbage") == CUDA_ERROR_INVALID_IMAGE);
  CHECK(load("garbage") == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(load("garbage") == CUDA_ERROR_INVALID_IMAGE);
  CHECK(fake_cuda::calls("cuLibraryLoadData") == 4);
}

}  // namespace fake_driver_test
