// Prepared functions and host arguments on a device.
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using kiln::Dim3;
using kiln::test::driver_call;

namespace {

const char* const scale_source = R"(
__global__ void scale(const float* in, float* out, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}
extern "C" __global__ void increment(int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}
)";

constexpr int size = 1000;

std::vector<float> ramp() {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

std::vector<float> scaled(float factor) {
  std::vector<float> values = ramp();
  for (float& value : values) value *= factor;
  return values;
}

/// Memory of the driver's own, which Kiln knows by a trait.
class Mine {
 public:
  explicit Mine(std::size_t bytes) {
    driver_call<decltype(&::cuMemAlloc)>("cuMemAlloc_v2", &pointer_, bytes);
    driver_call<decltype(&::cuMemsetD8)>("cuMemsetD8_v2", pointer_, static_cast<unsigned char>(0), bytes);
  }
  ~Mine() { driver_call<decltype(&::cuMemFree)>("cuMemFree_v2", pointer_); }
  Mine(const Mine&) = delete;
  Mine& operator=(const Mine&) = delete;
  CUdeviceptr address() const { return pointer_; }

 private:
  CUdeviceptr pointer_ = 0;
};

}  // namespace

template <>
struct kiln::DevicePointer<Mine> {
  static int* get(const Mine& mine) { return reinterpret_cast<int*>(mine.address()); }
};

TEST_CASE("every code brings its value") {
  const kiln::SourceModule module(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void all(signed char b, unsigned char B, char c, short h, unsigned short H, int i, unsigned I,
                               long l, unsigned long L, long long q, unsigned long long Q, long n, unsigned long N,
                               bool t, __half e, float f, double d, float2 F, double2 D, double* out,
                               __nv_bfloat16 bf, __half e2) {
  double values[] = {double(b), double(B), double(c), double(h), double(H), double(i), double(I), double(l),
                     double(L), double(q), double(Q), double(n), double(N), double(t), double(__half2float(e)),
                     double(f), d, double(F.x), double(F.y), D.x, D.y, double(__bfloat162float(bf)),
                     double(__half2float(e2))};
  for (int k = 0; k < 23; ++k) out[k] = values[k];
})");
  const kiln::PreparedFunction all =
      module.get_function("all").prepare({"bBchHiIlLqQnN?efdFDP", "bfloat16", "half"}, 1);
  kiln::DeviceBuffer<double> out(std::vector<double>(23));
  const std::vector<double> expected = {-5,   250, 'k', -300, 60000, -70000, 4e9, -5e9, 6e9, -7e9,     8e9,    -9e9,
                                        10e9, 1,   0.5, 1.25, 2.5,   3.5,    4.5, 5.5,  6.5, 0.015625, 65504.0};
  SUBCASE("of its own type") {
    const std::array<std::uint16_t, 1> half = {0x3800}, bfloat = {0x3c80}, largest = {0x7bff};
    all.prepared_call(1, static_cast<signed char>(-5), static_cast<unsigned char>(250), 'k', short{-300},
                      static_cast<unsigned short>(60000), -70000, 4000000000u, -5000000000L, 6000000000UL,
                      -7000000000LL, 8000000000ULL, -9000000000L, std::size_t{10000000000}, true, half, 1.25f, 2.5,
                      std::complex<float>(3.5f, 4.5f), std::complex<double>(5.5, 6.5), out, bfloat, largest);
    CHECK(out.to_host() == expected);
  }
  SUBCASE("converted") {
    all.prepared_call(1, -5, 250L, int{'k'}, -300, 60000, -70000LL, 4000000000, -5000000000LL, 6000000000, -7000000000L,
                      8000000000, -9000000000, 10000000000, 1, 0.5, 1.25, 2.5f, std::array<float, 2>{3.5f, 4.5f},
                      std::array<double, 2>{5.5, 6.5}, out.device_pointer(), 0.015625, 65504);
    CHECK(out.to_host() == expected);
  }
}

