// A whole program of the driver API: load, launch, look; and launches that the driver refuses.
#include "provider_calls.hpp"

#include <cstring>
#include <numeric>

namespace provider_launch_test {

namespace {
using namespace kiln::emulator::test;
}

TEST_CASE("vector add, from text to values") {
  const Device device;
  constexpr unsigned n = 1000;
  std::vector<float> a(n), b(n), sums(n);
  std::iota(a.begin(), a.end(), 0.0f);
  std::iota(b.begin(), b.end(), 0.5f);
  for (unsigned i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  const DeviceValues<float> first(a), second(b), out(std::vector<float>(n, 0.0f));
  CHECK_OK(launch(device.function("vector_add"), 4, 256, nullptr, out.address, first.address, second.address, n));
  CHECK(out.values() == sums);
}

TEST_CASE("parameters are copied by the call, and come from a buffer, too") {
  const Device device;
  const DeviceValues<unsigned> one({0, 0});
  struct {
    CUdeviceptr list;
    unsigned value;
  } params = {one.address, 5};
  std::size_t size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  const CUfunction append = device.function("append");
  CHECK_OK(cuLaunchKernel(append, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  std::memset(&params, 0xFF, sizeof(params));
  CHECK(one.values() == std::vector<unsigned>{1, 5});
  size = 8;  // too few
  CHECK(cuLaunchKernel(append, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("launches that the device cannot do are refused, and nothing runs") {
  const Device device;
  const DeviceValues<unsigned> one({0});
  const CUfunction poke = device.function("poke");
  void* params[] = {const_cast<CUdeviceptr*>(&one.address)};
  const auto refused = [&](unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_z, unsigned shared) {
    return cuLaunchKernel(poke, grid_x, grid_y, 1, block_x, 1, block_z, shared, nullptr, params, nullptr);
  };
  CHECK(refused(0, 1, 1, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(refused(1, 65536, 1, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(refused(1, 1, 1025, 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(refused(1, 1, 32, 64, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(refused(1, 1, 1, 1, 48 * 1024 + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuLaunchCooperativeKernel(poke, 1u << 20, 1, 1, 32, 1, 1, 0, nullptr, params) ==
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK_OK(cuCtxSynchronize());
  CHECK(one.values() == std::vector<unsigned>{0});
}

TEST_CASE("more shared memory than usual has to be asked for") {
  const Device device;
  const DeviceValues<unsigned> one({0});
  const CUfunction poke = device.function("poke");
  void* params[] = {const_cast<CUdeviceptr*>(&one.address)};
  constexpr int most = 227 * 1024;
  const auto set = [&](int bytes) {
    return cuFuncSetAttribute(poke, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  };
  CHECK(set(most + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(set(most));
  CHECK_OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, most, nullptr, params, nullptr));
  CHECK(one.values() == std::vector<unsigned>{1});
}

TEST_CASE("a kernel that fails stops its context and no other, and the process lives") {
  const Device other;
  const DeviceValues<unsigned> one({0});
  {
    const Device device;
    CUdeviceptr memory = 0;
    CHECK_OK(cuMemAlloc(&memory, 64));
    CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, CUdeviceptr{memory + 64}));
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    // From now on, whatever is called.
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemFree(memory) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuMemAlloc(&memory, 64) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(cuStreamQuery(nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CUcontext current = nullptr;
    CHECK_OK(cuCtxGetCurrent(&current));
    CHECK(current == device.context);
  }
  CHECK_OK(cuCtxSetCurrent(other.context));
  CHECK_OK(launch(other.function("poke"), 1, 1, nullptr, one.address));
  CHECK(one.values() == std::vector<unsigned>{1});
}

TEST_CASE("attributes of a kernel") {
  const Device device(ptx_head + R"(
.visible .entry k(.param .u32 a, .param .align 8 .b8 b[24]) .maxntid 64, 2, 1
{ .shared .align 4 .b8 room[100]; .reg .b32 %r<10>; mov.u32 %r1, room; st.shared.u32 [%r1], 0; ret; })");
  const CUfunction k = device.function("k");
  const auto attribute = [&](CUfunction_attribute id) {
    int value = -1;
    CHECK_OK(cuFuncGetAttribute(&value, id, k));
    return value;
  };
  CHECK(attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 128);
  CHECK(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) == 100);
  int registers = -1;
  CHECK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, k) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(registers == -1);
  CHECK(attribute(CU_FUNC_ATTRIBUTE_PTX_VERSION) == 75);
  CHECK(attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION) == 90);
  CHECK(attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 48 * 1024 - 100);
  std::size_t offset = 0, size = 0;
  CHECK_OK(cuFuncGetParamInfo(k, 1, &offset, &size));
  CHECK(offset == 8);
  CHECK(size == 24);
  CHECK(cuFuncGetParamInfo(k, 2, &offset, &size) == CUDA_ERROR_INVALID_VALUE);
  int blocks = 0;
  CHECK_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 0));
  CHECK(blocks == 16);  // 2048 threads
  CHECK_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0));
  CHECK(blocks == 0);
}

TEST_CASE("the shared memory that blocks can have together, by the reckoning of cuda_occupancy.h") {
  const Device device(ptx_head + ".visible .entry k() { .shared .align 4 .b8 room[1000]; .reg .b32 %r<10>; " +
                      "mov.u32 %r1, room; st.shared.u32 [%r1], 0; ret; }");
  const CUfunction k = device.function("k");
  const auto available = [&](int blocks) {
    std::size_t bytes = 0;
    CHECK_OK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, k, blocks, 128));
    return bytes;
  };
  // Of 228 KiB on a multiprocessor and at most 227 a block, and 1 more that is reserved. The usual limit comes first.
  CHECK(available(1) == 48 * 1024 - 1000);
  CHECK(available(2) == 48 * 1024 - 1000);
  CHECK(available(8) == 228 * 1024 / 8 - 1000);
  CHECK_OK(cuFuncSetAttribute(k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024 - 1000));
  CHECK(available(1) == 227 * 1024 - 1000);
  CHECK(available(2) == 114 * 1024 - 1000);
  CHECK(available(3) == 76 * 1024 - 1000);
}

TEST_CASE("a kernel for clusters of blocks is refused, never run as single blocks") {
  const Device device(ptx_head + ".visible .entry pair() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }\n" +
                      ".visible .entry single() .reqnctapercluster 1 { ret; }\n");
  CHECK(launch(device.function("pair"), 4, 1, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK_OK(launch(device.function("single"), 4, 1, nullptr));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto with_cluster = [&](unsigned x, unsigned y, unsigned z) {
    attribute.value.clusterDim = {x, y, z};
    return cuLaunchKernelEx(&config, device.function("single"), nullptr, nullptr);
  };
  CHECK_OK(with_cluster(1, 1, 1));
  CHECK(with_cluster(2, 1, 1) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(with_cluster(0, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(with_cluster(65536, 65536, 1) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("a kernel of a library runs in the context of the stream") {
  const Device streams_own;
  const DeviceValues<unsigned> one({0});
  CUstream stream = nullptr;
  CHECK_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  {
    const Device current;
    CUlibrary library = nullptr;
    CUkernel poke = nullptr;
    CHECK_OK(cuLibraryLoadData(&library, kernels.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK_OK(cuLibraryGetKernel(&poke, library, "poke"));
    CHECK_OK(launch(reinterpret_cast<CUfunction>(poke), 1, 1, stream, one.address));
    CHECK(launch(current.function("poke"), 1, 1, stream, one.address) == CUDA_ERROR_INVALID_HANDLE);
    CHECK_OK(cuStreamSynchronize(stream));
    CHECK_OK(cuLibraryUnload(library));
  }
  CHECK_OK(cuCtxSetCurrent(streams_own.context));
  CHECK(one.values() == std::vector<unsigned>{1});
  CHECK_OK(cuStreamDestroy(stream));
}

}  // namespace provider_launch_test
