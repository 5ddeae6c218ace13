// Launches on a device: every way to pass arguments and to say how many threads.
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <numeric>
#include <thread>
#include <vector>

namespace launch_test {

using kiln::test::driver_call;

namespace {

const char* const add_source = R"(
extern "C" __global__ void add_plain(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
)";

constexpr int size = 1000;

std::vector<float> ramp(float first) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

struct Addition {
  kiln::DeviceBuffer<float> a{ramp(0)};
  kiln::DeviceBuffer<float> b{ramp(5)};
  kiln::DeviceBuffer<float> c{std::vector<float>(size)};
  kiln::LaunchConfig config{(size + 255) / 256, 256};

  void check() const {
    const std::vector<float> result = c.to_host();
    for (int i = 0; i < size; ++i) REQUIRE(result[static_cast<std::size_t>(i)] == 2.0f * static_cast<float>(i) + 5);
  }
};

}  // namespace

TEST_CASE("a kernel is found and launched whether or not it is extern C, typed and untyped") {
  const kiln::SourceModule module(add_source);
  SUBCASE("extern C") {
    Addition sum;
    module.get_function("add_plain")(sum.config, sum.a, sum.b, sum.c, size);
    sum.check();
  }
  SUBCASE("mangled") {
    Addition sum;
    module.get_function("add")(sum.config, sum.a, sum.b, sum.c, size);
    sum.check();
  }
  SUBCASE("typed") {
    Addition sum;
    const auto add = module.get_function<void(const float*, const float*, float*, int)>("add");
    add(sum.config, sum.a, sum.b, sum.c, short{size});
    sum.check();
  }
  SUBCASE("raw pointers and CUdeviceptr") {
    Addition sum;
    module.get_function("add")(sum.config, sum.a.data(), sum.b.device_pointer(), sum.c.data(), size);
    sum.check();
  }
}

TEST_CASE("arguments of no, ten and mixed sizes arrive") {
  const kiln::SourceModule module(R"(
struct Body { double mass; float position[3]; char tag; };
extern "C" __global__ void none() {}
extern "C" __global__ void ten(double* out, char a, short b, int c, long long d, float e, double f, unsigned char g,
                               unsigned h, bool i) {
  out[0] = a; out[1] = b; out[2] = c; out[3] = double(d); out[4] = e; out[5] = f; out[6] = g; out[7] = h; out[8] = i;
}
extern "C" __global__ void body(double* out, Body value, int after) {
  out[0] = value.mass; out[1] = value.position[2]; out[2] = value.tag; out[3] = after;
}
)");
  module.get_function("none")({1, 1});
  kiln::DeviceBuffer<double> out(std::vector<double>(9));
  module.get_function("ten")({1, 1}, out, char{1}, short{-2}, 3, 1LL << 40, 0.5f, 0.25, static_cast<unsigned char>(200),
                             4000000000u, true);
  CHECK(out.to_host() == std::vector<double>{1, -2, 3, 1099511627776.0, 0.5, 0.25, 200, 4000000000.0, 1});

  struct Body {
    double mass;
    float position[3];
    char tag;
  };
  module.get_function("body")({1, 1}, out, Body{7.5, {1, 2, 3.5f}, 'k'}, 11);
  const std::vector<double> result = out.to_host();
  CHECK(std::vector<double>(result.begin(), result.begin() + 4) == std::vector<double>{7.5, 3.5, 'k', 11});
}

TEST_CASE("arguments that do not fit are refused before anything is launched") {
  const kiln::SourceModule module(add_source);
  const kiln::Function add = module.get_function("add");
  Addition sum;
  CHECK_THROWS_AS(add(sum.config, sum.a, sum.b, sum.c), kiln::ArgumentError);
  CHECK_THROWS_AS(add(sum.config, sum.a, sum.b, sum.c, 1000LL), kiln::ArgumentError);
  CHECK_THROWS_AS(add(sum.config, sum.a, sum.b, sum.c, 1000.0f), kiln::ArgumentError);
  CHECK_THROWS_AS((module.get_function<void(const float*, const float*, float*)>("add")), kiln::ArgumentError);
  CHECK_THROWS_AS(add({0, 256}, sum.a, sum.b, sum.c, size), kiln::ArgumentError);
  CHECK_THROWS_AS(add({1, 1025}, sum.a, sum.b, sum.c, size), kiln::ArgumentError);
  CHECK_THROWS_AS(add({kiln::Dim3(1, 70000), 256}, sum.a, sum.b, sum.c, size), kiln::ArgumentError);
  CHECK(sum.c.to_host() == std::vector<float>(size));
}

TEST_CASE("dynamic shared memory above 48 KiB works, above the device's limit it is refused") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void fill(int* out, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = tile[n - 1];
})");
  const kiln::Function fill = module.get_function("fill");
  kiln::DeviceBuffer<int> out(1);
  constexpr int count = 16 * 1024;
  for (int i = 0; i < 2; ++i) fill({1, 64, count * sizeof(int)}, out, count);
  CHECK(out.to_host() == std::vector<int>{count - 1});
  CHECK_THROWS_AS(fill({1, 64, std::size_t{1} << 20}, out, count), kiln::ArgumentError);
}

