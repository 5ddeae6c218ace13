// Counts what launches allocate, and refuses it, so it replaces the global operator new of this executable.
#include "fake_cuda.hpp"
#include "fake_kernels.hpp"

#include <kiln/launch_plan.hpp>
#include <kiln/stream.hpp>
#include <kiln/typed_function.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> refused_allocation{0};  // counted from 1 by `allocations`

}  // namespace

// Not inlined, or the compiler takes free() for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (++allocations == refused_allocation) throw std::bad_alloc();
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("a launch allocates nothing, also where the types of the call change or are converted") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const kiln::TypedFunction<void(float*, int, float)> typed(scale);
  const kiln::Function ten = module.function("_Z3tenPfS_S_S_iiffdx");
  const kiln::PreparedFunction prepared = ten.prepare("4P2i2fdq", 32);
  const kiln::PreparedFunction by_types = scale.prepare<float*, int, float>(32);
  const kiln::Stream stream;
  float* pointer = nullptr;
  const auto launch_all = [&] {
    scale({1, 1}, pointer, 1, 2.0f);
    scale({1, 1}, CUdeviceptr{0}, 1u, 2.0f);
    typed({1, 1, 64 * 1024, stream}, pointer, 1, 2.0f);
    ten({1, 1}, pointer, pointer, pointer, pointer, 1, 2, 3.0f, 4.0f, 5.0, 6LL);
    prepared.prepared_call(1, pointer, pointer, pointer, pointer, 1, 2, 3.0f, 4.0f, 5.0, 6LL);
    prepared.prepared_async_call(1, stream, nullptr, CUdeviceptr{0}, pointer, pointer, 1u, short{2}, 3, 4.0, 5.0f, 6);
    prepared({2, 64, 1024, stream}, pointer, pointer, pointer, pointer, 1, 2, 3.0f, 4.0f, 5.0, 6LL);
    by_types.prepared_call(kiln::Dim3(2, 2), pointer, 1LL, 2.0);
  };
  kiln::LaunchConfig extended{16, 128, 0, stream};
  extended.attributes.cluster = 4;
  extended.attributes.cooperative = true;
  extended.attributes.priority = -1;
  const auto launch_extended = [&] { scale(extended, pointer, 1, 2.0f); };
  fake_cuda::reset();
  launch_extended();
  launch_all();  // loads, asks for the shared memory
  fake_cuda::set_recording(false);
  const std::size_t before = allocations;
  for (int i = 0; i < 10; ++i) {
    launch_all();
    launch_extended();
  }
  CHECK(allocations == before);
  CHECK(before > 0);
  fake_cuda::reset();
}

TEST_CASE("a replay allocates nothing, by a graph and without one") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  const auto replay_twenty = [&](int launches) {
    kiln::LaunchPlan plan;
    const auto x = plan.parameter<float*>("x");
    const auto n = plan.parameter<int>("n");
    for (int i = 0; i < launches; ++i) plan.add(scale, {1, 32}, x, n, 2.0f);
    float values[2] = {};
    plan(nullptr, &values[0], 0);
    fake_cuda::set_recording(false);
    const std::size_t before = allocations;
    for (int i = 1; i <= 20; ++i) plan(nullptr, &values[i % 2], i);
    CHECK(allocations == before);
    fake_cuda::reset();
  };
  replay_twenty(1);
  replay_twenty(16);
}

TEST_CASE("a plan is as before where there is no memory for another launch") {
  FakeModule module;
  const kiln::Function scale = module.function("_Z5scalePfif");
  for (std::size_t skip = 1;; ++skip) {
    kiln::LaunchPlan plan;
    const auto x = plan.parameter<float*>("x");
    const auto n = plan.parameter<int>("n");
    for (int i = 0; i < 4; ++i) plan.add(scale, {1, 32}, x, n, 2.0f);
    bool refused = false;
    refused_allocation = allocations + skip;
    try {
      plan.add(scale, {1, 32}, x, n, 2.0f);
    } catch (const std::bad_alloc&) {
      refused = true;
    }
    refused_allocation = 0;
    const std::size_t size = refused ? 4 : 5;
    CHECK(plan.size() == size);
    fake_cuda::reset();
    for (int i = 1; i <= 3; ++i) plan(nullptr, nullptr, i);
    CHECK(fake_cuda::launches().size() == 3 * size);
    CHECK(fake_cuda::calls("cuGraphExecKernelNodeSetParams") == 2 * size);
    if (!refused) break;
    REQUIRE(skip < 100);
    CHECK(plan.add(scale, {1, 32}, x, n, 2.0f) == 4);
    fake_cuda::reset();
    plan(nullptr, nullptr, 9);
    CHECK(fake_cuda::launches().size() == 5);
  }
}
