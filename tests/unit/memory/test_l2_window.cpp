#include "each_call_fails.hpp"
#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/device_buffer.hpp>
#include <kiln/error.hpp>
#include <kiln/l2_window.hpp>
#include <kiln/stream.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace l2_window_test {

using kiln::DeviceBuffer;
using kiln::L2Window;
using kiln::Stream;

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;
constexpr int usual_set_aside = 30 << 20;
constexpr int usual_window = 128 << 20;

CUaccessPolicyWindow window_of(CUstream stream) {
  CUstreamAttrValue value = {};
  REQUIRE(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value) == CUDA_SUCCESS);
  return value.accessPolicyWindow;
}

// Puts the fake device's cache back.
struct Cache {
  Cache(int set_aside, int window) { fake_cuda::set_l2(set_aside, window); }
  ~Cache() { fake_cuda::set_l2(usual_set_aside, usual_window); }
};

kiln::L2WindowOptions ratio(float hit_ratio) {
  kiln::L2WindowOptions options;
  options.hit_ratio = hit_ratio;
  return options;
}

}  // namespace

TEST_CASE("a window is set with the limit raised, and both are as before when it ends") {
  const Stream stream;
  const DeviceBuffer<char> buffer(4 * mebi);
  const std::size_t former = fake_cuda::persisting_l2_limit();
  {
    const L2Window window(stream, buffer, ratio(0.5F));
    CHECK(window.active());
    CHECK(window.bytes() == 4 * mebi);
    CHECK(window.hit_ratio() == 0.5F);
    CHECK(fake_cuda::persisting_l2_limit() == 2 * mebi);
    const CUaccessPolicyWindow set = window_of(stream);
    CHECK(set.base_ptr == buffer.data());
    CHECK(set.num_bytes == 4 * mebi);
    CHECK(set.hitRatio == 0.5F);
    CHECK(set.hitProp == CU_ACCESS_PROPERTY_PERSISTING);
    CHECK(set.missProp == CU_ACCESS_PROPERTY_STREAMING);
    fake_cuda::reset();
  }
  CHECK(fake_cuda::persisting_l2_limit() == former);
  CHECK(window_of(stream).num_bytes == 0);
  // The lines stay while the stream's work uses them.
  const std::vector<std::string> calls = fake_cuda::calls();
  const auto waited = std::find(calls.begin(), calls.end(), "cuStreamSynchronize");
  const auto reset = std::find(calls.begin(), calls.end(), "cuCtxResetPersistingL2Cache");
  CHECK(waited < reset);
  CHECK(reset != calls.end());
}

TEST_CASE("everything is as before also when a launch throws") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  try {
    const L2Window window(stream, buffer);
    CHECK(fake_cuda::persisting_l2_limit() == mebi);
    throw std::runtime_error("a launch");
  } catch (const std::runtime_error&) {
  }
  CHECK(fake_cuda::persisting_l2_limit() == 0);
  CHECK(window_of(stream).num_bytes == 0);
}

TEST_CASE("range and ratio are clamped to the device") {
  const Cache cache(4 << 20, 16 << 20);
  const Stream stream;
  const DeviceBuffer<char> buffer(32 * mebi);
  const L2Window window(stream, buffer);
  CHECK(window.bytes() == 16 * mebi);
  CHECK(window.hit_ratio() == 0.25F);
  CHECK(fake_cuda::persisting_l2_limit() == 4 * mebi);
}

TEST_CASE("a device that sets nothing aside, and an empty range, have no window") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  {
    const Cache cache(0, 0);
    fake_cuda::reset();
    const L2Window window(stream, buffer);
    CHECK_FALSE(window.active());
  }
  const L2Window empty(stream, nullptr, 0);
  CHECK_FALSE(empty.active());
  CHECK(fake_cuda::calls("cuCtxSetLimit") + fake_cuda::calls("cuStreamSetAttribute") +
            fake_cuda::calls("cuStreamSynchronize") ==
        0);
}

