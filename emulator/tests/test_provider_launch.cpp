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

namespace {

// Kernels that store the rank of each block in its cluster.
std::string rank_kernel(const std::string& name, const std::string& directives) {
  return ".visible .entry " + name + "(.param .u64 p) " + directives + R"( {
  .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.pred %p, %is_explicit_cluster;
  @%p add.u32 %r2, %r2, 100; ld.param.u64 %d1, [p]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r2; ret; }
)";
}

CUlaunchConfig one_dimension(unsigned grid, CUlaunchAttribute& attribute) {
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  CUlaunchConfig config = {};
  config.gridDimX = grid;
  config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

const std::string cluster_kernels = ".version 8.0\n.target sm_90\n.address_size 64\n" +
                                    rank_kernel("pair", ".explicitcluster .reqnctapercluster 2, 1, 1") +
                                    rank_kernel("stated", ".explicitcluster") + rank_kernel("any", "") +
                                    rank_kernel("few", ".maxclusterrank 4");

}  // namespace

TEST_CASE("launches in clusters: by an attribute, and as the kernel was compiled") {
  const Device device(cluster_kernels);
  const DeviceValues<unsigned> out({0, 0, 0, 0, 0, 0, 0, 0});
  CHECK_OK(launch(device.function("any"), 8, 1, nullptr, out.address));
  CHECK(out.values() == std::vector<unsigned>{0, 0, 0, 0, 0, 0, 0, 0});
  CHECK_OK(launch(device.function("pair"), 8, 1, nullptr, out.address));
  CHECK(out.values() == std::vector<unsigned>{100, 101, 100, 101, 100, 101, 100, 101});
  CHECK(launch(device.function("pair"), 7, 1, nullptr, out.address) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(launch(device.function("stated"), 8, 1, nullptr, out.address) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CUlaunchAttribute attribute = {};
  const auto in_clusters = [&](const char* name, unsigned grid, unsigned x, unsigned y = 1, unsigned z = 1) {
    const CUlaunchConfig config = one_dimension(grid, attribute);
    attribute.value.clusterDim = {x, y, z};
    void* params[] = {const_cast<CUdeviceptr*>(&out.address)};
    return cuLaunchKernelEx(&config, device.function(name), params, nullptr);
  };
  CHECK_OK(in_clusters("any", 8, 4));
  CHECK(out.values() == std::vector<unsigned>{100, 101, 102, 103, 100, 101, 102, 103});
  CHECK_OK(in_clusters("stated", 8, 1));
  CHECK(out.values() == std::vector<unsigned>(8, 100));
  CHECK_OK(in_clusters("pair", 8, 2));
  CHECK(in_clusters("pair", 8, 4) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(in_clusters("any", 8, 3) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(in_clusters("any", 8, 1, 2) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(in_clusters("any", 8, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(in_clusters("any", 65536, 65536, 65536) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(in_clusters("any", 8, 0x80000000u, 2, 0x80000000u) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(in_clusters("few", 8, 8) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK_OK(in_clusters("few", 8, 4));
}

TEST_CASE("clusters of more than 8 blocks have to be allowed, and of more than 16 there are none") {
  const Device device(cluster_kernels);
  const CUfunction any = device.function("any"), pair = device.function("pair");
  CUlaunchAttribute attribute = {};
  const DeviceValues<unsigned> out(std::vector<unsigned>(32));
  void* params[] = {const_cast<CUdeviceptr*>(&out.address)};
  const auto in_clusters = [&](unsigned size) {
    const CUlaunchConfig config = one_dimension(32, attribute);
    attribute.value.clusterDim = {size, 1, 1};
    return cuLaunchKernelEx(&config, any, params, nullptr);
  };
  const auto active = [&](unsigned size) {
    const CUlaunchConfig config = one_dimension(size, attribute);
    attribute.value.clusterDim = {size, 1, 1};
    int count = -1;
    CHECK_OK(cuOccupancyMaxActiveClusters(&count, any, &config));
    return count;
  };
  const auto potential = [&](CUfunction function) {
    const CUlaunchConfig config = one_dimension(1, attribute);
    int count = -1;
    CHECK_OK(cuOccupancyMaxPotentialClusterSize(&count, function, &config));
    return count;
  };
  CHECK(in_clusters(16) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(potential(any) == 8);
  CHECK(potential(device.function("few")) == 4);
  CHECK(active(8) > 0);
  CHECK(active(16) == 0);
  CHECK_OK(cuFuncSetAttribute(any, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  CHECK_OK(in_clusters(16));
  CHECK(in_clusters(32) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(potential(any) == 16);
  CHECK(active(16) > 0);
  CHECK(active(32) == 0);
  // What a kernel needs, by its text or as it is set.
  const auto attribute_of = [&](CUfunction function, CUfunction_attribute id) {
    int value = -1;
    CHECK_OK(cuFuncGetAttribute(&value, id, function));
    return value;
  };
  CHECK(attribute_of(pair, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) == 2);
  CHECK(attribute_of(pair, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH) == 1);
  CHECK(attribute_of(pair, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) == 1);
  CHECK(attribute_of(any, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) == 0);
  CHECK(attribute_of(any, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET) == 0);
  CHECK(cuFuncSetAttribute(pair, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4) == CUDA_ERROR_NOT_PERMITTED);
  CHECK_OK(cuFuncSetAttribute(any, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4));
  CHECK_OK(launch(any, 8, 1, nullptr, out.address));
  CHECK(out.values()[7] == 103);
  CHECK_OK(cuFuncSetAttribute(any, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
                              CU_CLUSTER_SCHEDULING_POLICY_SPREAD));
  CHECK(attribute_of(any, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) ==
        CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
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