TEST_CASE("vectors lie where the compiler has them") {
  const kiln::SourceModule module(R"(
__global__ void mixed(char a, float4 b, char c, float2 d, char e, float3 f, uchar4 g, char h, double2 i, dim3 j,
                      float* out) {
  float values[] = {float(a), b.x, b.w, float(c), d.x, d.y, float(e), f.x, f.z, float(g.x), float(g.w), float(h),
                    float(i.x), float(i.y), float(j.x), float(j.z)};
  for (int k = 0; k < 16; ++k) out[k] = values[k];
})");
  const kiln::Function mixed = module.get_function("mixed");
  const kiln::PreparedFunction prepared =
      mixed.prepare({"b", "float4", "b", "float2", "b", "float3", "uchar4", "b", "double2", "dim3", "P"}, 1);
  kiln::DeviceBuffer<float> out(std::vector<float>(16));
  prepared.prepared_call(1, 1, std::array<float, 4>{2, 0, 0, 3}, 4, std::array<float, 2>{5, 6}, 7,
                         std::array<float, 3>{8, 0, 9}, std::array<unsigned char, 4>{10, 0, 0, 11}, 12,
                         std::array<double, 2>{13, 14}, Dim3(15, 1, 16), out);
  std::vector<float> expected(16);
  std::iota(expected.begin(), expected.end(), 1.0f);
  CHECK(out.to_host() == expected);
  CHECK(mixed.parameters()[1].offset == 16);
  CHECK_THROWS_AS((void)mixed.prepare("b16sb8sb12s4sb16s12si"), kiln::ArgumentError);
}

TEST_CASE("64 arguments, and a structure of 2,048 bytes") {
  std::string source =
      "struct Body { double values[256]; };\nextern \"C\" __global__ void body(Body b, double* out) {"
      "out[threadIdx.x] = b.values[threadIdx.x]; }\nextern \"C\" __global__ void many(int* out";
  for (int i = 1; i < 64; ++i) source += ", int a" + std::to_string(i);
  source += ") {\n";
  for (int i = 1; i < 64; ++i) source += "out[" + std::to_string(i) + "] = a" + std::to_string(i) + ";\n";
  const kiln::SourceModule module(source + "}");
  struct Body {
    double values[256];
  };
  static Body body = {};
  for (int i = 0; i < 256; ++i) body.values[i] = 0.5 * i;
  const std::vector<double> expected(std::begin(body.values), std::end(body.values));
  const kiln::Function function = module.get_function("body");
  for (const kiln::PreparedFunction& prepared :
       {function.prepare("2048sP", 256), function.prepare<Body, double*>(256)}) {
    kiln::DeviceBuffer<double> out(std::vector<double>(256));
    prepared.prepared_call(1, body, out);
    CHECK(out.to_host() == expected);
  }
  kiln::DeviceBuffer<int> out(std::vector<int>(64));
  const kiln::PreparedFunction many = module.get_function("many").prepare("P63i", 1);
  const auto call = [&](auto... indices) { many.prepared_call(1, out, static_cast<int>(indices)...); };
  call(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
       31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58,
       59, 60, 61, 62, 63);
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 0);
  CHECK(out.to_host() == numbers);
}

TEST_CASE("the block is prepared, given second or in the configuration, and shared memory arrives") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void sizes(unsigned* out) {
  unsigned shared;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(shared));
  out[0] = gridDim.x; out[1] = gridDim.y; out[2] = blockDim.x; out[3] = blockDim.y; out[4] = shared;
})");
  const kiln::Function sizes = module.get_function("sizes");
  kiln::DeviceBuffer<unsigned> out(std::vector<unsigned>(5));
  using Sizes = std::vector<unsigned>;
  const kiln::PreparedFunction with = sizes.prepare("P", {8, 4});
  const kiln::PreparedFunction without = sizes.prepare("P");
  const kiln::Stream stream;
  with.prepared_call(3, out);
  CHECK(out.to_host() == Sizes{3, 1, 8, 4, 0});
  with.prepared_call(Dim3(3, 2), out);
  CHECK(out.to_host() == Sizes{3, 2, 8, 4, 0});
  with({3, 64, 100 * 1024}, out);
  CHECK(out.to_host() == Sizes{3, 1, 64, 1, 100 * 1024});
  with({5}, out);
  CHECK(out.to_host() == Sizes{5, 1, 8, 4, 0});
  with({5, 1}, out);
  CHECK(out.to_host() == Sizes{5, 1, 1, 1, 0});
  with.prepared_call({4, 3}, out);
  CHECK(out.to_host() == Sizes{4, 3, 8, 4, 0});
  with.prepared_call(kiln::LaunchConfig{4, 3, 64}, out);
  CHECK(out.to_host() == Sizes{4, 1, 3, 1, 64});
  without.prepared_call({4, 3}, {2, 5}, out);
  CHECK(out.to_host() == Sizes{4, 3, 2, 5, 0});
  without.prepared_call(6, Dim3(4, 2), out);
  CHECK(out.to_host() == Sizes{6, 1, 4, 2, 0});
  without.prepared_async_call(7, Dim3{32}, stream, out);
  stream.synchronize();
  CHECK(out.to_host() == Sizes{7, 1, 32, 1, 0});
  with.prepared_async_call(8, stream, out);
  stream.synchronize();
  CHECK(out.to_host() == Sizes{8, 1, 8, 4, 0});
  CHECK_THROWS_AS(without.prepared_call(6, 32, out), kiln::ArgumentError);
  CHECK_THROWS_AS(with.prepared_call(6, 32, out), kiln::ArgumentError);
  CHECK(out.to_host() == Sizes{8, 1, 8, 4, 0});
}