TEST_CASE("a kernel whose threads need more local memory than there is loads, and its launch says so") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void deep(int* out, int n) {
  volatile int own[204800];
  for (int i = 0; i < n; ++i) own[i] = i;
  *out = own[n - 1];
}
extern "C" __global__ void flat(int* out, int n) { *out = n; }
)");
  const kiln::DeviceBuffer<int> out(1);
  const auto launch_deep = [&] { module.get_function("deep")({1, 1}, out, 5); };
  CHECK_THROWS_WITH_AS(launch_deep(),
                       doctest::Contains("kernel deep: local memory of a thread: expected at most 524288 "
                                         "bytes, given 8192"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH(launch_deep(), doctest::Contains("in a buffer of device memory"));
  module.get_function("flat")({1, 1}, out, 7);
  CHECK(out.to_host().front() == 7);
}

TEST_CASE("a launch that needs more local memory for a function that it may call names the function") {
  const kiln::SourceModule module(R"(
__device__ __noinline__ int small(int n) {
  volatile int own[100];
  own[n] = n;
  return own[n / 2];
}
__device__ __noinline__ int large(int n) {
  volatile int own[204800];
  for (int i = 0; i < n; ++i) own[i] = i + small(n);
  return own[n - 1];
}
extern "C" __global__ void calls(int* out, int n) { *out = n > 3 ? large(n) : small(n); }
)");
  const kiln::DeviceBuffer<int> out(1);
  const auto launch = [&] { module.get_function("calls")({1, 1}, out, 2); };
  CHECK_THROWS_WITH_AS(launch(),
                       doctest::Contains("kernel calls: local memory of a thread: expected at most 524288 bytes, given "
                                         "8"),
                       kiln::ArgumentError);
  CHECK_THROWS_WITH(launch(),
                    doctest::Contains("of them for large(int), which it calls; keep a thread's large arrays"));
}

TEST_CASE("streams of Kiln and of the driver order a kernel's work") {
  const kiln::SourceModule module(add_source);
  const kiln::Function add = module.get_function("add");
  Addition sum;
  SUBCASE("blocking") {
    const kiln::Stream stream;
    sum.config.stream = stream;
    add(sum.config, sum.a, sum.b, sum.c, size);
    stream.synchronize();
    CHECK(stream.is_done());
  }
  SUBCASE("non-blocking, with an event") {
    const kiln::Stream stream = kiln::Stream::non_blocking();
    sum.config.stream = stream;
    add(sum.config, sum.a, sum.b, sum.c, size);
    kiln::Event done;
    done.record(stream).synchronize();
    CHECK(done.query());
  }
  SUBCASE("made by the driver, as the runtime API's are") {
    CUstream stream = nullptr;
    kiln::test::driver_call<decltype(&::cuStreamCreate)>("cuStreamCreate", &stream, unsigned{CU_STREAM_NON_BLOCKING});
    sum.config.stream = stream;
    add(sum.config, sum.a, sum.b, sum.c, size);
    kiln::test::driver_call<decltype(&::cuStreamSynchronize)>("cuStreamSynchronize", stream);
    kiln::test::driver_call<decltype(&::cuStreamDestroy)>("cuStreamDestroy_v2", stream);
  }
  sum.check();
}

TEST_CASE("the first launch of a function can be captured into a graph") {
  const kiln::SourceModule module(add_source);
  const kiln::Function add = module.get_function("add");
  const kiln::Stream stream = kiln::Stream::non_blocking();
  Addition sum;
  sum.config.stream = stream;

  using kiln::test::driver_call;
  driver_call<decltype(&::cuStreamBeginCapture)>("cuStreamBeginCapture_v2", CUstream(stream),
                                                 CU_STREAM_CAPTURE_MODE_GLOBAL);
  add(sum.config, sum.a, sum.b, sum.c, size);
  CUgraph graph = nullptr;
  driver_call<decltype(&::cuStreamEndCapture)>("cuStreamEndCapture", CUstream(stream), &graph);
  CHECK(sum.c.to_host() == std::vector<float>(size));  // captured, not run

  CUgraphExec executable = nullptr;
  driver_call<decltype(&::cuGraphInstantiateWithFlags)>("cuGraphInstantiateWithFlags", &executable, graph, 0ULL);
  driver_call<decltype(&::cuGraphLaunch)>("cuGraphLaunch", executable, CUstream(stream));
  stream.synchronize();
  sum.check();
  driver_call<decltype(&::cuGraphExecDestroy)>("cuGraphExecDestroy", executable);
  driver_call<decltype(&::cuGraphDestroy)>("cuGraphDestroy", graph);
}

TEST_CASE("a timed launch tells how long the kernel ran") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void spin(long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles) {}
})");
  const kiln::Function spin = module.get_function("spin");
  const double little = spin.timed({1, 1}, 1000LL);
  const double much = spin.timed({1, 1}, 20000000LL);
  CHECK(little > 0);
  CHECK(much > 0.002);  // 20 million cycles at 10 GHz, which no device reaches
  CHECK(much < 10);
}

