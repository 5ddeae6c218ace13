// Plans replayed on a device, by graphs and by single launches, and benchmarks of them.
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

namespace plan_test {

using kiln::test::driver_call;

namespace {

const char* const source = R"(
#include <cooperative_groups.h>
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
// Not commutative with itself: order shows.
extern "C" __global__ void append(long long* number, int digit) { *number = *number * 10 + digit; }
extern "C" __global__ void fill_shared(int* out, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = tile[n - 1];
}
extern "C" __global__ void count_blocks(int* out, int add) {
  if (threadIdx.x == 0) atomicAdd(out, add);
}
// Right only where all blocks run at once.
extern "C" __global__ void meet(int* arrived, int* seen) {
  if (threadIdx.x == 0) atomicAdd(arrived, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) *seen = *arrived;
}
extern "C" __global__ void cluster_size(int* out, int add) {
  unsigned size = 1;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
#endif
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = (int)size + add;
}
extern "C" __global__ void spin(long long cycles, int* out, int value) {
  long long start = clock64();
  while (clock64() - start < cycles) {}
  *out = value;
}
)";

const kiln::SourceModule& module() {
  static const kiln::SourceModule loaded(source);
  return loaded;
}

std::vector<float> ramp(int size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

/// append(number, digit) for three digits that a replay brings, and one constant.
struct Appending {
  Appending() {
    const auto number = plan.parameter<long long*>("number");
    const auto a = plan.parameter<int>("a");
    const auto b = plan.parameter<int>("b");
    const kiln::Function append = module().get_function("append");
    plan.add(append, {1, 1}, number, a);
    plan.add(append, {1, 1}, number, b);
    plan.add(append, {1, 1}, number, 7);
    plan.add(append, {1, 1}, number, a);
  }
  kiln::LaunchPlan plan;
};

kiln::DeviceBuffer<long long> zero() { return kiln::DeviceBuffer<long long>(std::vector<long long>(1)); }

}  // namespace

TEST_CASE("a plan's launches run in order with each replay's own arguments") {
  const Appending made;
  const auto first = zero();
  const auto second = zero();
  const kiln::Stream stream;
  made.plan(stream, first, 1, 2);
  made.plan(stream, second, 3, 4);
  made.plan(stream, first, 1, 5);  // only one launch is set anew beside the pointers
  made.plan(stream, first, 1, 5);  // none
  stream.synchronize();
  CHECK(first.to_host()[0] == 127115711571LL);
  CHECK(second.to_host()[0] == 3473);
  made.plan(nullptr, second, 8, 9);
  CHECK(second.to_host()[0] == 34738978);
}

TEST_CASE("a replay while a former one runs leaves that its arguments") {
  kiln::LaunchPlan plan;
  const auto out = plan.parameter<int*>("out");
  const auto value = plan.parameter<int>("value");
  const kiln::Function spin = module().get_function("spin");
  plan.add(spin, {1, 1}, 20000000LL, out, value);
  plan.add(spin, {1, 1}, 1000LL, out, value);
  std::vector<kiln::DeviceBuffer<int>> results;
  const kiln::Stream stream;
  for (int i = 0; i < 4; ++i) results.emplace_back(std::vector<int>(1));
  for (int i = 0; i < 4; ++i) plan(stream, results[static_cast<std::size_t>(i)], i + 10);
  stream.synchronize();
  for (int i = 0; i < 4; ++i) CHECK(results[static_cast<std::size_t>(i)].to_host()[0] == i + 10);
}

TEST_CASE("many launches over buffers of several sizes") {
  constexpr int size = 5000;
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<const float*>("x");
  const auto y = plan.parameter<float*>("y");
  const auto n = plan.parameter<int>("n");
  const kiln::Function scale = module().get_function("scale");
  const kiln::LaunchConfig config{(size + 255) / 256, 256};
  plan.add(scale, config, x, y, 2.0f, n);
  for (int i = 0; i < 15; ++i) plan.add(scale, config, y, y, i % 2 == 0 ? 2.0f : 0.5f, n);
  const kiln::DeviceBuffer<float> input(ramp(size));
  for (const int count : {1, 77, size}) {
    const kiln::DeviceBuffer<float> output{std::vector<float>(size)};
    plan(nullptr, input, output, count);
    const std::vector<float> result = output.to_host();
    for (int i = 0; i < size; ++i)
      REQUIRE(result[static_cast<std::size_t>(i)] == (i < count ? 4 * static_cast<float>(i + 1) : 0.0f));
  }
}

TEST_CASE("other grids and much shared memory work in a ready graph") {
  kiln::LaunchPlan plan;
  const auto out = plan.parameter<int*>("out");
  const auto n = plan.parameter<int>("n");
  const kiln::Function count_blocks = module().get_function("count_blocks");
  const kiln::Function fill = module().get_function("fill_shared");
  kiln::DeviceBuffer<int> blocks{std::vector<int>(1)};
  kiln::DeviceBuffer<int> last{std::vector<int>(1)};
  plan.add(count_blocks, {10, 32}, blocks, 1);
  plan.add(fill, {1, 64, 16 * 1024 * sizeof(int)}, out, n);
  plan(nullptr, last, 16 * 1024);
  CHECK(blocks.to_host()[0] == 10);
  CHECK(last.to_host()[0] == 16 * 1024 - 1);
  plan.set_config(0, {100, 32});
  plan.set_config(1, {1, 64, 40 * 1024 * sizeof(int)});
  plan(nullptr, last, 40 * 1024);
  CHECK(blocks.to_host()[0] == 110);
  CHECK(last.to_host()[0] == 40 * 1024 - 1);
}

TEST_CASE("cooperative and cluster launches keep their attributes when their arguments change") {
  const bool has_clusters = kiln::Device::current().compute_capability().first >= 9;
  kiln::LaunchPlan plan;
  const auto arrived = plan.parameter<int*>("arrived");
  const auto seen = plan.parameter<int*>("seen");
  const auto size = plan.parameter<int*>("size");
  const auto add = plan.parameter<int>("add");
  kiln::LaunchConfig cooperative{32, 64};
  cooperative.attributes.cooperative = true;
  plan.add(module().get_function("meet"), cooperative, arrived, seen);
  kiln::LaunchConfig clustered{8, 32};
  if (has_clusters) clustered.attributes.cluster = {4};
  plan.add(module().get_function("cluster_size"), clustered, size, add);
  for (int i = 0; i < 3; ++i) {
    const kiln::DeviceBuffer<int> counters{std::vector<int>(3)};
    plan(nullptr, counters.data(), counters.data() + 1, counters.data() + 2, 10 * i);
    CHECK(counters.to_host() == std::vector<int>{32, 32, (has_clusters ? 4 : 1) + 10 * i});
  }
}

TEST_CASE("programmatic launches go one by one and in order") {
  const Appending made;
  kiln::LaunchPlan plan;
  const auto number = plan.parameter<long long*>("number");
  const kiln::Function append = module().get_function("append");
  plan.add(append, {1, 1}, number, 1);
  kiln::LaunchConfig programmatic{1, 1};
  // The kernel before never triggers the launch early, so its end does.
  if (kiln::Device::current().compute_capability().first >= 9)
    programmatic.attributes.programmatic_stream_serialization = true;
  plan.add(append, programmatic, number, 2);
  const auto result = zero();
  const kiln::Stream stream;
  plan(stream, result);
  plan(stream, result);
  stream.synchronize();
  CHECK(result.to_host()[0] == 1212);
}

TEST_CASE("a window over a parameter changes no result, wherever it lies") {
  constexpr int size = 100000;
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<const float*>("x");
  const auto y = plan.parameter<float*>("y");
  const kiln::Function scale = module().get_function("scale");
  plan.l2_window(x, size * sizeof(float), 0.6f);
  for (const float factor : {2.0f, 3.0f}) plan.add(scale, {(size + 255) / 256, 256}, x, y, factor, size);
  const kiln::DeviceBuffer<float> a(ramp(size));
  const kiln::DeviceBuffer<float> b(std::vector<float>(size, 5.0f));
  const kiln::DeviceBuffer<float> y_of_a{std::vector<float>(size)};
  const kiln::DeviceBuffer<float> y_of_b{std::vector<float>(size)};
  for (int i = 0; i < 3; ++i) plan(nullptr, a, y_of_a);
  for (int i = 0; i < 3; ++i) plan(nullptr, b, y_of_b);
  plan(nullptr, a, y_of_a);
  std::vector<float> expected = ramp(size);
  for (float& value : expected) value *= 3;
  CHECK(y_of_a.to_host() == expected);
  CHECK(y_of_b.to_host() == std::vector<float>(size, 15.0f));
}

TEST_CASE("a replay can be captured into a graph") {
  const Appending made;
  const auto result = zero();
  const kiln::Stream stream = kiln::Stream::non_blocking();
  made.plan(stream, result, 1, 2);  // its own graph exists
  stream.synchronize();
  driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", CUstream(stream),
                                                 CU_STREAM_CAPTURE_MODE_GLOBAL);
  made.plan(stream, result, 3, 4);
  CUgraph graph = nullptr;
  driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", CUstream(stream), &graph);
  CUgraphExec executable = nullptr;
  driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &executable, graph, 0ULL);
  CHECK(result.to_host()[0] == 1271);
  made.plan(stream, result, 5, 6);
  driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", executable, CUstream(stream));
  stream.synchronize();
  CHECK(result.to_host()[0] == 127156753473LL);
  driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", executable);
  driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph);
}

