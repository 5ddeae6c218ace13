#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>
#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace launch_errors_test {

namespace {

/// What a launch of `empty` with this configuration throws.
template <class Thrown>
Thrown refusal(const kiln::LaunchConfig& config) {
  FakeModule module;
  try {
    module.function("empty")(config);
  } catch (const Thrown& error) {
    return error;
  }
  FAIL("the launch was accepted");
  throw;
}

}  // namespace

TEST_CASE("local memory beyond what a thread has names the called function that needs it") {
  fake_cuda::reset();
  FakeModule module;
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_WITH_AS(module.function("deep")({1, 32}),
                       doctest::Contains("kernel deep: local memory of a thread: expected at most 524288 bytes, given "
                                         "600000 bytes, 524289 of them for deep(int), which it calls; keep"),
                       kiln::ArgumentError);
}

TEST_CASE("sizes that no launch can have are refused before anything is launched") {
  using kiln::Dim3;
  struct {
    kiln::LaunchConfig config;
    const char* expected;
    const char* given;
  } const cases[] = {
      {{0, 256}, "sizes of at least 1", "0x1x1"},
      {{1, Dim3(1, 0)}, "sizes of at least 1", "1x0x1"},
      {{Dim3(1, 1, 0), 1}, "sizes of at least 1", "1x1x0"},
      {{1, 1025}, "1 to 1024", "1025"},
      {{1, Dim3(32, 33)}, "at most 1024", "1056 (32x33x1)"},
      {{1, Dim3(1, 1, 65)}, "1 to 64", "65"},
      {{1, Dim3(1u << 22, 1u << 21, 1u << 21)}, "1 to 1024", "4194304"},
      {{Dim3(1, 65536), 1}, "1 to 65535", "65536"},
      {{Dim3(1, 1, 65536), 1}, "1 to 65535", "65536"},
      {{0x80000000u, 1}, "1 to 2147483647", "2147483648"},
  };
  for (const auto& item : cases) {
    fake_cuda::reset();
    const auto error = refusal<kiln::ArgumentError>(item.config);
    CHECK(error.kernel() == "empty");
    CHECK(error.index() == kiln::ArgumentError::no_index);
    CHECK(error.expected() == item.expected);
    CHECK(error.given() == item.given);
    CHECK(fake_cuda::calls("cuLaunchKernel") == 0);
  }
}

TEST_CASE("the largest sizes pass") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  empty({2147483647, 1024});
  empty({{1, 65535, 65535}, {1, 16, 64}});
  CHECK(fake_cuda::launches().size() == 2);
}

TEST_CASE("a launch for which device memory does not do says what local memory takes of it") {
  FakeModule module;
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_OUT_OF_MEMORY, 0, 2);
  const kiln::Function spills = module.function("spills");
  CHECK_THROWS_WITH_AS(spills({1, 1}), doctest::Contains("each thread has 400000 bytes of local memory"),
                       kiln::DriverError);
  const auto error = refusal<kiln::DriverError>({1, 1});
  CHECK_FALSE(contains(error.what(), "local memory"));
}

TEST_CASE("a launch that the driver refuses names everything that was asked for") {
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_IMAGE);
  const auto error = refusal<kiln::DriverError>({64, 256, 100});
  CHECK(error.result() == CUDA_ERROR_INVALID_IMAGE);
  CHECK(error.call() == "cuLaunchKernel");
  CHECK(contains(error.what(),
                 "at the launch of kernel empty with grid 64x1x1, block 256x1x1, 100 bytes of dynamic "
                 "shared memory, stream 0x0 (the default)"));
  CHECK_FALSE(contains(error.what(), "earlier kernel"));
}

TEST_CASE("an error that an earlier kernel left says so") {
  for (const CUresult result : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_ASSERT}) {
    fake_cuda::reset();
    fake_cuda::fail("cuLaunchKernel", result, 0, 2);
    const auto error = refusal<kiln::DriverError>({64, 256});
    CHECK(error.result() == result);
    CHECK(contains(error.what(), "an earlier kernel may have caused it"));
    CHECK(fake_cuda::calls("cuLaunchKernel") == 1);
  }
}

TEST_CASE("a context that does not help is asked for once") {
  fake_cuda::reset();
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_INVALID_CONTEXT, 0, 5);
  CHECK(refusal<kiln::DriverError>({64, 256}).result() == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(fake_cuda::calls("cuLaunchKernel") == 2);
  fake_cuda::reset();
}

TEST_CASE("a loader that fails is asked again") {
  bool broken = true;
  FakeModule module;
  const auto good = module.kernel("empty");
  kiln::KernelInfo info = good->info();
  const auto kernel = std::make_shared<kiln::Kernel>(info, true, fake_code([&](int device) {
                                                       if (broken) throw kiln::Error("no code for this device");
                                                       return good->handle(device);
                                                     }));
  const kiln::Function function(kiln::passkey, kernel);
  CHECK_THROWS_AS(function({1, 1}), kiln::Error);
  broken = false;
  CHECK_NOTHROW(function({1, 1}));
}

TEST_CASE("a stream that is gone is told, whatever is launched there, and nothing is left behind") {
  FakeModule module;
  const kiln::Function empty = module.function("empty"), scale = module.function("_Z5scalePfif");
  CUstream gone = nullptr;
  {
    const kiln::Stream stream;
    gone = stream.handle();
  }
  empty({1, 1});
  const std::size_t live = fake_cuda::live_allocations();
  fake_cuda::reset();
  kiln::LaunchConfig attributes{1, 1, 0, gone};
  attributes.attributes.cluster = 2;
  attributes.grid = 2;
  const std::vector<float> host(5);
  kiln::LaunchPlan plan;
  for (int i = 0; i < 2; ++i) plan.add(empty, {1, 1});
  CHECK_THROWS_AS(empty({1, 1, 0, gone}), kiln::DriverError);
  CHECK_THROWS_AS(empty({1, 1, 100 * 1024, gone}), kiln::DriverError);
  CHECK_THROWS_AS(empty(attributes), kiln::DriverError);
  CHECK_THROWS_AS(empty.timed({1, 1, 0, gone}), kiln::DriverError);
  CHECK_THROWS_AS(scale({1, 1, 0, gone}, kiln::In(host), 5, 1.0f), kiln::DriverError);
  CHECK_THROWS_AS(empty.prepare("", 32).prepared_async_call(1, gone), kiln::DriverError);
  CHECK_THROWS_AS(plan(gone), kiln::DriverError);
  CHECK(fake_cuda::launches().empty());
  CHECK(fake_cuda::live_allocations() == live);
}

TEST_CASE("a function that was moved from still launches") {
  FakeModule module;
  kiln::Function empty = module.function("empty");
  kiln::PreparedFunction prepared = empty.prepare("", 32);
  const kiln::Function other = std::move(empty);
  const kiln::PreparedFunction other_prepared = std::move(prepared);
  fake_cuda::reset();
  empty({1, 1});
  prepared.prepared_call(1);
  CHECK(fake_cuda::launches().size() == 2);
}

}  // namespace launch_errors_test