TEST_CASE("several threads launch one function") {
  const kiln::SourceModule module("extern \"C\" __global__ void add_one(int* out) { atomicAdd(out, 1); }");
  const kiln::Function add_one = module.get_function("add_one");
  kiln::DeviceBuffer<int> out(std::vector<int>(1));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const kiln::Stream stream = kiln::Stream::non_blocking();
      for (int j = 0; j < 100; ++j) add_one({2, 32, 0, stream}, out);
      stream.synchronize();
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(out.to_host() == std::vector<int>{8 * 100 * 2 * 32});
}

TEST_CASE("a buffer keeps what was copied into it") {
  std::vector<double> values(12345);
  std::iota(values.begin(), values.end(), -3.5);
  kiln::DeviceBuffer<double> buffer(values);
  CHECK(buffer.to_host() == values);
  values.assign(values.size(), 2.25);
  buffer.copy_from(values);
  const kiln::DeviceBuffer<double> moved(std::move(buffer));
  CHECK(moved.to_host() == values);
  CHECK_THROWS_AS(kiln::DeviceBuffer<double>(2).copy_from(values), kiln::ArgumentError);
  CHECK(kiln::DeviceBuffer<int>(0).to_host().empty());
}

TEST_CASE("a context of the program's own is used as it is, beside the primary one") {
  const kiln::SourceModule module(add_source);
  const kiln::Function add = module.get_function("add");  // loaded in the primary context
  CUcontext primary = nullptr;
  driver_call<decltype(&::cuCtxGetCurrent)>("cuCtxGetCurrent", &primary);
  CUcontext own = nullptr;
  CUctxCreateParams parameters = {};
  driver_call<decltype(&::cuCtxCreate)>("cuCtxCreate_v4", &own, &parameters, 0U, CUdevice{0});
  {
    const kiln::Stream stream = kiln::Stream::non_blocking();  // of the program's context
    Addition sum;
    SUBCASE("its default stream") { add(sum.config, sum.a, sum.b, sum.c, size); }
    SUBCASE("its stream") { add({sum.config.grid, sum.config.block, 0, stream}, sum.a, sum.b, sum.c, size); }
    SUBCASE("its stream, while the primary context is current") {
      driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", primary);
      add({sum.config.grid, sum.config.block, 0, stream}, sum.a, sum.b, sum.c, size);
      driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", own);
    }
    SUBCASE("a module made in it") {
      const kiln::SourceModule another(
          "extern \"C\" __global__ void fill(float* c, int n) { if (threadIdx.x < n) c[threadIdx.x] = 3; }");
      another.get_function("fill")({1, 32}, sum.c, 32);
      stream.synchronize();
      CHECK(sum.c.to_host()[31] == 3.0f);
      add(sum.config, sum.a, sum.b, sum.c, size);
    }
    stream.synchronize();
    sum.check();
  }
  driver_call<decltype(&::cuCtxDestroy)>("cuCtxDestroy_v2", own);
  driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", primary);
}

}  // namespace launch_test
