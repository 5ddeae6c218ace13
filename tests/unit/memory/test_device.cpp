#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

namespace device_test {

using kiln::Device;

TEST_CASE("a device tells what it is") {
  const Device device(1);
  CHECK(Device::count() == 2);
  CHECK(device.ordinal() == 1);
  CHECK(static_cast<CUdevice>(device) == 1);
  CHECK(device.name() == "Fake GPU 1");
  CHECK(device.compute_capability() == std::pair(8, 0));
  CHECK(device.arch() == "sm_80");
  CHECK(device.total_memory() == std::size_t{8} << 30);
  CHECK(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 32);
}

TEST_CASE("there is no such device") {
  for (const int ordinal : {-1, 2}) {
    try {
      (void)Device(ordinal);
      FAIL("accepted");
    } catch (const kiln::ArgumentError& error) {
      CHECK(error.expected() == "0 to 1");
      CHECK(error.given() == std::to_string(ordinal));
    }
  }
}

TEST_CASE("asking for the current device makes no context") {
  on_new_thread([] {
    fake_cuda::reset();
    CHECK(Device::current().ordinal() == 0);
    CHECK(fake_cuda::calls("cuCtxSetCurrent") == 0);
  });
}

TEST_CASE("a failed query throws") {
  fake_cuda::reset();
  fake_cuda::fail("cuDeviceGetAttribute", CUDA_ERROR_INVALID_VALUE);
  CHECK_THROWS_AS((void)Device(0).attribute(12345), kiln::DriverError);
}

}  // namespace device_test
