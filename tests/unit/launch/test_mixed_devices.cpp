// Devices of two compute capabilities, and a driver of CUDA 12.0.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/device.hpp>
#include <kiln/driver.hpp>
#include <kiln/error.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>
#include <kiln/tensor_map.hpp>

#include <doctest/doctest.h>

int main(int argc, char** argv) {
  fake_cuda::set_devices({90, 80});
  fake_cuda::set_driver_version(12000);
  kiln::use_driver(fake_cuda::library_path());
  return doctest::Context(argc, argv).run();
}

/// A stream of device 1, with device 0 current.
kiln::Stream stream_on_second() {
  kiln::Device(1).make_current();
  kiln::Stream stream;
  kiln::Device(0).make_current();
  return stream;
}

TEST_CASE("the stream, or else the current device, decides the handle") {
  FakeModule module;
  const auto kernel = module.kernel("empty");
  const kiln::Function empty(kiln::passkey, kernel);
  const kiln::Stream on_second = stream_on_second();
  fake_cuda::reset();
  empty({1, 1});
  CHECK(module.loads() == 1);
  empty({1, 1, 0, on_second});
  CHECK(module.loads() == 2);
  kiln::Device(1).make_current();
  empty({1, 1});
  CHECK(module.loads() == 2);
  CHECK(kernel->handle(0) != kernel->handle(1));
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 3);
  CHECK(launches[0].device == 0);
  CHECK(launches[1].device == 1);
  CHECK(launches[2].device == 1);
  CHECK(empty.binary_version() == 80);
  kiln::Device(0).make_current();
  CHECK(empty.binary_version() == 90);
}

TEST_CASE("where the stream's device is not the current one, the driver refuses once at most") {
  FakeModule module;
  const auto kernel = module.kernel("empty");
  const kiln::Function empty(kiln::passkey, kernel);
  const kiln::Stream on_second = stream_on_second();
  kernel->preload(0);
  fake_cuda::reset();
  empty({1, 1});
  CHECK(fake_cuda::calls("cuStreamGetCtx") == 0);  // the function of the current context needs no look at the stream
  for (int i = 0; i < 3; ++i) empty({1, 1, 0, on_second});
  CHECK(fake_cuda::calls("cuLaunchKernel") == 5);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 4);
  CHECK(launches[0].device == 0);
  for (std::size_t i = 1; i < 4; ++i) CHECK(launches[i].device == 1);
}

TEST_CASE("each device is asked for its own shared memory") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::Stream on_second = stream_on_second();
  fake_cuda::reset();
  for (int i = 0; i < 3; ++i) {
    empty({1, 1, 64 * 1024});
    empty({1, 1, 64 * 1024, on_second});
  }
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 2);
  CHECK(fake_cuda::launches().size() == 6);
}

TEST_CASE("what one device was asked for below 48 KiB, another is asked for too") {
  FakeModule module;
  const kiln::Function shares(kiln::passkey, module.kernel("shares", true, 20480));
  const kiln::Stream on_second = stream_on_second();
  fake_cuda::reset();
  for (int i = 0; i < 2; ++i) {
    shares({1, 1, 40 * 1024});
    shares({1, 1, 40 * 1024, on_second});
  }
  CHECK(fake_cuda::calls("cuKernelSetAttribute") == 2);
  CHECK(fake_cuda::launches().size() == 4);
}

TEST_CASE("a timed launch on another device's stream leaves the current device alone") {
  FakeModule module;
  const kiln::Stream on_second = stream_on_second();
  CHECK(module.function("empty").timed({1, 1, 0, on_second}) > 0);
  CHECK(kiln::Device::current().ordinal() == 0);
}

TEST_CASE("where neither code nor driver tells the parameters, a launch is only launched") {
  FakeModule module;
  const kiln::Function scale(kiln::passkey, module.kernel("_Z5scalePfif", false));
  float* pointer = nullptr;
  fake_cuda::reset();
  scale({1, 1}, pointer, 1, 2.0f);
  scale({1, 1}, pointer, 1, 2.0f, 'x');
  CHECK(scale.parameters().empty());
  CHECK(fake_cuda::launches().size() == 2);
}

TEST_CASE("a plan has a graph for each device, with the replay's arguments in each") {
  FakeModule module;
  kiln::LaunchPlan plan;
  const auto n = plan.parameter<int>("n");
  for (int i = 0; i < 2; ++i) plan.add(module.function("_Z5scalePfif"), {1, 1}, nullptr, n, 2.0f);
  const kiln::Stream on_second = stream_on_second();
  fake_cuda::reset();
  plan(nullptr, 1);
  plan(on_second, 2);
  plan(nullptr, 2);
  plan(on_second, 2);
  kiln::Device(1).make_current();
  plan(nullptr, 3);
  CHECK(fake_cuda::calls("cuGraphInstantiateWithFlags") == 2);
  CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 4);
  const auto launches = fake_cuda::launches();
  REQUIRE(launches.size() == 10);
  const int devices[] = {0, 1, 0, 1, 1};
  const int values[] = {1, 2, 2, 2, 3};
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(launches[i].device == devices[i / 2]);
    CHECK(launches[i].parameters.at(1) == std::string(reinterpret_cast<const char*>(&values[i / 2]), sizeof(int)));
  }
  kiln::Device(0).make_current();
  plan = {};
  CHECK(fake_cuda::live_graphs() == 0);
}

TEST_CASE("attributes are checked for the device of the launch") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::Stream on_second = stream_on_second();
  kiln::LaunchConfig config{16, 128};
  config.attributes.cluster = 16;
  empty(config);
  CHECK(kiln::Device::current().ordinal() == 0);
  config.stream = on_second;
  CHECK_THROWS_WITH_AS(empty(config),
                       "kernel empty: cluster: expected a device that has clusters (compute capability 9.0 or more), "
                       "given device 1, which is an sm_80; leave attributes.cluster out there",
                       kiln::ArgumentError);
  config.attributes = {};
  config.attributes.programmatic_stream_serialization = true;
  CHECK_THROWS_AS(empty(config), kiln::ArgumentError);
  CHECK_THROWS_AS(empty.max_potential_cluster_size(config), kiln::ArgumentError);
  config.attributes = {};
  config.attributes.priority = -1;
  fake_cuda::reset();
  empty(config);
  CHECK(fake_cuda::launches()[0].device == 1);
  CHECK(kiln::Device::current().ordinal() == 0);
}

TEST_CASE("what is set is set on the current device alone") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  kiln::Device(0).make_current();
  empty.set_attribute(kiln::FunctionAttribute::preferred_shared_memory_carveout, 40);
  CHECK(empty.preferred_shared_memory_carveout() == 40);
  kiln::Device(1).make_current();
  CHECK(empty.preferred_shared_memory_carveout() == 0);
  kiln::Device(0).make_current();
}

TEST_CASE("a tensor map needs a device that has them") {
  kiln::TensorMapTiled tensor;
  tensor.pointer = reinterpret_cast<const void*>(std::uintptr_t{4096});
  tensor.type = kiln::TensorMapType::float32;
  tensor.sizes = {64};
  tensor.box = {16};
  kiln::Device(1).make_current();
  CHECK_THROWS_WITH_AS(kiln::TensorMap::tiled(tensor),
                       "TensorMap::tiled: device: expected compute capability 9.0 or more, given device 1, an sm_80; a "
                       "kernel for it copies without a tensor map",
                       kiln::ArgumentError);
  kiln::Device(0).make_current();
  CHECK_NOTHROW(kiln::TensorMap::tiled(tensor));
}
