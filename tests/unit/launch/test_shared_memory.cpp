#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/error.hpp>
#include <kiln/function.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

namespace shared_memory_test {

namespace {

constexpr std::size_t kib = 1024;

std::size_t permissions() { return fake_cuda::calls("cuKernelSetAttribute"); }

}  // namespace

TEST_CASE("up to 48 KiB no permission is asked for") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  empty({1, 1});
  fake_cuda::reset();
  empty({1, 1, 48 * kib});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel"});
}

TEST_CASE("above 48 KiB the permission is asked for once, and again only for more") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  for (int i = 0; i < 3; ++i) empty({1, 1, 64 * kib});
  CHECK(permissions() == 1);
  empty({1, 1, 50 * kib});
  CHECK(permissions() == 1);
  for (int i = 0; i < 3; ++i) empty({1, 1, 100 * kib});
  CHECK(permissions() == 2);
  empty({1, 1, 64 * kib});
  CHECK(permissions() == 2);
  CHECK(fake_cuda::launches().size() == 8);
  fake_cuda::reset();
  empty({1, 1, 100 * kib});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel"});
}

TEST_CASE("more than the device has is refused before the launch") {
  FakeModule module;
  const kiln::Function empty = module.function("empty");
  fake_cuda::reset();
  for (const std::size_t bytes : {std::size_t{232449}, std::size_t{1} << 32, ~std::size_t{0}}) {
    try {
      empty({1, 1, bytes});
      FAIL("accepted");
    } catch (const kiln::ArgumentError& error) {
      CHECK(error.kernel() == "empty");
      CHECK(error.expected() == "at most 232448 bytes");
      CHECK(error.given() == std::to_string(bytes) + " bytes");
    }
  }
  CHECK(permissions() == 0);
  CHECK(fake_cuda::calls("cuLaunchKernel") == 0);
  empty({1, 1, 232448});
  CHECK(fake_cuda::launches().size() == 1);
}

TEST_CASE("where the code does not tell its own shared memory, the driver is asked once") {
  FakeModule module;
  const kiln::Function empty(kiln::passkey, module.kernel("empty", true, -1));
  fake_cuda::reset();
  empty({1, 1});
  CHECK(fake_cuda::calls("cuKernelGetAttribute") == 0);
  empty({1, 1, 100});
  fake_cuda::reset();
  empty({1, 1, 48 * kib});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel"});
}

TEST_CASE("the kernel's own shared memory counts") {
  FakeModule module;
  const kiln::Function empty(kiln::passkey, module.kernel("empty", true, 16 * 1024));
  empty({1, 1});
  fake_cuda::reset();
  empty({1, 1, 32 * kib});
  CHECK(fake_cuda::calls() == std::vector<std::string>{"cuLaunchKernel"});
  empty({1, 1, 32 * kib + 1});
  CHECK(fake_cuda::calls("cuKernelGetAttribute") > 0);
}

TEST_CASE("threads that ask for different sizes at once end at the larger") {
  constexpr std::size_t larger = 200 * kib;
  FakeModule module;
  for (int round = 0; round < 100; ++round) {
    const kiln::Function empty = module.function("empty");
    empty({1, 1});  // so that both are at the permission at once
    std::atomic<int> waiting{2};
    std::atomic<int> refused{0};
    const auto launch = [&](std::size_t bytes) {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      try {
        empty({1, 1, bytes});
      } catch (const kiln::Error&) {
        ++refused;
      }
    };
    std::thread other([&] { launch(100 * kib); });
    launch(larger);
    other.join();
    CHECK(refused == 0);
    REQUIRE(empty.attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == larger);
  }
}

}  // namespace shared_memory_test