TEST_CASE("threads replay one plan on streams of their own") {
  const Appending made;
  constexpr int replays = 3;  // four digits each
  std::vector<kiln::DeviceBuffer<long long>> results;
  for (int i = 0; i < 4; ++i) results.push_back(zero());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const kiln::Stream stream = kiln::Stream::non_blocking();
      for (int i = 0; i < replays; ++i) made.plan(stream, results[static_cast<std::size_t>(t)], t, i + 1);
      stream.synchronize();
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 4; ++t) {
    long long expected = 0;
    for (int i = 0; i < replays; ++i)
      for (const int digit : {t, i + 1, 7, t}) expected = expected * 10 + digit;
    CHECK(results[static_cast<std::size_t>(t)].to_host()[0] == expected);
  }
}

TEST_CASE("one plan serves every device of the machine, and a context of the program's own") {
  const Appending made;
  for (int device = 0; device < kiln::Device::count(); ++device) {
    kiln::Device(device).make_current();
    const auto result = zero();
    made.plan(nullptr, result, 1, 2);
    CHECK(result.to_host()[0] == 1271);
  }
  kiln::Device(0).make_current();
  {
    Appending own;
    CUcontext primary = nullptr;
    driver_call<decltype(&::cuCtxGetCurrent)>("cuCtxGetCurrent", &primary);
    CUcontext context = nullptr;
    CUctxCreateParams parameters = {};
    driver_call<decltype(&::cuCtxCreate)>("cuCtxCreate_v4", &context, &parameters, 0U, CUdevice{0});
    {
      const kiln::Stream stream = kiln::Stream::non_blocking();
      const auto result = zero();
      own.plan(stream, result, 1, 2);
      driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", primary);
      own.plan(stream, result, 3, 4);  // its stream, while another context is current
      driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", context);
      stream.synchronize();
      CHECK(result.to_host()[0] == 12713473);
      own.plan = {};  // before its context goes
    }
    driver_call<decltype(&::cuCtxDestroy)>("cuCtxDestroy_v2", context);
    driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", primary);
  }
}