TEST_CASE("a second window on a stream is refused, and the first stays") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  {
    const L2Window first(stream, buffer);
    CHECK_THROWS_AS(L2Window(stream, buffer), kiln::ArgumentError);
    CHECK_THROWS_AS(L2Window(stream.handle(), buffer), kiln::ArgumentError);
    CHECK(window_of(stream).num_bytes == mebi);
    CHECK(fake_cuda::persisting_l2_limit() == mebi);
  }
  const L2Window again(stream, buffer);
  CHECK(again.active());
}

TEST_CASE("windows on several streams share what there is, and end in any order") {
  const DeviceBuffer<char> buffer(20 * mebi);
  const Stream streams[3];
  REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, mebi) == CUDA_SUCCESS);
  std::vector<int> order = {0, 1, 2};
  do {
    std::optional<L2Window> windows[3];
    windows[0].emplace(streams[0], buffer.device_pointer(), 20 * mebi);
    windows[1].emplace(streams[1], buffer.device_pointer(), 20 * mebi);
    windows[2].emplace(streams[2], buffer.device_pointer(), 20 * mebi);
    CHECK(windows[0]->hit_ratio() == 1);
    CHECK(windows[1]->hit_ratio() == 0.5F);
    CHECK(windows[2]->hit_ratio() == 0);
    CHECK(fake_cuda::persisting_l2_limit() == 30 * mebi);
    std::size_t left = 30 * mebi;
    const std::size_t shares[3] = {20 * mebi, 10 * mebi, 0};
    for (const int which : order) {
      windows[which].reset();
      left -= shares[which];
      CHECK(fake_cuda::persisting_l2_limit() == std::max(left, mebi));
    }
  } while (std::next_permutation(order.begin(), order.end()));
  REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0) == CUDA_SUCCESS);
}

TEST_CASE("devices have limits of their own") {
  on_new_thread([] {
    kiln::Device(0).make_current();
    const Stream first;
    const DeviceBuffer<char> there(mebi);
    kiln::Device(1).make_current();
    const Stream second;
    const DeviceBuffer<char> here(2 * mebi);
    auto window = std::make_unique<L2Window>(first, there);  // of the device that is not current
    CHECK(fake_cuda::persisting_l2_limit() == 0);
    {
      const L2Window other(second, here);
      CHECK(fake_cuda::persisting_l2_limit() == 2 * mebi);
      CHECK_THROWS_AS(L2Window(Stream(), there), kiln::ArgumentError);
    }
    CHECK(fake_cuda::persisting_l2_limit() == 0);
    window.reset();
    CHECK(kiln::Device::current().ordinal() == 1);
    kiln::Device(0).make_current();
    CHECK(fake_cuda::persisting_l2_limit() == 0);
  });
}

TEST_CASE("a window whose context cannot be had any more leaves another context's limit alone") {
  on_new_thread([] {
    kiln::Device(0).make_current();
    const Stream first;
    const DeviceBuffer<char> there(mebi);
    auto window = std::make_unique<L2Window>(first, there);
    kiln::Device(1).make_current();
    REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 3 * mebi) == CUDA_SUCCESS);
    fake_cuda::fail("cuCtxSetCurrent", CUDA_ERROR_CONTEXT_IS_DESTROYED, 0, 100);
    window.reset();
    fake_cuda::reset();
    CHECK(fake_cuda::persisting_l2_limit() == 3 * mebi);
    REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0) == CUDA_SUCCESS);
    kiln::Device(0).make_current();
    REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0) == CUDA_SUCCESS);
  });
}

TEST_CASE("misuse is refused before the driver is asked for a window") {
  Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  fake_cuda::reset();
  CHECK_THROWS_AS(L2Window(stream, nullptr, 1), kiln::ArgumentError);
  CHECK_THROWS_AS(L2Window(stream, buffer, ratio(1.5F)), kiln::ArgumentError);
  CHECK_THROWS_AS(L2Window(stream, buffer, ratio(-0.5F)), kiln::ArgumentError);
  CHECK_THROWS_AS(L2Window(stream, buffer, ratio(std::numeric_limits<float>::quiet_NaN())), kiln::ArgumentError);
  kiln::L2WindowOptions options;
  options.miss = kiln::AccessProperty::persisting;
  CHECK_THROWS_AS(L2Window(stream, buffer, options), kiln::ArgumentError);
  CHECK_THROWS_AS(L2Window(CU_STREAM_PER_THREAD, buffer), kiln::ArgumentError);
  const Stream moved(std::move(stream));
  CHECK_THROWS_AS(L2Window(stream, buffer), kiln::ArgumentError);  // NOLINT(bugprone-use-after-move)
  CHECK(fake_cuda::calls("cuCtxSetLimit") + fake_cuda::calls("cuStreamSetAttribute") == 0);
}

