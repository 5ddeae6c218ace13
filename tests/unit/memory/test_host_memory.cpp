#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/detail/argument.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/host_registration.hpp>
#include <kiln/managed_buffer.hpp>
#include <kiln/mem_get_info.hpp>
#include <kiln/pinned_buffer.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace host_memory_test {

using kiln::DeviceBuffer;
using kiln::ManagedBuffer;
using kiln::PinnedBuffer;
using Numbers = std::vector<unsigned long long>;

static_assert(std::is_same_v<kiln::detail::Passed<PinnedBuffer<float>>::type, float*>);
static_assert(std::is_same_v<kiln::detail::Passed<ManagedBuffer<float>>::type, float*>);

TEST_CASE("page-locked memory is a container of the host, and a pointer for a kernel") {
  const std::size_t before = fake_cuda::live_host_allocations();
  {
    fake_cuda::reset();
    PinnedBuffer<int> pinned(4);
    CHECK(fake_cuda::arguments("cuMemHostAlloc") ==
          std::vector<Numbers>{{16, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP}});
    std::iota(pinned.begin(), pinned.end(), 1);
    pinned[3] = 9;
    CHECK(DeviceBuffer<int>(pinned).to_host() == std::vector<int>{1, 2, 3, 9});
    CHECK(kiln::detail::Passed<PinnedBuffer<int>>::pass(pinned) == pinned.device_data());
    PinnedBuffer<int> moved(std::move(pinned));
    CHECK(moved[0] == 1);
    CHECK(pinned.size() == 0);  // NOLINT(bugprone-use-after-move)
    moved = PinnedBuffer<int>(2);
    CHECK(moved.size() == 2);
  }
  CHECK(fake_cuda::live_host_allocations() == before);
}

TEST_CASE("flags of page-locked memory reach the driver, and what is not mapped is not passed") {
  kiln::PinnedFlags flags;
  flags.portable = false;
  flags.mapped = false;
  flags.write_combined = true;
  fake_cuda::reset();
  const PinnedBuffer<int> pinned(1, flags);
  CHECK(fake_cuda::arguments("cuMemHostAlloc") == std::vector<Numbers>{{4, CU_MEMHOSTALLOC_WRITECOMBINED}});
  CHECK(fake_cuda::calls("cuMemHostGetDevicePointer") == 0);
  CHECK_THROWS_AS((void)pinned.device_data(), kiln::ArgumentError);
}

TEST_CASE("memory of the program's own is page-locked for a while") {
  std::vector<int> numbers(4);
  const std::size_t before = fake_cuda::live_registrations();
  {
    fake_cuda::reset();
    kiln::HostRegistration first(numbers);
    CHECK(fake_cuda::arguments("cuMemHostRegister") ==
          std::vector<Numbers>{{reinterpret_cast<unsigned long long>(numbers.data()), 16,
                                CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP}});
    CHECK(first.device_pointer() != 0);
    CHECK_THROWS_AS(kiln::HostRegistration(numbers.data(), 16), kiln::DriverError);
    const kiln::HostRegistration second(std::move(first));
    CHECK(fake_cuda::live_registrations() == before + 1);
  }
  CHECK(fake_cuda::live_registrations() == before);
  CHECK_THROWS_AS(kiln::HostRegistration(nullptr, 4), kiln::ArgumentError);
}

TEST_CASE("managed memory is a container, a pointer, and is told where to be") {
  const std::size_t before = fake_cuda::live_allocations();
  {
    fake_cuda::reset();
    const kiln::Stream stream;
    ManagedBuffer<int> managed(3, kiln::ManagedAttach::host);
    CHECK(fake_cuda::arguments("cuMemAllocManaged") == std::vector<Numbers>{{12, CU_MEM_ATTACH_HOST}});
    std::iota(managed.begin(), managed.end(), 5);
    CHECK(DeviceBuffer<int>(managed).to_host() == std::vector<int>{5, 6, 7});
    CHECK(kiln::detail::Passed<ManagedBuffer<int>>::pass(managed) == managed.data());
    managed.prefetch(1, stream);
    managed.prefetch(kiln::host_place);
    managed.advise(kiln::MemAdvice::set_preferred_location, kiln::host_place);
    const unsigned long long host = static_cast<unsigned long long>(-1);
    CHECK(fake_cuda::arguments("cuMemPrefetchAsync") ==
          std::vector<Numbers>{{managed.device_pointer(), 12, 1, reinterpret_cast<unsigned long long>(stream.handle())},
                               {managed.device_pointer(), 12, host, 0}});
    CHECK(fake_cuda::arguments("cuMemAdvise") ==
          std::vector<Numbers>{{managed.device_pointer(), 12, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host}});
    ManagedBuffer<int> moved(std::move(managed));
    CHECK(moved[2] == 7);
  }
  CHECK(fake_cuda::live_allocations() == before);
}

TEST_CASE("sizes that overflow are refused, and empty memory troubles no driver") {
  constexpr std::size_t huge = static_cast<std::size_t>(-1);
  CHECK_THROWS_AS(PinnedBuffer<int>{huge}, kiln::ArgumentError);
  CHECK_THROWS_AS(ManagedBuffer<int>{huge}, kiln::ArgumentError);
  fake_cuda::reset();
  {
    const PinnedBuffer<int> pinned(0);
    CHECK(pinned.device_data() == nullptr);
    const ManagedBuffer<int> managed(0);
    managed.prefetch(0);
    managed.advise(kiln::MemAdvice::set_read_mostly, 0);
    const kiln::HostRegistration nothing(nullptr, 0);
  }
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("what a device has left") {
  const kiln::MemoryInfo before = kiln::mem_get_info();
  const DeviceBuffer<char> buffer(1000);
  const kiln::MemoryInfo after = kiln::mem_get_info();
  CHECK(after.total == before.total);
  CHECK(before.free - after.free == 1000);
}

TEST_CASE("host memory is given back on a thread without a context") {
  std::vector<int> numbers(1);
  std::optional<PinnedBuffer<int>> pinned(std::in_place, 1);
  std::optional<kiln::HostRegistration> registration(std::in_place, numbers);
  const std::size_t allocations = fake_cuda::live_host_allocations();
  const std::size_t registrations = fake_cuda::live_registrations();
  on_new_thread([&] {
    fake_cuda::reset();
    fake_cuda::fail("cuMemFreeHost", CUDA_ERROR_INVALID_CONTEXT);
    fake_cuda::fail("cuMemHostUnregister", CUDA_ERROR_INVALID_CONTEXT);
    pinned.reset();
    registration.reset();
  });
  CHECK(fake_cuda::live_host_allocations() == allocations - 1);
  CHECK(fake_cuda::live_registrations() == registrations - 1);
}

TEST_CASE("each call for host memory fails in turn") {
  std::vector<int> numbers(4);
  each_call_fails(
      [&] {
        const PinnedBuffer<int> pinned(4);
        const kiln::HostRegistration registration(numbers);
        const ManagedBuffer<int> managed(4);
        managed.prefetch(0);
        managed.advise(kiln::MemAdvice::set_read_mostly, 0);
        (void)kiln::mem_get_info();
      },
      {"cuMemFree", "cuMemFreeHost", "cuMemHostUnregister"});
}

}  // namespace host_memory_test
