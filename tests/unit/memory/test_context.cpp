#include "memory/context.hpp"

#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

namespace context_test {

namespace {

CUcontext current_context() {
  CUcontext context = nullptr;
  CHECK(kiln::Driver::get().ctx_get_current(&context) == CUDA_SUCCESS);
  return context;
}

}  // namespace

TEST_CASE("a thread without a context gets device 0's primary one, retained once a process") {
  for (int i = 0; i < 3; ++i) {
    on_new_thread([] {
      CHECK(current_context() == nullptr);
      const CUcontext context = kiln::require_context();
      CHECK(context == kiln::primary_context(0));
      CHECK(current_context() == context);
      CHECK(kiln::require_context() == context);
      CHECK(kiln::current_device() == 0);
    });
  }
  CHECK(fake_cuda::primary_context_retains(0) == 1);
}

TEST_CASE("a thread's own context is used") {
  on_new_thread([] {
    kiln::Device(1).make_current();
    CHECK(kiln::require_context() == kiln::primary_context(1));
    CHECK(kiln::current_device() == 1);
    CHECK(kiln::Device::current().ordinal() == 1);
  });
}

TEST_CASE("a context that cannot be retained is asked for again") {
  on_new_thread([] {
    fake_cuda::reset();
    fake_cuda::fail("cuCtxSetCurrent", CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_THROWS_AS(kiln::require_context(), kiln::DriverError);
    CHECK_NOTHROW(kiln::require_context());
  });
}

TEST_CASE("the guard puts the former context back, or none") {
  on_new_thread([] {
    {
      const kiln::ContextGuard guard(1);
      CHECK(kiln::current_device() == 1);
      {
        const kiln::ContextGuard inner(0);
        CHECK(kiln::current_device() == 0);
      }
      CHECK(kiln::current_device() == 1);
    }
    CHECK(current_context() == nullptr);
  });
}

TEST_CASE("a stream tells its device, whatever is current") {
  on_new_thread([] {
    kiln::Device(1).make_current();
    const kiln::Stream stream;
    kiln::Device(0).make_current();
    CHECK(kiln::stream_device(stream) == 1);
    CHECK(kiln::stream_device(nullptr) == 0);
    CHECK(kiln::current_device() == 0);
    CHECK(kiln::stream_context(stream) == kiln::primary_context(1));
  });
}

TEST_CASE("devices are asked once") {
  CHECK(kiln::device_count() == 2);
  CHECK_FALSE(kiln::devices_are_alike());
  fake_cuda::reset();
  CHECK(kiln::device_count() == 2);
  CHECK(kiln::device_compute_capability(0) == 90);
  CHECK(kiln::device_compute_capability(1) == 80);
  CHECK(fake_cuda::calls().empty());
}

}  // namespace context_test