TEST_CASE("codes are checked against the kernel") {
  const kiln::SourceModule module(scale_source);
  const kiln::Function scale = module.get_function("scale");
  CHECK_THROWS_AS((void)scale.prepare("PPf"), kiln::ArgumentError);
  CHECK_THROWS_AS((void)scale.prepare("PQfP"), kiln::ArgumentError);
  CHECK_THROWS_AS((void)scale.prepare("PLfi"), kiln::ArgumentError);
  CHECK_THROWS_AS((void)scale.prepare("PPdi"), kiln::ArgumentError);
  CHECK_THROWS_AS((void)scale.prepare("PPfz"), kiln::ArgumentError);
  (void)scale.prepare("PQfi");
}

TEST_CASE("host arguments travel with the launch, by each kind of function") {
  const kiln::SourceModule module(scale_source);
  const kiln::Function scale = module.get_function("scale");
  const auto typed = module.get_function<void(const float*, float*, float, int)>("scale");
  const kiln::PreparedFunction prepared = scale.prepare("PPfi", 256);
  const std::vector<float> in = ramp();
  std::vector<float> out(size);
  const kiln::LaunchConfig config{4, 256};
  SUBCASE("Function") { scale(config, kiln::In(in), kiln::Out(out), 3.0f, size); }
  SUBCASE("TypedFunction") { typed(config, kiln::In(in), kiln::Out(out), 3, size); }
  SUBCASE("PreparedFunction") { prepared(config, kiln::In(in), kiln::Out(out), 3, in.size()); }
  SUBCASE("prepared_call") { prepared.prepared_call(4, kiln::In(ramp()), kiln::Out(out), 3, size); }
  SUBCASE("timed") { CHECK(scale.timed(config, kiln::In(in), kiln::Out(out), 3.0f, size) > 0); }
  SUBCASE("prepared_timed_call") { CHECK(prepared.prepared_timed_call(4, kiln::In(in), kiln::Out(out), 3, size) > 0); }
  SUBCASE("on a stream") {
    const kiln::Stream stream = kiln::Stream::non_blocking();
    SUBCASE("Function") { scale({4, 256, 0, stream}, kiln::In(in), kiln::Out(out), 3.0f, size); }
    SUBCASE("TypedFunction") { typed({4, 256, 0, stream}, kiln::In(in), kiln::Out(out), 3, size); }
    SUBCASE("prepared_async_call") { prepared.prepared_async_call(4, stream, kiln::In(in), kiln::Out(out), 3, size); }
    SUBCASE("several") {
      for (int i = 0; i < 100; ++i) prepared.prepared_async_call(4, stream, kiln::In(in), kiln::Out(out), i, size);
      prepared.prepared_async_call(4, stream, kiln::In(in), kiln::Out(out), 3, size);
    }
    stream.synchronize();
  }
  SUBCASE("prepared_call on a stream waits") {
    const kiln::Stream stream = kiln::Stream::non_blocking();
    prepared.prepared_call(kiln::LaunchConfig{4, 256, 0, stream}, kiln::In(in), kiln::Out(out), 3, size);
  }
  CHECK(out == scaled(3));
}

TEST_CASE("InOut goes both ways, nothing is a null pointer") {
  const kiln::SourceModule module(scale_source);
  const kiln::Function increment = module.get_function("increment");
  std::array<int, 5> values = {1, 2, 3, 4, 5};
  increment({1, 32}, kiln::InOut(values), 5);
  CHECK(values == std::array<int, 5>{2, 3, 4, 5, 6});
  std::vector<int> none;
  increment({1, 32}, kiln::InOut(none), 0);
  std::vector<int> large(3 << 20, 41);
  increment.prepare("Pi", 256).prepared_call((large.size() + 255) / 256, kiln::InOut(large), large.size());
  CHECK(std::count(large.begin(), large.end(), 42) == static_cast<std::ptrdiff_t>(large.size()));
}

