// Every driver call of a launch with host arguments fails in turn.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

namespace host_argument_failures_test {

namespace {

/// Lets each call of that function fail until a launch succeeds; returns how many did.
template <class Launch>
std::size_t fail_each(const char* call, const Launch& launch) {
  const std::size_t allocations = fake_cuda::live_allocations();
  for (std::size_t skip = 0;; ++skip) {
    fake_cuda::reset();
    fake_cuda::fail(call, CUDA_ERROR_ILLEGAL_ADDRESS, skip);
    bool succeeded = false;
    try {
      launch();
      succeeded = true;
    } catch (const kiln::DriverError& error) {
      CHECK(error.call() == call);
      CHECK(error.result() == CUDA_ERROR_ILLEGAL_ADDRESS);
    }
    CHECK(fake_cuda::live_allocations() == allocations);
    if (succeeded) return skip;
    // The host's memory is not touched any more: what was put into the stream is waited for.
    const std::vector<std::string> calls = fake_cuda::calls();
    const auto last_copy = std::find_if(calls.rbegin(), calls.rend(), [](const std::string& name) {
      return name == "cuMemcpyHtoDAsync" || name == "cuMemcpyDtoHAsync";
    });
    if (last_copy != calls.rend())
      CHECK(std::find(last_copy.base(), calls.end(), "cuStreamSynchronize") != calls.end());
  }
}

}  // namespace

TEST_CASE("whatever fails, nothing stays allocated and the error tells it") {
  FakeModule module;
  const kiln::PreparedFunction ten = module.function("_Z3tenPfS_S_S_iiffdx").prepare("4P2i2fdq", 32);
  std::vector<float> a(10), b(20), c(30);
  const kiln::Stream stream;
  const auto synchronous = [&] {
    ten.prepared_call(1, kiln::In(a), kiln::Out(b), kiln::InOut(c), nullptr, 1, 2, 3, 4, 5, 6);
  };
  const auto asynchronous = [&] {
    ten.prepared_async_call(1, stream, kiln::In(a), kiln::Out(b), kiln::InOut(c), nullptr, 1, 2, 3, 4, 5, 6);
  };
  const auto timed = [&] {
    (void)ten.prepared_timed_call(1, kiln::In(a), kiln::Out(b), kiln::InOut(c), nullptr, 1, 2, 3, 4, 5, 6);
  };
  synchronous();
  asynchronous();
  timed();
  struct {
    const char* name;
    std::size_t times;
  } const calls[] = {{"cuMemAllocAsync", 3},   {"cuMemcpyHtoDAsync", 2}, {"cuLaunchKernel", 1},
                     {"cuMemcpyDtoHAsync", 2}, {"cuMemFreeAsync", 3},    {"cuStreamGetCtx", 1}};
  for (const auto& call : calls) {
    CAPTURE(call.name);
    if (std::string(call.name) != "cuStreamGetCtx") {
      CHECK(fail_each(call.name, synchronous) == call.times);
      CHECK(fail_each(call.name, timed) == call.times);
    }
    CHECK(fail_each(call.name, asynchronous) == call.times);
  }
  CHECK(fail_each("cuStreamSynchronize", synchronous) == 1);
  CHECK(fail_each("cuEventRecord", timed) == 2);
  fake_cuda::reset();
}

TEST_CASE("without memory pools too") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  std::vector<float> a(10);
  const auto launch = [&] {
    fake_cuda::fail("cuMemAllocAsync", CUDA_ERROR_NOT_SUPPORTED, 0, 100);
    scale({1, 32}, kiln::InOut(a), 1, 2.0f);
  };
  launch();
  for (const char* call : {"cuMemAlloc", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemFree", "cuLaunchKernel"}) {
    CAPTURE(call);
    CHECK(fail_each(call, launch) == 1);
  }
  fake_cuda::reset();
}

TEST_CASE("an error that stays is told once, and clearing up is quiet") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  std::vector<float> a(10);
  scale({1, 32}, kiln::InOut(a), 1, 2.0f);
  fake_cuda::reset();
  for (const char* call : {"cuLaunchKernel", "cuMemFreeAsync", "cuStreamSynchronize"})
    fake_cuda::fail(call, CUDA_ERROR_ILLEGAL_ADDRESS, 0, 1000);
  try {
    scale({1, 32}, kiln::InOut(a), 1, 2.0f);
    FAIL("accepted");
  } catch (const kiln::DriverError& error) {
    CHECK(error.call() == "cuLaunchKernel");
  }
  fake_cuda::reset();
}

TEST_CASE("a thread without a context passes host arguments on device 0") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  std::vector<float> a(10);
  fake_cuda::reset();
  std::thread([&] { scale({1, 32}, kiln::InOut(a), 1, 2.0f); }).join();
  CHECK(fake_cuda::launches().size() == 1);
}

}  // namespace host_argument_failures_test
