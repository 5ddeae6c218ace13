// What a launch may ask for beyond its sizes, and what a function tells of itself: on a device, with checked values.
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace attributes_test {

using kiln::test::driver_call;

namespace {

bool has_clusters() { return kiln::Device::current().compute_capability().first >= 9; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What a call throws as ArgumentError; empty where it throws nothing.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const kiln::ArgumentError& error) {
    return error.what();
  }
  return {};
}

// Every block writes into the shared memory of the next one of its cluster, which then stores what it got.
const char* const cluster_source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void pass_on(int* out) {
  __shared__ int slot;
  auto cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) {
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    *cluster.map_shared_rank(&slot, next) = 100 + blockIdx.x;
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = slot;
}
extern "C" __global__ void ring(int* out) { pass_on(out); }
extern "C" __global__ void __cluster_dims__(4, 1, 1) ring_of_four(int* out) { pass_on(out); }
extern "C" __global__ void __cluster_dims__(16, 1, 1) ring_of_16(int* out) { pass_on(out); }
)";

void check_ring(const kiln::Function& ring, kiln::LaunchConfig config, int cluster) {
  const int blocks = static_cast<int>(config.grid.x);
  const kiln::DeviceBuffer<int> out(std::vector<int>(config.grid.x, -1));
  ring(config, out);
  const std::vector<int> result = out.to_host();
  for (int i = 0; i < blocks; ++i) {
    const int first = i / cluster * cluster;
    REQUIRE(result[static_cast<std::size_t>(i)] == 100 + first + (i - first + cluster - 1) % cluster);
  }
}

kiln::LaunchConfig with_cluster(kiln::Dim3 grid, kiln::Dim3 cluster, std::size_t shared_size = 0) {
  kiln::LaunchConfig config{grid, 64, shared_size};
  config.attributes.cluster = cluster;
  return config;
}

const char* const plain_source = R"(
extern "C" __global__ void triple(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 3;
}
extern "C" __global__ void uses_shared(int* out) {
  extern __shared__ int slots[];
  slots[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = slots[blockDim.x - 1 - threadIdx.x];
}
)";

/// Runs `triple` with these attributes and checks what it did.
void check_triple(const kiln::Function& triple, const kiln::LaunchAttributes& attributes, CUstream stream = nullptr) {
  constexpr int size = 1000;
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  const kiln::DeviceBuffer<int> buffer(values);
  kiln::LaunchConfig config{4, 256, 0, stream};
  config.attributes = attributes;
  triple(config, buffer, size);
  driver_call<decltype(&::cuStreamSynchronize)>("cuStreamSynchronize", stream);
  const std::vector<int> result = buffer.to_host();
  for (int i = 0; i < size; ++i) REQUIRE(result[static_cast<std::size_t>(i)] == 3 * i);
}

/// A window that may be laid over a buffer.
kiln::AccessPolicyWindow window_over(const kiln::DeviceBuffer<int>& buffer) {
  return {buffer.data(), buffer.size() * sizeof(int), 0.75f};
}

}  // namespace

TEST_CASE("clusters share memory, up to 16 blocks" * kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(cluster_source);
  const kiln::Function ring = module.get_function("ring");
  for (const int cluster : {2, 4, 8}) check_ring(ring, with_cluster(4 * cluster, cluster), cluster);
  CHECK(ring.attribute(kiln::FunctionAttribute::non_portable_cluster_size_allowed) == 0);
  if (kiln::Device::current().compute_capability() == std::pair(9, 0)) {
    check_ring(ring, with_cluster(32, 16), 16);
    CHECK(ring.attribute(kiln::FunctionAttribute::non_portable_cluster_size_allowed) == 1);
  }
}

TEST_CASE("clusters that cannot be are refused with the way out" * kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(cluster_source);
  const kiln::Function ring = module.get_function("ring");
  const kiln::DeviceBuffer<int> out(64);
  CHECK(contains(refusal([&] { ring(with_cluster(6, 4), out); }),
                 "kernel ring: grid x: expected a multiple of 4, given 6"));
  const std::string large = refusal([&] { ring(with_cluster(64, 64), out); });
  CHECK_MESSAGE(contains(large, "kernel ring: cluster: expected at most "), large);
  const std::string heavy = refusal([&] {
    kiln::LaunchConfig config = with_cluster(32, 16, 220 * 1024);
    config.block = 1024;
    for (int blocks = 16; blocks <= 64; blocks *= 2) {  // some size has no room, whatever the device has switched off
      config.attributes.cluster = config.grid = blocks;
      ring(config, out);
    }
  });
  CHECK_MESSAGE(contains(heavy, "kernel ring: cluster: expected at most "), heavy);
}

