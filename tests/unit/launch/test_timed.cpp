// Timed launches and the events that they keep.
#include "launch/event_pair.hpp"

#include "fake_cuda.hpp"
#include "fake_kernels.hpp"
#include "memory/context.hpp"

#include <kiln/error.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace timed_test {

TEST_CASE("a timed launch takes time, and makes its events once") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  const kiln::TypedFunction<void()> typed(empty);
  const kiln::PreparedFunction prepared = empty.prepare("", 32);
  const kiln::Stream stream;
  (void)empty.timed({1, 1});
  const std::size_t events = fake_cuda::live_events();
  fake_cuda::reset();
  CHECK(empty.timed({1, 1}) > 0);
  CHECK(typed.timed({1, 1, 0, stream}) > 0);
  CHECK(prepared.prepared_timed_call(1) > 0);
  CHECK(fake_cuda::launches().size() == 3);
  CHECK_THROWS_AS((void)empty.timed({0, 1}), kiln::ArgumentError);
  CHECK_THROWS_AS((void)empty.timed({1, 1}, 5), kiln::ArgumentError);
  fake_cuda::fail("cuLaunchKernel", CUDA_ERROR_LAUNCH_FAILED);
  CHECK_THROWS_AS((void)empty.timed({1, 1}), kiln::DriverError);
  CHECK(fake_cuda::live_events() == events);
  CHECK(fake_cuda::calls("cuEventCreate") == 0);
  CHECK(fake_cuda::calls("cuEventDestroy") == 0);
}

TEST_CASE("each driver call of a timed launch that fails is told, and no event is lost") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  (void)empty.timed({1, 1});
  const std::size_t events = fake_cuda::live_events();
  for (const char* call : {"cuEventRecord", "cuLaunchKernel", "cuEventSynchronize", "cuEventElapsedTime"}) {
    std::size_t skip = 0;
    for (bool failed = true; failed; ++skip) {
      CAPTURE(call);
      fake_cuda::reset();
      fake_cuda::fail(call, CUDA_ERROR_UNKNOWN, skip);
      try {
        (void)empty.timed({1, 1});
        failed = false;
      } catch (const kiln::DriverError& error) {
        CHECK(error.call() == call);
        CHECK(error.result() == CUDA_ERROR_UNKNOWN);
      }
      CHECK(fake_cuda::live_events() == events);
    }
    CHECK(skip >= 2);
  }
  fake_cuda::reset();
}

TEST_CASE("pairs in use at the same time differ, and are used again") {
  kiln::EventPair* first = new kiln::EventPair(kiln::require_context());
  CUevent other = nullptr;
  std::thread([&] {
    const CUcontext context = kiln::require_context();
    kiln::EventPair second(context);
    other = second.start();
    CHECK(other != first->start());
    CHECK(second.end() != second.start());
  }).join();
  const std::size_t events = fake_cuda::live_events();
  kiln::EventPair third(kiln::require_context());
  CHECK(CUevent(third.start()) == other);
  CHECK(fake_cuda::live_events() == events);
  delete first;
}

TEST_CASE("a driver that does not number contexts makes events for each time") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  (void)empty.timed({1, 1});
  const std::size_t events = fake_cuda::live_events();
  fake_cuda::reset();
  fake_cuda::fail("cuCtxGetId", CUDA_ERROR_NOT_SUPPORTED);
  CHECK(empty.timed({1, 1}) > 0);
  CHECK(fake_cuda::calls("cuEventCreate") == 2);
  CHECK(fake_cuda::calls("cuEventDestroy") == 2);
  CHECK(fake_cuda::live_events() == events);
}

TEST_CASE("events that cannot be made are told, and the first of two is not lost") {
  const CUcontext context = kiln::require_context();
  const std::size_t events = fake_cuda::live_events();
  for (std::size_t skip = 0; skip < 2; ++skip) {
    fake_cuda::reset();
    fake_cuda::fail("cuCtxGetId", CUDA_ERROR_NOT_SUPPORTED);
    fake_cuda::fail("cuEventCreate", CUDA_ERROR_OUT_OF_MEMORY, skip);
    CHECK_THROWS_AS(kiln::EventPair pair(context), kiln::DriverError);
    CHECK(fake_cuda::live_events() == events);
  }
  fake_cuda::reset();
}

}  // namespace timed_test
