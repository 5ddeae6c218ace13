#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/memcpy.hpp>
#include <kiln/stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace memcpy_test {

using kiln::DeviceBuffer;
using Numbers = std::vector<unsigned long long>;

namespace {

unsigned long long number(const void* pointer) { return reinterpret_cast<unsigned long long>(pointer); }

}  // namespace

TEST_CASE("bytes travel in every direction, and each call gets what it was given") {
  const std::vector<int> numbers = {1, 2, 3};
  DeviceBuffer<int> a(3);
  DeviceBuffer<int> b(3);
  std::vector<int> back(3);
  fake_cuda::reset();
  SUBCASE("with the host waiting") {
    kiln::memcpy_htod(a, numbers.data(), 12);
    kiln::memcpy_dtod(b, a, 12);
    kiln::memcpy_dtoh(back.data(), b.device_pointer(), 12);
    CHECK(fake_cuda::arguments("cuMemcpyDtoD") == std::vector<Numbers>{{b.device_pointer(), a.device_pointer(), 12}});
  }
  SUBCASE("containers") {
    kiln::memcpy_htod(a.data(), numbers);
    kiln::memcpy_dtod(b, a, 12);
    kiln::memcpy_dtoh(back, b);
  }
  SUBCASE("in a stream") {
    const kiln::Stream stream;
    const unsigned long long handle = number(stream.handle());
    kiln::memcpy_htod_async(a, numbers, stream);
    kiln::memcpy_dtod_async(b, a, 12, stream);
    kiln::memcpy_dtoh_async(back, b, stream);
    CHECK(fake_cuda::arguments("cuMemcpyHtoDAsync") ==
          std::vector<Numbers>{{a.device_pointer(), number(numbers.data()), 12, handle}});
    CHECK(fake_cuda::arguments("cuMemcpyDtoDAsync") ==
          std::vector<Numbers>{{b.device_pointer(), a.device_pointer(), 12, handle}});
    CHECK(fake_cuda::arguments("cuMemcpyDtoHAsync") ==
          std::vector<Numbers>{{number(back.data()), b.device_pointer(), 12, handle}});
    CHECK(fake_cuda::calls("cuStreamSynchronize") == 0);
  }
  CHECK(back == numbers);
}

TEST_CASE("a copy between devices names the contexts in which the memory lies, and enables nothing") {
  on_new_thread([] {
    kiln::Device(0).make_current();
    CUcontext first = nullptr;
    REQUIRE(cuCtxGetCurrent(&first) == CUDA_SUCCESS);
    const DeviceBuffer<int> a(std::vector<int>{4, 5});
    kiln::Device(1).make_current();
    CUcontext second = nullptr;
    REQUIRE(cuCtxGetCurrent(&second) == CUDA_SUCCESS);
    const kiln::Stream stream;
    const DeviceBuffer<int> b(2);
    const DeviceBuffer<int> pooled = DeviceBuffer<int>::on_stream(2, stream);
    fake_cuda::reset();
    kiln::memcpy_peer(b, a, 8);
    CHECK(b.to_host() == std::vector<int>{4, 5});
    CHECK(fake_cuda::arguments("cuMemcpyPeer") ==
          std::vector<Numbers>{{b.device_pointer(), number(second), a.device_pointer(), number(first), 8}});
    // Memory of a pool has no context of its own: its device's primary one does.
    kiln::memcpy_peer_async(pooled, a, 8, stream);
    CHECK(fake_cuda::arguments("cuMemcpyPeerAsync") ==
          std::vector<Numbers>{{pooled.device_pointer(), number(second), a.device_pointer(), number(first), 8,
                                number(stream.handle())}});
    CHECK(pooled.to_host() == std::vector<int>{4, 5});
  });
}

TEST_CASE("a copy without a stream is work of the memory's device, and one between devices of both") {
  on_new_thread([] {
    kiln::Device(1).make_current();
    DeviceBuffer<int> there(2);
    kiln::Device(0).make_current();
    DeviceBuffer<int> here(std::vector<int>{1, 2});
    fake_cuda::reset();
    CHECK(here.to_host() == std::vector<int>{1, 2});
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 0);
    there.copy_from(std::vector<int>{3, 4});
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 2);
    here.copy_from(there);
    CHECK(fake_cuda::calls("cuMemcpyPeer") == 1);
    CHECK(fake_cuda::calls("cuMemcpyDtoD") == 0);
    CHECK(here.to_host() == std::vector<int>{3, 4});
    CHECK(kiln::Device::current().ordinal() == 0);
  });
}

TEST_CASE("a stream of another device is served in that device's context, and the thread keeps its own") {
  on_new_thread([] {
    kiln::Device(1).make_current();
    const kiln::Stream stream;
    DeviceBuffer<int> buffer(2);
    kiln::Device(0).make_current();
    CUcontext before = nullptr;
    REQUIRE(cuCtxGetCurrent(&before) == CUDA_SUCCESS);
    const std::array<int, 2> host = {6, 7};
    fake_cuda::reset();
    buffer.copy_from(host, stream);
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 2);
    CUcontext after = nullptr;
    REQUIRE(cuCtxGetCurrent(&after) == CUDA_SUCCESS);
    CHECK(after == before);
    CHECK(buffer.to_host() == std::vector<int>{6, 7});
  });
}

TEST_CASE("nothing to copy never troubles the driver; null with something to copy is refused") {
  const kiln::Stream stream;
  DeviceBuffer<int> buffer(1);
  int host = 0;
  fake_cuda::reset();
  kiln::memcpy_htod(nullptr, nullptr, 0);
  kiln::memcpy_dtod_async(nullptr, nullptr, 0, stream);
  CHECK_THROWS_AS(kiln::memcpy_htod(nullptr, &host, 4), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_htod(buffer, nullptr, 4), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_htod_async(nullptr, &host, 4, stream), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_dtoh(nullptr, buffer, 4), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_dtoh_async(&host, nullptr, 4, stream), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_dtod(buffer, nullptr, 4), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_dtod_async(nullptr, buffer, 4, stream), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_peer(buffer, nullptr, 4), kiln::ArgumentError);
  CHECK_THROWS_AS(kiln::memcpy_peer_async(nullptr, buffer, 4, stream), kiln::ArgumentError);
  CHECK(fake_cuda::calls().empty());
}

TEST_CASE("a copy that fails says how much was to be copied") {
  DeviceBuffer<int> buffer(1);
  try {
    kiln::memcpy_htod(buffer, std::array<int, 2>{});
    FAIL("copied beyond the end");
  } catch (const kiln::DriverError& error) {
    CHECK(error.call() == "cuMemcpyHtoD");
    CHECK(std::string(error.what()).find("for 8 bytes") != std::string::npos);
  }
}

TEST_CASE("each call of each copy fails in turn") {
  const std::vector<int> numbers = {1, 2};
  std::vector<int> back(2);
  kiln::Stream stream;
  each_call_fails(
      [&] {
        const DeviceBuffer<int> a(2);
        const DeviceBuffer<int> b(2);
        kiln::memcpy_htod(a, numbers);
        kiln::memcpy_htod_async(a, numbers, stream);
        kiln::memcpy_dtod(b, a, 8);
        kiln::memcpy_dtod_async(b, a, 8, stream);
        kiln::memcpy_peer(b, a, 8);
        kiln::memcpy_peer_async(b, a, 8, stream);
        kiln::memcpy_dtoh(back, a);
        kiln::memcpy_dtoh_async(back, a, stream);
      },
      {"cuMemFree", "cuPointerGetAttribute"});
}

}  // namespace memcpy_test