TEST_CASE("the legacy default stream has a window too") {
  const DeviceBuffer<char> buffer(mebi);
  {
    const L2Window window(nullptr, buffer);
    CHECK(window_of(nullptr).num_bytes == mebi);
    CHECK_THROWS_AS(L2Window(CU_STREAM_LEGACY, buffer), kiln::ArgumentError);
  }
  CHECK(window_of(nullptr).num_bytes == 0);
}

TEST_CASE("the end of a window does not wait for a stream that is being captured") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  auto window = std::make_unique<L2Window>(stream, buffer);
  fake_cuda::set_capturing(stream.handle(), true);
  fake_cuda::reset();
  SUBCASE("itself") {}
  SUBCASE("by what is said of the legacy stream") {
    fake_cuda::set_capturing(stream.handle(), false);
    fake_cuda::fail("cuStreamIsCapturing", CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  }
  window.reset();
  CHECK(fake_cuda::calls("cuStreamSynchronize") == 0);
  CHECK(fake_cuda::persisting_l2_limit() == 0);
}

TEST_CASE("a window keeps its kiln::Stream") {
  const DeviceBuffer<char> buffer(mebi);
  const std::size_t before = fake_cuda::live_streams();
  {
    std::optional<Stream> stream(std::in_place);
    const L2Window window(*stream, buffer);
    stream.reset();
    CHECK(fake_cuda::live_streams() == before + 1);
  }
  CHECK(fake_cuda::live_streams() == before);
}

TEST_CASE("the end of a window bears every failure, and the stream may have another") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  for (const char* name : {"cuCtxGetCurrent", "cuStreamIsCapturing", "cuStreamSynchronize", "cuStreamSetAttribute",
                           "cuCtxResetPersistingL2Cache", "cuCtxSetLimit"}) {
    CAPTURE(name);
    auto window = std::make_unique<L2Window>(stream, buffer);
    fake_cuda::reset();
    fake_cuda::fail(name, CUDA_ERROR_ILLEGAL_ADDRESS);
    window.reset();
    CHECK(fake_cuda::calls(name) >= 1);
    REQUIRE(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0) == CUDA_SUCCESS);
    const L2Window another(stream, buffer);
    CHECK(another.active());
  }
  fake_cuda::reset();
}

TEST_CASE("each call of a window's beginning fails in turn, and leaves limit and stream as they were") {
  const Stream stream;
  const DeviceBuffer<char> buffer(mebi);
  auto window = std::make_unique<L2Window>(stream, buffer);
  window.reset();
  fake_cuda::reset();
  window = std::make_unique<L2Window>(stream, buffer);
  const std::vector<std::string> calls = fake_cuda::calls();
  window.reset();
  for (const std::string& name : calls) {
    if (name == "cuPointerGetAttribute") continue;  // a range that the driver does not know is left to it
    CAPTURE(name);
    for (std::size_t skip = 0; skip < static_cast<std::size_t>(std::count(calls.begin(), calls.end(), name)); ++skip) {
      fake_cuda::reset();
      fake_cuda::fail(name, CUDA_ERROR_LAUNCH_FAILED, skip);
      CHECK_THROWS_AS(L2Window(stream, buffer), kiln::DriverError);
      CHECK(fake_cuda::persisting_l2_limit() == 0);
      CHECK(window_of(stream).num_bytes == 0);
    }
  }
  fake_cuda::reset();
  const L2Window after(stream, buffer);
  CHECK(after.active());
}

}  // namespace l2_window_test