TEST_CASE("a plan's tensor map follows its parameter" * kiln::test::needs_compute_capability_9()) {
  const kiln::SourceModule tma(R"(
struct alignas(64) Map { char opaque[128]; };
extern "C" __global__ void copy_box(const __grid_constant__ Map map, float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned tile_address = (unsigned)__cvta_generic_to_shared(tile);
  unsigned barrier_address = (unsigned)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(barrier_address) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(barrier_address) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(tile_address), "l"(&map), "r"(8), "r"(8), "r"(barrier_address) : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(barrier_address) : "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}
)");
  constexpr int side = 32;
  const std::vector<float> values = ramp(side * side);
  std::vector<float> negative = values;
  for (float& value : negative) value = -value;
  const kiln::DeviceBuffer<float> a(values);
  const kiln::DeviceBuffer<float> b(negative);
  const kiln::DeviceBuffer<float> outs{std::vector<float>(128)};
  kiln::TensorMapTiled tensor;
  tensor.sizes = {side, side};
  tensor.box = {8, 8};
  kiln::LaunchPlan plan;
  const auto x = plan.parameter<const float*>("x");
  const auto map = plan.tensor_map(kiln::TensorMap::tiled(a.data(), tensor), x);
  const kiln::Function copy = tma.get_function("copy_box");
  plan.add(copy, {1, 64}, map, outs.data());
  plan.add(copy, {1, 64}, map, outs.data() + 64);
  for (const float sign : {1.0f, -1.0f, 1.0f}) {
    plan(nullptr, sign > 0 ? a : b);
    const std::vector<float> result = outs.to_host();
    for (std::size_t i = 0; i < 128; ++i) REQUIRE(result[i] == sign * values[(8 + i % 64 / 8) * side + 8 + i % 8]);
  }
}

TEST_CASE("a benchmark tells the time on the device, never less than a kernel's own cycles") {
  const kiln::Function spin = module().get_function("spin");
  const kiln::DeviceBuffer<int> out{std::vector<int>(1)};
  const kiln::Stream stream;
  kiln::BenchmarkOptions options;
  options.stream = stream;
  options.max_seconds = 0.5;
  const auto measure = [&](long long cycles) {
    return kiln::benchmark([&](CUstream s) { spin({1, 1, 0, s}, cycles, out, 1); }, options);
  };
  const kiln::BenchmarkResult little = measure(1000);
  const kiln::BenchmarkResult much = measure(2000000);
  CHECK(little.min > 0);
  CHECK(little.min <= little.lower_quartile);
  CHECK(little.lower_quartile <= little.median);
  CHECK(little.median <= little.upper_quartile);
  CHECK(much.min > 0.0002);  // 2 million cycles at 10 GHz, which no device reaches
  options.flush_l2 = true;
  const kiln::BenchmarkResult flushed = measure(2000000);
  CHECK(flushed.calls_per_repetition == 1);
  CHECK(flushed.min > 0.0002);
}

}  // namespace plan_test
