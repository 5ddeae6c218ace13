// The error of a kernel that went astray names the kernels that may have.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "memory/asynchronous_error.hpp"

#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/event.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <optional>

namespace launched_kernels_test {

namespace {

std::string error_of_synchronize(const kiln::Stream& stream) {
  fake_cuda::fail("cuStreamSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  try {
    stream.synchronize();
  } catch (const kiln::DriverError& error) {
    CHECK(error.result() == CUDA_ERROR_ILLEGAL_ADDRESS);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the only kernel, and a few, are named at the call that tells the error") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  kiln::forget_launched();
  CHECK(contains(error_of_synchronize(stream), "an earlier kernel may have caused it, and"));
  empty({1, 1, 0, stream});
  empty({1, 1, 0, stream});
  CHECK(contains(error_of_synchronize(stream),
                 "may have caused it (the only kernel launched in this process is empty), and nothing more"));
  float* pointer = nullptr;
  module.function("_Z5scalePfif")({1, 1, 0, stream}, pointer, 1, 1.0f);
  // The name outlives the function, and shows as a person knows it.
  const std::string name = kiln::read_ptx(fake_kernels_ptx).kernels[1].readable_name;
  CHECK(contains(error_of_synchronize(stream), "(the kernels launched in this process are empty and " +
                                                   (name.empty() ? "_Z5scalePfif" : name) + ")"));
  kiln::LaunchConfig config{2, 1, 0, stream};
  config.attributes.cluster = 2;
  module.function("shares")(config);
  CHECK(contains(error_of_synchronize(stream), " and shares)"));
  for (int i = 0; i < 5; ++i) kiln::note_launched("another" + std::to_string(i));
  CHECK(contains(error_of_synchronize(stream), "may have caused it, and"));
}

TEST_CASE("a plan's launches count, by a graph and without one") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty"), shares = module.function("shares");
  kiln::LaunchPlan alike, mixed;
  for (int i = 0; i < 2; ++i) alike.add(empty, {1, 1});
  for (const kiln::Function& each : {shares, empty, shares}) mixed.add(each, {1, 1});
  fake_cuda::reset();
  kiln::forget_launched();
  alike(stream);
  CHECK(contains(error_of_synchronize(stream), "(the only kernel launched in this process is empty)"));
  fake_cuda::fail("cuGraphLaunch", CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THROWS_AS(mixed(stream), kiln::DriverError);
  CHECK(contains(error_of_synchronize(stream), "(the only kernel launched in this process is empty)"));
  mixed(stream);
  CHECK(fake_cuda::calls("cuGraphLaunch") == 3);
  CHECK(contains(error_of_synchronize(stream), "(the kernels launched in this process are empty and shares)"));
}

TEST_CASE("a launch that the driver refuses does not count") {
  FakeModule module;
  const kiln::Stream stream;
  const kiln::Function empty = module.function("empty");
  kiln::forget_launched();
  empty({1, 1});
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_ILLEGAL_ADDRESS);
  float* pointer = nullptr;
  CHECK_THROWS_AS(module.function("_Z5scalePfif")({1, 1}, pointer, 1, 1.0f), kiln::DriverError);
  CHECK(contains(error_of_synchronize(stream), "(the only kernel launched in this process is empty), and"));
}

TEST_CASE("other errors name no kernel") {
  FakeModule module;
  module.function("empty")({1, 1});
  const kiln::Stream stream;
  fake_cuda::fail("cuStreamSynchronize", CUDA_ERROR_OUT_OF_MEMORY);
  try {
    stream.synchronize();
    FAIL("no error");
  } catch (const kiln::DriverError& error) {
    CHECK_FALSE(contains(error.what(), "empty"));
  }
}

TEST_CASE("destructors stay quiet on a context that is lost") {
  FakeModule module;
  {
    std::optional<kiln::Stream> stream(std::in_place);
    std::optional<kiln::Event> event(std::in_place);
    std::optional<kiln::DeviceBuffer<int>> buffer(std::in_place, 10u);
    fake_cuda::reset();
    for (const char* call : {"cuStreamDestroy", "cuEventDestroy", "cuMemFree"})
      fake_cuda::fail(call, CUDA_ERROR_ILLEGAL_ADDRESS, 0, 2);
    CHECK_NOTHROW(stream.reset());
    CHECK_NOTHROW(event.reset());
    CHECK_NOTHROW(buffer.reset());
    CHECK(fake_cuda::calls("cuMemFree") == 1);
  }
  fake_cuda::reset();
}

}  // namespace launched_kernels_test
