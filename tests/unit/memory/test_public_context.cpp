#include "fake_cuda.hpp"
#include "memory/context.hpp"
#include "on_new_thread.hpp"

#include <kiln/context.hpp>
#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <optional>
#include <utility>

namespace public_context_test {

using kiln::Context;
using kiln::Device;
using kiln::Limit;

namespace {

CUcontext current_handle() {
  CUcontext context = nullptr;
  REQUIRE(cuCtxGetCurrent(&context) == CUDA_SUCCESS);
  return context;
}

}  // namespace

TEST_CASE("synchronize waits for the current context, of a thread without one for the primary") {
  on_new_thread([] {
    fake_cuda::reset();
    kiln::synchronize();
    CHECK(current_handle() == kiln::primary_context(0));
    CHECK(fake_cuda::calls("cuCtxSynchronize") == 2);  // refused without a context
    kiln::synchronize();
    CHECK(fake_cuda::calls("cuCtxSynchronize") == 3);
  });
}

TEST_CASE("synchronize tells what a kernel did") {
  fake_cuda::reset();
  fake_cuda::fail("cuCtxSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  try {
    kiln::synchronize();
    FAIL("no error");
  } catch (const kiln::DriverError& error) {
    CHECK(error.result() == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(std::string(error.what()).find("an earlier kernel") != std::string::npos);
  }
}

TEST_CASE("a context is made, pushed, popped and destroyed") {
  on_new_thread([] {
    Device(0).make_current();
    const CUcontext primary = current_handle();
    {
      Context context(Device(1));
      CHECK(fake_cuda::live_contexts() == 1);
      CHECK(current_handle() == context.handle());
      CHECK(kiln::Device::current().ordinal() == 1);
      CHECK(context.device().ordinal() == 1);
      Context::pop();
      CHECK(current_handle() == primary);
      CHECK(context.device().ordinal() == 1);
      CHECK(current_handle() == primary);
      context.push();
      CHECK(current_handle() == context);
    }
    CHECK(fake_cuda::live_contexts() == 0);
    CHECK(current_handle() == primary);
  });
}

TEST_CASE("a thread without a context has none again when its own is gone") {
  on_new_thread([] {
    { const Context context{Device(0)}; }
    CHECK(current_handle() == nullptr);
    try {
      Context::pop();
      FAIL("popped");
    } catch (const kiln::DriverError& error) {
      CHECK(error.result() == CUDA_ERROR_INVALID_CONTEXT);
    }
  });
}

TEST_CASE("the current and the primary context are not owned") {
  on_new_thread([] {
    const CUcontext primary = kiln::primary_context(1);
    fake_cuda::reset();
    {
      Context other = Context::primary(Device(1));
      CHECK(other.handle() == primary);
      CHECK(current_handle() == nullptr);
      other.push();
      Context current = Context::current();
      CHECK(current.handle() == primary);
      current.detach();
      CHECK(current.handle() == nullptr);
      CHECK(current_handle() == primary);
    }
    CHECK(fake_cuda::calls("cuCtxDestroy") == 0);
  });
  on_new_thread([] { CHECK(Context::current().handle() == kiln::primary_context(0)); });
}

TEST_CASE("a context moves, and an object without one says so") {
  on_new_thread([] {
    Context first(Device(0));
    const CUcontext handle = first;
    Context second = std::move(first);
    CHECK(second.handle() == handle);
    CHECK(first.handle() == nullptr);                    // NOLINT(bugprone-use-after-move)
    CHECK_THROWS_AS(first.push(), kiln::ArgumentError);  // NOLINT(bugprone-use-after-move)
    CHECK_THROWS_AS((void)first.device(), kiln::ArgumentError);
    first = std::move(second);
    CHECK(first.handle() == handle);
    CHECK(fake_cuda::live_contexts() == 1);
    first.detach();
    CHECK(fake_cuda::live_contexts() == 0);
    first.detach();
    CHECK_THROWS_AS(first.synchronize(), kiln::ArgumentError);
  });
}

TEST_CASE("detach says what fails, the destructor does not, and neither tries again") {
  on_new_thread([] {
    Context context(Device(0));
    const CUcontext handle = context;
    fake_cuda::reset();
    fake_cuda::fail("cuCtxDestroy", CUDA_ERROR_ILLEGAL_ADDRESS, 0, 2);
    CHECK_THROWS_AS(context.detach(), kiln::DriverError);
    { const Context another{Device(0)}; }
    CHECK(fake_cuda::calls("cuCtxDestroy") == 2);
    fake_cuda::reset();
    CHECK(cuCtxDestroy(current_handle()) == CUDA_SUCCESS);
    CHECK(cuCtxDestroy(handle) == CUDA_SUCCESS);
  });
}

TEST_CASE("a context that cannot be made throws") {
  fake_cuda::reset();
  fake_cuda::fail("cuCtxCreate", CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_THROWS_AS(Context{Device(1)}, kiln::DriverError);
  CHECK(fake_cuda::live_contexts() == 0);
}

TEST_CASE("the flags of a context") {
  on_new_thread([] {
    kiln::ContextFlags flags;
    flags.schedule = kiln::ContextSchedule::blocking_sync;
    flags.lmem_resize_to_max = true;
    const Context context(Device(0), flags);
    unsigned seen = 0;
    REQUIRE(cuCtxGetFlags(&seen) == CUDA_SUCCESS);
    CHECK(seen == (CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_LMEM_RESIZE_TO_MAX));
  });
}

TEST_CASE("limits and the cache's split are a context's own, whichever is current") {
  on_new_thread([] {
    Device(0).make_current();
    const Context first = Context::current();
    const Context second(Device(0));
    first.set_limit(Limit::stack_size, 4096);
    second.set_limit(Limit::printf_fifo_size, 12345);
    first.set_cache_config(kiln::CacheConfig::prefer_l1);
    CHECK(first.get_limit(Limit::stack_size) == 4096);
    CHECK(second.get_limit(Limit::stack_size) == 1024);
    CHECK(second.get_limit(Limit::printf_fifo_size) == 12345);
    CHECK(first.get_cache_config() == kiln::CacheConfig::prefer_l1);
    CHECK(second.get_cache_config() == kiln::CacheConfig::prefer_none);
    CHECK(current_handle() == second.handle());
    first.set_limit(Limit::stack_size, 1024);
    first.set_cache_config(kiln::CacheConfig::prefer_none);
  });
}

TEST_CASE("a limit that the device has not is refused by its number") {
  try {
    (void)Context::current().get_limit(Limit::max_l2_fetch_granularity);
    FAIL("no error");
  } catch (const kiln::DriverError& error) {
    CHECK(error.result() == CUDA_ERROR_UNSUPPORTED_LIMIT);
    CHECK(std::string(error.what()).find("limit 5") != std::string::npos);
  }
}

TEST_CASE("a context synchronises while another is current") {
  on_new_thread([] {
    const Context own(Device(1));
    Context::pop();
    fake_cuda::reset();
    own.synchronize();
    CHECK(fake_cuda::calls("cuCtxSynchronize") == 1);
    CHECK(current_handle() == nullptr);
  });
}

}  // namespace public_context_test