TEST_CASE("a type of the program's own is passed by its trait") {
  const kiln::SourceModule module(scale_source);
  const Mine mine(4 * sizeof(int));
  module.get_function("increment")({1, 32}, mine, 4);
  module.get_function("increment").prepare("Pi", 32).prepared_call(1, mine, 4);
  module.get_function<void(int*, int)>("increment")({1, 32}, mine, 4);
  std::array<int, 4> values = {};
  driver_call<decltype(&::cuMemcpyDtoH)>("cuMemcpyDtoH_v2", static_cast<void*>(values.data()), mine.address(),
                                         sizeof values);
  CHECK(values == std::array<int, 4>{3, 3, 3, 3});
}

TEST_CASE("several threads call copies of one prepared function, with host arguments and without") {
  const kiln::SourceModule module(scale_source);
  const kiln::PreparedFunction scale = module.get_function("scale").prepare("PPfi", 256);
  const kiln::PreparedFunction increment = module.get_function("increment").prepare("Pi", 32);
  std::vector<int> failures(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([scale, increment, t, &failures] {
      const kiln::Stream stream = kiln::Stream::non_blocking();
      const std::vector<float> in = ramp();
      std::vector<float> out(size);
      kiln::DeviceBuffer<int> counters(std::vector<int>(32));
      for (int i = 0; i < 50; ++i) {
        const int factor = 100 * t + i;
        scale.prepared_async_call(4, stream, kiln::In(in), kiln::Out(out), factor, size);
        stream.synchronize();
        if (out != scaled(static_cast<float>(factor))) ++failures[static_cast<std::size_t>(t)];
        if (increment.prepared_timed_call(kiln::LaunchConfig{1, 32, 0, stream}, counters, 32) <= 0)
          ++failures[static_cast<std::size_t>(t)];
      }
      if (counters.to_host() != std::vector<int>(32, 50)) ++failures[static_cast<std::size_t>(t)];
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == std::vector<int>(8));
}

TEST_CASE("a timed call tells the device's time, also in contexts that come and go") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void spin(long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles) {}
})");
  const kiln::PreparedFunction spin = module.get_function("spin").prepare("q", 1);
  CHECK(spin.prepared_timed_call(1, 20000000) > 0.002);  // 20 million cycles at 10 GHz, which no device reaches
  CHECK(spin.prepared_timed_call(1, 1000) < spin.prepared_timed_call(1, 20000000));
  CUcontext primary = nullptr;
  driver_call<decltype(&::cuCtxGetCurrent)>("cuCtxGetCurrent", &primary);
  for (int i = 0; i < 3; ++i) {
    CUcontext own = nullptr;
    CUctxCreateParams parameters = {};
    driver_call<decltype(&::cuCtxCreate)>("cuCtxCreate_v4", &own, &parameters, 0U, CUdevice{0});
    CHECK(spin.prepared_timed_call(1, 1000) > 0);
    CHECK(spin.prepared_timed_call(1, 1000) > 0);
    driver_call<decltype(&::cuCtxDestroy)>("cuCtxDestroy_v2", own);
    driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", primary);
  }
  CHECK(spin.prepared_timed_call(1, 1000) > 0);
}

TEST_CASE("the stream decides the device of host arguments" * kiln::test::needs_two_devices()) {
  const kiln::SourceModule module(scale_source);
  const kiln::PreparedFunction increment = module.get_function("increment").prepare("Pi", 32);
  CUcontext first = nullptr;
  driver_call<decltype(&::cuCtxGetCurrent)>("cuCtxGetCurrent", &first);
  CUcontext second = nullptr;
  driver_call<decltype(&::cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain", &second, CUdevice{1});
  driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", second);
  {
    const kiln::Stream stream;  // of device 1
    driver_call<decltype(&::cuCtxSetCurrent)>("cuCtxSetCurrent", first);
    std::vector<int> values(32, 7);
    increment.prepared_call(kiln::LaunchConfig{1, 32, 0, stream}, kiln::InOut(values), 32);
    CHECK(values == std::vector<int>(32, 8));
    increment.prepared_call(1, kiln::InOut(values), 32);
    CHECK(values == std::vector<int>(32, 9));
  }
  driver_call<decltype(&::cuDevicePrimaryCtxRelease)>("cuDevicePrimaryCtxRelease_v2", CUdevice{1});
}