TEST_CASE("a kernel compiled with __cluster_dims__ launches plainly, and with the same cluster stated" *
          kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(cluster_source);
  const kiln::Function four = module.get_function("ring_of_four");
  CHECK(four.required_cluster() == kiln::Dim3(4));
  check_ring(four, {8, 64}, 4);
  check_ring(four, with_cluster(8, 4), 4);
  const kiln::DeviceBuffer<int> out(64);
  CHECK(contains(refusal([&] { four(with_cluster(8, 2), out); }), "as the kernel's __cluster_dims__ says"));
  CHECK(contains(refusal([&] { four({6, 64}, out); }), "grid x: expected a multiple of 4, given 6"));
}

TEST_CASE("a kernel compiled with more than 8 blocks a cluster is allowed them" *
          kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(cluster_source);
  const kiln::Function ring = module.get_function("ring_of_16");
  CHECK(ring.required_cluster() == kiln::Dim3(16));
  check_ring(ring, {32, 64}, 16);
  const kiln::DeviceBuffer<int> out(64);
  CHECK(contains(refusal([&] { ring({6, 64}, out); }), "grid x: expected a multiple of 16, given 6"));
}

TEST_CASE("the driver's own answers to clusters that cannot be" * kiln::test::needs_compute_capability_9()) {
  // Code of its own: a launch of another case has allowed larger clusters for good.
  const kiln::SourceModule module(std::string(cluster_source) + "// the driver's own answers\n");
  const kiln::DeviceBuffer<int> out(64);
  const auto answer = [&](const char* kernel, unsigned grid, unsigned cluster, unsigned shared = 0) {
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {cluster, 1, 1};
    CUlaunchConfig config = {};
    config.gridDimX = grid;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 64;
    config.sharedMemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = cluster != 0 ? 1 : 0;
    const int* data = out.data();
    void* arguments[] = {static_cast<void*>(&data)};
    const auto launch = kiln::test::driver_function<decltype(&::cuLaunchKernelEx)>("cuLaunchKernelEx");
    const kiln::Function function = module.get_function(kernel);
    return launch(&config, reinterpret_cast<CUfunction>(function.handle()), arguments, nullptr);
  };
  CHECK(answer("ring", 8, 4) == CUDA_SUCCESS);
  CHECK(answer("ring", 6, 4) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(answer("ring", 16, 16) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(answer("ring", 64, 64) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(answer("ring_of_four", 8, 2) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(answer("ring_of_four", 6, 0) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CHECK(answer("ring_of_four", 8, 0) == CUDA_SUCCESS);
  driver_call<decltype(&::cuCtxSynchronize)>("cuCtxSynchronize");
}

TEST_CASE("a cooperative grid waits for all its blocks, and one too large is refused with the largest") {
  const kiln::SourceModule module(R"(
#include <cooperative_groups.h>
extern "C" __global__ void reverse(int* values) {
  auto grid = cooperative_groups::this_grid();
  const int last = gridDim.x * blockDim.x - 1;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
  grid.sync();
  const int other = values[last - i];
  grid.sync();
  values[i] = other;
})");
  const kiln::Function reverse = module.get_function("reverse");
  const int processors = kiln::Device::current().attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  constexpr int threads = 256;
  const int largest = reverse.max_active_blocks_per_multiprocessor(threads) * processors;
  kiln::LaunchConfig config{largest, threads};
  config.attributes.cooperative = true;
  const kiln::DeviceBuffer<int> values(std::vector<int>(static_cast<std::size_t>(largest) * threads));
  reverse(config, values);
  const std::vector<int> result = values.to_host();
  for (std::size_t i = 0; i < result.size(); ++i) REQUIRE(result[i] == static_cast<int>(result.size() - 1 - i));
  config.grid = largest + 1;
  const std::string text = refusal([&] { reverse(config, values); });
  CHECK_MESSAGE(contains(text, "at most " + std::to_string(largest) + ", given " + std::to_string(largest + 1)), text);
}

TEST_CASE("a dependent launch sees what the kernel before it wrote" * kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(R"(
extern "C" __global__ void produce(int* values, int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nanosleep(20000);
  if (i < n) values[i] = i + 1;
}
extern "C" __global__ void consume(const int* values, int* out, int n) {
  asm volatile("griddepcontrol.wait;" ::: "memory");  // what cudaGridDependencySynchronize() is
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * values[n - 1 - i];
})");
  constexpr int size = 4096;
  const kiln::Stream stream = kiln::Stream::non_blocking();
  const kiln::Function produce = module.get_function("produce");
  const kiln::Function consume = module.get_function("consume");
  const std::vector<int> zeros(size);
  for (int round = 0; round < 20; ++round) {
    const kiln::DeviceBuffer<int> values(zeros);
    const kiln::DeviceBuffer<int> out(zeros);
    kiln::LaunchConfig config{size / 256, 256, 0, stream};
    produce(config, values, size);
    config.attributes.programmatic_stream_serialization = true;
    consume(config, values, out, size);
    stream.synchronize();
    const std::vector<int> result = out.to_host();
    for (int i = 0; i < size; ++i) REQUIRE(result[static_cast<std::size_t>(i)] == 2 * (size - i));
  }
}

TEST_CASE("a programmatic event orders streams, and must be without timing" *
          kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule module(plain_source);
  const kiln::Function triple = module.get_function("triple");
  const kiln::Stream first = kiln::Stream::non_blocking();
  const kiln::Stream second = kiln::Stream::non_blocking();
  constexpr int size = 100000;
  const kiln::DeviceBuffer<int> values(std::vector<int>(size, 1));
  kiln::LaunchConfig config{(size + 255) / 256, 256, 0, first};
  CUevent event = nullptr;
  driver_call<decltype(&::cuEventCreate)>("cuEventCreate", &event, static_cast<unsigned>(CU_EVENT_DISABLE_TIMING));
  config.attributes.programmatic_event.event = event;
  triple(config, values, size);
  driver_call<decltype(&::cuStreamWaitEvent)>("cuStreamWaitEvent", second.handle(), event, 0u);
  triple({config.grid, config.block, 0, second}, values, size);
  second.synchronize();
  first.synchronize();
  CHECK(values.to_host() == std::vector<int>(size, 9));
  driver_call<decltype(&::cuEventDestroy)>("cuEventDestroy_v2", event);

  CUevent timed = nullptr;
  driver_call<decltype(&::cuEventCreate)>("cuEventCreate", &timed, static_cast<unsigned>(CU_EVENT_DEFAULT));
  config.attributes.programmatic_event.event = timed;
  const std::string text = refusal([&] { triple(config, values, size); });
  CHECK_MESSAGE(contains(text, "programmatic_event: expected an event made without timing"), text);
  driver_call<decltype(&::cuEventDestroy)>("cuEventDestroy_v2", timed);
}

TEST_CASE("priority, memory domain, carveout and window are taken, and give the same results") {
  const kiln::SourceModule module(plain_source);
  const kiln::Function triple = module.get_function("triple");
  const kiln::Stream stream = kiln::Stream::non_blocking();
  int last = 0;
  int first = 0;
  (void)kiln::Device::current();
  driver_call<decltype(&::cuCtxGetStreamPriorityRange)>("cuCtxGetStreamPriorityRange", &last, &first);
  for (const int priority : {first, last, first - 1, last + 1, -1000, 1000}) {  // the driver takes the nearest one
    kiln::LaunchAttributes attributes;
    attributes.priority = priority;
    check_triple(triple, attributes, stream);
  }
  for (const auto domain : {kiln::MemSyncDomain::normal, kiln::MemSyncDomain::remote}) {
    kiln::LaunchAttributes attributes;
    attributes.mem_sync_domain = domain;
    check_triple(triple, attributes);
  }
  for (const int percent : {0, 50, 100}) {
    kiln::LaunchAttributes attributes;
    attributes.shared_memory_carveout = percent;
    check_triple(triple, attributes);
  }
  const kiln::DeviceBuffer<int> kept(std::vector<int>(1 << 16));
  kiln::LaunchAttributes attributes;
  attributes.access_policy_window = window_over(kept);
  check_triple(triple, attributes);
  // All that go together.
  attributes.priority = first;
  attributes.mem_sync_domain = kiln::MemSyncDomain::remote;
  attributes.shared_memory_carveout = 30;
  attributes.cooperative = true;
  if (has_clusters()) attributes.cluster = 2;
  check_triple(triple, attributes, stream);

  attributes = {};
  attributes.access_policy_window = window_over(kept);
  attributes.access_policy_window.bytes = std::size_t{1} << 40;
  CHECK(contains(refusal([&] { check_triple(triple, attributes); }), "access_policy_window.bytes: expected at most"));
}

TEST_CASE("a launch with attributes may be captured, and timed") {
  const kiln::SourceModule module(plain_source);
  const kiln::Function triple = module.get_function("triple");
  const kiln::DeviceBuffer<int> values(std::vector<int>(256, 1));
  const kiln::Stream stream = kiln::Stream::non_blocking();
  kiln::LaunchConfig config{1, 256, 0, stream};
  config.attributes.priority = 0;
  config.attributes.shared_memory_carveout = 20;
  CHECK(triple.timed(config, values, 256) > 0);
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", stream.handle(),
                                                 CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  triple(config, values, 256);
  config.attributes.cooperative = true;  // checked for the first time while the stream is captured
  triple(config, values, 256);
  driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", stream.handle(), &graph);
  driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &executable, graph, 0ull);
  driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", executable, stream.handle());
  stream.synchronize();
  CHECK(values.to_host() == std::vector<int>(256, 27));
  driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", executable);
  driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph);
}

std::size_t driver_available_shared(const kiln::Function& function, int blocks, int block_size) {
  std::size_t bytes = 0;
  driver_call<decltype(&::cuOccupancyAvailableDynamicSMemPerBlock)>("cuOccupancyAvailableDynamicSMemPerBlock", &bytes,
                                                                    reinterpret_cast<CUfunction>(function.handle()),
                                                                    blocks, block_size);
  return bytes;
}

TEST_CASE("a function's attributes can be read and set") {
  const kiln::SourceModule module(plain_source);
  const kiln::Function function = module.get_function("uses_shared");
  CHECK(function.cache_mode_ca() >= 0);
  CHECK(function.required_cluster() == kiln::Dim3{});
  CHECK(function.max_dynamic_shared_size_bytes() == 48 * 1024);
  function.set_attribute(kiln::FunctionAttribute::preferred_shared_memory_carveout, 50);
  CHECK(function.preferred_shared_memory_carveout() == 50);
  for (const auto config : {kiln::CacheConfig::prefer_none, kiln::CacheConfig::prefer_shared,
                            kiln::CacheConfig::prefer_l1, kiln::CacheConfig::prefer_equal})
    function.set_cache_config(config);
  function.set_attribute(kiln::FunctionAttribute::max_dynamic_shared_size_bytes, 64 * 1024);
  CHECK(function.max_dynamic_shared_size_bytes() == 64 * 1024);
  const kiln::DeviceBuffer<int> out(std::vector<int>(256));
  for (const std::size_t bytes : {std::size_t{1024}, std::size_t{64} * 1024, std::size_t{96} * 1024}) {
    function({1, 256, bytes}, out);
    const std::vector<int> result = out.to_host();
    for (int i = 0; i < 256; ++i) REQUIRE(result[static_cast<std::size_t>(i)] == 255 - i);
  }
  CHECK(function.max_dynamic_shared_size_bytes() == 96 * 1024);
  CHECK_THROWS_AS(function.set_attribute(kiln::FunctionAttribute::num_regs, 10), kiln::DriverError);
}

TEST_CASE("the available shared memory is the driver's answer, and asking raises no limit") {
  // Of its own, as launches of others may have raised the limit of a kernel that modules share.
  const kiln::SourceModule module(R"(
extern "C" __global__ void plain(int* out) { *out = 1; }
extern "C" __global__ void shares(int* out) { __shared__ int own[1000]; own[threadIdx.x] = 1; __syncthreads(); *out = own[0]; })");
  for (const char* name : {"plain", "shares"}) {
    CAPTURE(name);
    const kiln::Function function = module.get_function(name);
    const int limit = function.max_dynamic_shared_size_bytes();
    for (const int blocks : {1, 2, 3, 4, 8}) {
      CAPTURE(blocks);
      CHECK(function.available_dynamic_shared_size(blocks, 256) == driver_available_shared(function, blocks, 256));
    }
    CHECK(function.max_dynamic_shared_size_bytes() == limit);
    function.set_attribute(kiln::FunctionAttribute::max_dynamic_shared_size_bytes, 96 * 1024);
    for (const int blocks : {1, 2, 3, 4, 8}) {
      CAPTURE(blocks);
      CHECK(function.available_dynamic_shared_size(blocks, 256) == driver_available_shared(function, blocks, 256));
    }
    CHECK(function.available_dynamic_shared_size(1, 256) > static_cast<std::size_t>(limit));
  }
}

TEST_CASE("occupancy agrees with itself and with the device") {
  const kiln::SourceModule module(plain_source);
  const kiln::Function triple = module.get_function("triple");
  const kiln::Device device = kiln::Device::current();
  const int threads = device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  CHECK(triple.max_active_blocks_per_multiprocessor(1024) == threads / 1024);
  const std::size_t most =
      static_cast<std::size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  CHECK(triple.max_active_blocks_per_multiprocessor(32, most) == 1);
  const kiln::PotentialBlockSize best = triple.max_potential_block_size();
  CHECK(best.block_size >= 128);
  CHECK(best.min_grid_size >= device.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  CHECK(triple.max_potential_block_size(0, 64).block_size <= 64);
  const std::size_t half = triple.available_dynamic_shared_size(2, 256);
  CHECK(half < most);
  CHECK(half == driver_available_shared(triple, 2, 256));
  // The driver leaves out what it reserves in each block.
  const auto reserved =
      static_cast<std::size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  CHECK(triple.max_active_blocks_per_multiprocessor(256, half - reserved) >= 2);
  if (!has_clusters()) {
    MESSAGE("left out: this device has no clusters");
    return;
  }
  CHECK(triple.max_potential_cluster_size({8, 128}) == 8);
  CHECK(triple.max_active_clusters(with_cluster(8, 8)) > 0);
}

TEST_CASE("the best block for shared memory that depends on the block is one that can be launched") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void reverse(int* out) {
  extern __shared__ int own[];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
})");
  const kiln::Function reverse = module.get_function("reverse");
  // Beyond 48 KiB from 192 threads on; blocks of more than 800 threads or so cannot be anywhere.
  const auto bytes = [](int threads) { return static_cast<std::size_t>(threads) * 256; };
  const kiln::PotentialBlockSize best = reverse.max_potential_block_size(bytes);
  CHECK(best.block_size > 0);
  CHECK(best.min_grid_size > 0);
  const std::size_t shared = bytes(best.block_size);
  CHECK(reverse.max_active_blocks_per_multiprocessor(best.block_size, shared) > 0);
  CHECK(reverse.max_potential_block_size(bytes, 64).block_size <= 64);
  const kiln::DeviceBuffer<int> out(static_cast<std::size_t>(best.block_size));
  reverse({1, best.block_size, shared}, out);
  CHECK(out.to_host().front() == best.block_size - 1);
  CHECK_THROWS_AS((void)reverse.max_potential_block_size([](int) { return std::size_t{1} << 30; }),
                  kiln::ArgumentError);
}

TEST_CASE("an attribute of cuda.h's own reaches the launch") {
  const kiln::SourceModule module(R"(
#include <cooperative_groups.h>
extern "C" __global__ void neighbours(int* out) {
  out[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) out[gridDim.x] = out[1];
})");
  const kiln::Function neighbours = module.get_function("neighbours");
  const kiln::DeviceBuffer<int> out(3);
  CUlaunchAttribute raw[2] = {};
  raw[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  raw[0].value.cooperative = 1;
  raw[1].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  kiln::LaunchConfig config{2, 1};
  config.attributes.raw = raw;
  neighbours(config, out);
  CHECK(out.to_host() == std::vector<int>{1, 2, 2});
  config.attributes.cooperative = true;
  CHECK(contains(refusal([&] { neighbours(config, out); }), "number 2 twice"));
}

}  // namespace attributes_test
