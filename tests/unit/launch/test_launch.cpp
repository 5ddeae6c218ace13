#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/context.hpp>
#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

namespace launch_test {

namespace {

struct Plain {
  double d;
  int i;
  float f;
};

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

TEST_CASE("every value arrives byte for byte") {
  FakeModule module;
  const kiln::Function by_value = module.function("by_value");
  const kiln::DeviceBuffer<float> buffer(5);
  const std::array<float, 3> three = {1, 2, 3};
  fake_cuda::reset();
  by_value({64, 256}, Plain{1.5, 2, 3.5f}, buffer, three);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 1);
  REQUIRE(launches[0].parameters.size() == 3);
  CHECK(launches[0].parameters[0] == bytes_of(Plain{1.5, 2, 3.5f}));
  CHECK(launches[0].parameters[1] == bytes_of(buffer.device_pointer()));
  CHECK(launches[0].parameters[2] == bytes_of(three));
  by_value({1, 1}, Plain{}, nullptr, three);
  CHECK(fake_cuda::launches().at(1).parameters[1] == std::string(8, '\0'));
}

TEST_CASE("the configuration arrives") {
  FakeModule module;
  const kiln::Stream stream;
  fake_cuda::reset();
  module.function("empty")({{4, 5, 6}, {7, 8, 9}, 1000, stream});
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 1);
  const fake_cuda::Launch& launch = launches[0];
  CHECK(launch.kernel == "empty");
  CHECK(std::vector<unsigned>(launch.grid, launch.grid + 3) == std::vector<unsigned>{4, 5, 6});
  CHECK(std::vector<unsigned>(launch.block, launch.block + 3) == std::vector<unsigned>{7, 8, 9});
  CHECK(launch.shared_bytes == 1000);
  CHECK(launch.stream == stream.handle());
}

TEST_CASE("a typed function converts its arguments as C++ does") {
  FakeModule module;
  const kiln::TypedFunction<void(const float*, int, float)> scale(module.function("_Z5scalePfif"));
  const kiln::DeviceBuffer<float> buffer(5);
  fake_cuda::reset();
  scale({1, 32}, buffer, 7L, 2.5);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].parameters[0] == bytes_of(buffer.device_pointer()));
  CHECK(launches[0].parameters[1] == bytes_of(7));
  CHECK(launches[0].parameters[2] == bytes_of(2.5f));
}

TEST_CASE("a typed function of other types is refused when made") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  using Doubles = kiln::TypedFunction<void(double*, int, float)>;
  using Unsigned = kiln::TypedFunction<void(float*, unsigned, float)>;
  using Short = kiln::TypedFunction<void(float*, int)>;
  try {
    (void)Doubles(scale);
    FAIL("accepted");
  } catch (const kiln::ArgumentError& error) {
    CHECK(error.kernel() == "scale(float*, int, float)");
    CHECK(error.index() == 0);
    CHECK(error.expected() == "float* (pointer, 8 bytes)");
    CHECK(error.given() == "double* (pointer, 8 bytes)");
  }
  CHECK_THROWS_AS((void)Unsigned(scale), kiln::ArgumentError);
  CHECK_THROWS_AS((void)Short(scale), kiln::ArgumentError);
}

TEST_CASE("wrong arguments are refused before anything is loaded or launched, each time") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const kiln::DeviceBuffer<float> buffer(5);
  fake_cuda::reset();
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_AS(scale({1, 32}, buffer, 7), kiln::ArgumentError);
    CHECK_THROWS_AS(scale({1, 32}, buffer, 7L, 2.5f), kiln::ArgumentError);
    CHECK_THROWS_AS(scale({1, 32}, buffer, 7, 2), kiln::ArgumentError);
    CHECK_THROWS_AS(scale({1, 32}, 7.0, 7, 2.5f), kiln::ArgumentError);
  }
  CHECK(fake_cuda::calls("cuLaunchKernel") == 0);
  CHECK(module.loads() == 0);
  // A call that fits makes the others fit no more than before.
  scale({1, 32}, buffer, 7, 2.5f);
  CHECK_THROWS_AS(scale({1, 32}, buffer, 7), kiln::ArgumentError);
  CHECK(fake_cuda::launches().size() == 1);
}

TEST_CASE("the first launch loads, later ones make one driver call") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::Stream stream;
  empty({1, 1});
  fake_cuda::reset();
  empty({1, 1});
  empty({2, 64, 0, stream});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel", "cuLaunchKernel"});
  CHECK(module.loads() == 1);
}

TEST_CASE("a function of a context that is gone is not launched") {
  FakeModule module;
  const auto kernel = module.kernel("empty");
  {
    const kiln::Context own{kiln::Device(0)};
    kernel->preload(0);
  }
  const kiln::Stream stream;
  fake_cuda::reset();
  kiln::Function(kiln::passkey, kernel)({1, 32, 0, stream});
  CHECK(fake_cuda::calls("cuLaunchKernel") == 1);  // none that the driver refuses
  CHECK(fake_cuda::launches().size() == 1);
}

TEST_CASE("preload leaves nothing to the first launch") {
  FakeModule module;
  const auto kernel = module.kernel("empty");
  kernel->preload(0);
  CHECK(module.loads() == 1);
  fake_cuda::reset();
  const kiln::Function empty(kiln::passkey, kernel);
  empty({1, 1});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuCtxGetCurrent", "cuLaunchKernel"});
  const kiln::Stream stream;
  fake_cuda::reset();
  empty({1, 1, 0, stream});  // a stream knows its context
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel"});
  CHECK_THROWS_AS(kernel->preload(7), kiln::ArgumentError);
}

TEST_CASE("a thread without a context launches on device 0") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  empty({1, 1});
  fake_cuda::reset();
  std::thread([&] {
    empty({1, 1});
    empty({1, 1});
  }).join();
  CHECK(fake_cuda::launches().size() == 2);
  CHECK(fake_cuda::calls("cuLaunchKernel") == 3);  // the first was refused for want of a context
}

TEST_CASE("a driver that wants the stream's context current gets it") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::Stream stream;
  empty({1, 1});
  for (const CUresult result : {CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_INVALID_HANDLE}) {
    fake_cuda::reset();
    fake_cuda::fail("cuLaunchKernel", result);
    std::thread([&] { empty({1, 1, 0, stream}); }).join();
    REQUIRE(fake_cuda::launches().size() == 1);
    CHECK(fake_cuda::launches()[0].stream == stream.handle());
  }
}

TEST_CASE("threads share one function") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const kiln::DeviceBuffer<float> buffer(5);
  fake_cuda::reset();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        if (t % 2 == 0)
          scale({1, 32}, buffer, 100 * t + i, 2.5f);
        else
          scale({1, 32}, buffer.device_pointer(), 100 * t + i, 2.5f);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> seen(400);
  for (const fake_cuda::Launch& launch : fake_cuda::launches()) {
    int value = 0;
    std::memcpy(&value, launch.parameters.at(1).data(), sizeof value);
    seen.at(static_cast<std::size_t>(value)) = true;
  }
  CHECK(fake_cuda::launches().size() == 400);
  CHECK(std::count(seen.begin(), seen.end(), true) == 400);
}

}  // namespace launch_test
