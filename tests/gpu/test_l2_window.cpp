// L2 windows on a device: what the driver says of the stream and of the limit, within the scope and after it.
#include "memory_kernels.hpp"
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace l2_window_test {

using kiln::DeviceBuffer;
using kiln::L2Window;
using kiln::Stream;
using kiln::test::driver_call;
using kiln::test::memory_kernels;

namespace {

std::size_t persisting_limit() {
  std::size_t limit = 0;
  driver_call<decltype(&::cuCtxGetLimit)>("cuCtxGetLimit", &limit, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
  return limit;
}

CUaccessPolicyWindow window_of(CUstream stream) {
  CUstreamAttrValue value = {};
  driver_call<decltype(&::cuStreamGetAttribute)>("cuStreamGetAttribute", stream,
                                                 CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value);
  return value.accessPolicyWindow;
}

std::size_t device_size(CUdevice_attribute attribute) {
  return static_cast<std::size_t>(std::max(0, kiln::Device::current().attribute(attribute)));
}

constexpr int count = 1 << 20;

}  // namespace

TEST_CASE("L2: a window is set while it lives, and everything is as before afterwards" *
          kiln::test::needs_persisting_l2()) {
  const Stream stream = Stream::non_blocking();
  const DeviceBuffer<int> buffer(std::vector<int>(count, 1));
  const DeviceBuffer<int> total(std::vector<int>{0});
  const DeviceBuffer<int> late(std::vector<int>{0});
  const std::size_t former = persisting_limit();
  const kiln::LaunchConfig config{1, 256, 0, stream};
  {
    kiln::L2WindowOptions options;
    options.hit_ratio = 0.75F;
    const L2Window window(stream, buffer, options);
    REQUIRE(window.active());
    CHECK(window.bytes() ==
          std::min(count * sizeof(int), device_size(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE)));
    const CUaccessPolicyWindow set = window_of(stream);
    CHECK(set.base_ptr == buffer.data());
    CHECK(set.num_bytes == window.bytes());
    CHECK(set.hitRatio == doctest::Approx(window.hit_ratio()));
    CHECK(set.hitProp == CU_ACCESS_PROPERTY_PERSISTING);
    CHECK(set.missProp == CU_ACCESS_PROPERTY_STREAMING);
    CHECK(persisting_limit() >= former);
    CHECK(persisting_limit() > 0);
    CHECK_THROWS_AS(L2Window(stream, buffer), kiln::ArgumentError);
    for (int i = 0; i < 3; ++i) memory_kernels().get_function("sum")(config, buffer, count, total);
    memory_kernels().get_function("late")(config, late, 5);
  }
  CHECK(stream.is_done());  // the end waits for the work in the stream
  CHECK(window_of(stream).num_bytes == 0);
  CHECK(persisting_limit() == former);
  CHECK(total.to_host().front() == 3 * count);
}

TEST_CASE("L2: everything is as before also when a launch throws" * kiln::test::needs_persisting_l2()) {
  const Stream stream;
  const DeviceBuffer<int> buffer(std::vector<int>(count, 1));
  const std::size_t former = persisting_limit();
  bool active = false;
  const auto launch_too_large = [&] {
    const L2Window window(stream, buffer);
    active = window.active() && window_of(stream).num_bytes != 0;
    memory_kernels().get_function("add")({1, 4096, 0, stream}, buffer, count, 1);
  };
  CHECK_THROWS_AS(launch_too_large(), kiln::Error);
  CHECK(active);
  CHECK(window_of(stream).num_bytes == 0);
  CHECK(persisting_limit() == former);
}

TEST_CASE("L2: a range beyond the device's sizes is clamped, and windows of several streams end in any order" *
          kiln::test::needs_persisting_l2()) {
  const std::size_t most = device_size(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
  const std::size_t largest = device_size(CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE);
  const DeviceBuffer<char> buffer(std::max(largest, most) + 4096);
  const Stream streams[2];
  const std::size_t former = persisting_limit();
  for (const int first_to_end : {0, 1}) {
    CAPTURE(first_to_end);
    std::optional<L2Window> windows[2];
    windows[0].emplace(streams[0], buffer.device_pointer(), most / 2);
    CHECK(windows[0]->hit_ratio() == 1);
    windows[1].emplace(streams[1], buffer.device_pointer(), buffer.size());
    CHECK(windows[1]->bytes() == largest);
    CHECK(windows[1]->hit_ratio() <= static_cast<float>(most - most / 2) / static_cast<float>(largest) + 0.001F);
    windows[first_to_end].reset();
    CHECK(window_of(streams[first_to_end]).num_bytes == 0);
    CHECK(window_of(streams[1 - first_to_end]).num_bytes != 0);
    windows[1 - first_to_end].reset();
    CHECK(persisting_limit() == former);
  }
}

TEST_CASE("L2: the legacy default stream has a window, or the driver's refusal leaves nothing behind" *
          kiln::test::needs_persisting_l2()) {
  const DeviceBuffer<int> buffer(std::vector<int>(count, 1));
  const std::size_t former = persisting_limit();
  try {
    const L2Window window(nullptr, buffer);
    CHECK(window_of(CU_STREAM_LEGACY).num_bytes == window.bytes());
    MESSAGE("the driver takes a window of the legacy default stream");
  } catch (const kiln::DriverError& error) {
    MESSAGE("the driver refuses: " << error.what());
  }
  CHECK(persisting_limit() == former);
}

TEST_CASE("L2: memory of another device is refused" * kiln::test::needs_two_devices_and_l2()) {
  const Stream stream;
  kiln::Device(1).make_current();
  const DeviceBuffer<int> far(std::vector<int>(count, 1));
  kiln::Device(0).make_current();
  CHECK_THROWS_AS(L2Window(stream, far), kiln::ArgumentError);
  CHECK(window_of(stream).num_bytes == 0);
}

}  // namespace l2_window_test
