// What a call of a generated kernel asks the driver for, beside the launch: each question costs about what Kiln does.
#include "environment_guard.hpp"
#include "fake_cuda.hpp"
#include "scratch_folder.hpp"

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace driver_calls_test {

namespace {

using Calls = std::vector<std::string>;

/// Of the second call: the first one asks what is kept.
template <class Work>
Calls calls_of(const Work& work) {
  work();
  fake_cuda::reset();
  work();
  return fake_cuda::calls();
}

}  // namespace

TEST_CASE("generated kernels ask the driver for little, whatever the number of elements") {
  const kiln::test::ScratchFolder cache;
  const kiln::test::EnvironmentGuard environment({{"KILN_CACHE_DIR", cache.path().string()}});
  kiln::use_driver(fake_cuda::library_path());
  const kiln::ElementwiseKernel twice("const float* x, float* y", "y[i] = 2 * x[i]");
  const kiln::ReductionKernel<float> sum({.neutral = "0", .reduce_expr = "a + b"});
  const kiln::InclusiveScanKernel<float> scan("a + b");
  const kiln::Stream stream;
  for (const std::size_t n : {std::size_t{1000}, std::size_t{1} << 20U}) {
    CAPTURE(n);
    const kiln::DeviceBuffer<float> x(n);
    kiln::DeviceBuffer<float> y(n);
    CHECK(calls_of([&] { twice({.stream = stream}, x, y); }) == Calls{"cuLaunchKernel"});
    const Calls with_memory = {"cuStreamIsCapturing", "cuStreamGetId", "cuLaunchKernel"};
    CHECK(calls_of([&] { (void)sum({.stream = stream}, x); }) == with_memory);
    CHECK(calls_of([&] { sum.into(y.data(), {.stream = stream}, x); }) == with_memory);
    CHECK(calls_of([&] { scan({.stream = stream}, x, y); }) == with_memory);
  }
}

}  // namespace driver_calls_test
