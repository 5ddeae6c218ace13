// Contexts of the program's own, limits and waiting, on a device.
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <optional>
#include <thread>
#include <vector>

namespace context_test {

using kiln::Context;
using kiln::Device;
using kiln::DeviceBuffer;
using kiln::Limit;

namespace {

constexpr int size = 1000;

const char* const source = R"(
__device__ int calls;
extern "C" __global__ void scale(float* values, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&calls, 1);
  if (i < n) values[i] *= factor;
}
extern "C" __global__ void poke(int* where) { *where = 1; }
)";

}  // namespace

TEST_CASE("synchronize waits for all streams of the context") {
  const kiln::SourceModule module(source);
  const kiln::Function scale = module.get_function("scale");
  const kiln::Stream streams[2] = {kiln::Stream::non_blocking(), kiln::Stream::non_blocking()};
  const DeviceBuffer<float> values[2] = {DeviceBuffer<float>(std::vector<float>(size, 1)),
                                         DeviceBuffer<float>(std::vector<float>(size, 1))};
  for (int i = 0; i < 100; ++i)
    for (const int which : {0, 1}) scale({4, 256, 0, streams[which]}, values[which], 1.01f, size);
  kiln::synchronize();
  for (const kiln::Stream& stream : streams) CHECK(stream.is_done());
}

TEST_CASE("a second context has its own memory, variables and limits, and functions serve it") {
  const kiln::SourceModule module(source);
  const kiln::Function scale = module.get_function("scale");
  const Context primary = Context::current();
  const DeviceBuffer<float> there(std::vector<float>(size, 3));
  scale({4, 256}, there, 2.0f, size);
  {
    const Context own{Device::current()};
    CHECK(Context::current().handle() == own.handle());
    CHECK(own.device().ordinal() == primary.device().ordinal());
    {
      const kiln::Stream stream = kiln::Stream::non_blocking();
      const DeviceBuffer<float> here(std::vector<float>(size, 5));
      std::vector<float> host(size, 7);
      scale({4, 256}, here, 2.0f, size);
      own.synchronize();
      scale({4, 256, 0, stream}, here, 2.0f, size);
      stream.synchronize();
      CHECK(here.to_host() == std::vector<float>(size, 20));
      scale({4, 256}, kiln::InOut(host), 2.0f, size);
      CHECK(host == std::vector<float>(size, 14));
      CHECK(module.get_global("calls").pointer != 0);
    }
    const std::size_t before = primary.get_limit(Limit::stack_size);
    own.set_limit(Limit::stack_size, before + 4096);
    CHECK(own.get_limit(Limit::stack_size) >= before + 4096);
    CHECK(primary.get_limit(Limit::stack_size) == before);
    CHECK(Context::current().handle() == own.handle());
    Context::pop();
    CHECK(Context::current().handle() == primary.handle());
    own.push();
  }
  CHECK(Context::current().handle() == primary.handle());
  CHECK(there.to_host() == std::vector<float>(size, 6));
}

TEST_CASE("a function that was first used in a context that is gone launches in the others") {
  const Context primary = Context::current();
  std::optional<kiln::SourceModule> module;
  std::optional<kiln::Function> scale;
  {
    const Context own{Device::current()};
    module.emplace(source);
    scale.emplace(module->get_function("scale"));
    const DeviceBuffer<float> values(std::vector<float>(size, 1));
    (*scale)({4, 256}, values, 2.0f, size);
    CHECK(values.to_host() == std::vector<float>(size, 2));
  }
  const kiln::Stream stream = kiln::Stream::non_blocking();
  const DeviceBuffer<float> values(std::vector<float>(size, 1));
  (*scale)({4, 256}, values, 2.0f, size);
  kiln::synchronize();
  (*scale)({4, 256, 0, stream}, values, 2.0f, size);
  stream.synchronize();
  CHECK(values.to_host() == std::vector<float>(size, 4));
}

TEST_CASE("a context is pushed by one thread and then by another") {
  const Context own{Device::current()};
  Context::pop();
  std::thread([&] {
    own.push();
    CHECK(Context::current().handle() == own.handle());
    Context::pop();
    CHECK_THROWS_AS(Context::pop(), kiln::DriverError);
  }).join();
  own.push();
}

TEST_CASE("the cache's split of a context is a hint that can be read") {
  const Context own{Device::current()};
  own.set_cache_config(kiln::CacheConfig::prefer_shared);
  const kiln::CacheConfig seen = own.get_cache_config();
  CHECK((seen == kiln::CacheConfig::prefer_shared || seen == kiln::CacheConfig::prefer_none));
}

TEST_CASE("limits of the device's own kind are refused by the driver's name where it has none") {
  const Context own{Device::current()};
  CHECK(own.get_limit(Limit::printf_fifo_size) > 0);
  CHECK(own.get_limit(Limit::malloc_heap_size) > 0);
  CHECK_THROWS_AS((void)own.get_limit(static_cast<Limit>(1000)), kiln::DriverError);
  if (Device::current().attribute(kiln::DeviceAttribute::compute_capability_major) >= 9)
    CHECK_THROWS_WITH_AS(own.set_limit(Limit::dev_runtime_sync_depth, 4),
                         doctest::Contains("CUDA_ERROR_UNSUPPORTED_LIMIT"), kiln::DriverError);
}

TEST_CASE("limits beyond what a device has are refused, and stay what they were") {
  const Context own{Device::current()};
  const std::size_t stack = own.get_limit(Limit::stack_size);
  CHECK_THROWS_AS(own.set_limit(Limit::stack_size, std::size_t{1} << 40), kiln::DriverError);
  CHECK(own.get_limit(Limit::stack_size) == stack);
}

}  // namespace context_test
