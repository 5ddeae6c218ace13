#include "fake_cuda.hpp"
#include "on_new_thread.hpp"

#include <kiln/device.hpp>
#include <kiln/error.hpp>

#include <cuda.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

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

TEST_CASE("attributes have names without cuda.h, and a table") {
  fake_cuda::reset();
  const Device device(1);
  CHECK(device.attribute(kiln::DeviceAttribute::warp_size) == 32);
  const std::map<std::string, int> all = device.attributes();
  CHECK(all.at("warp_size") == 32);
  CHECK(all.at("compute_capability_major") == 8);
  CHECK(all.at("multiprocessor_count") == 132);
  // The fake driver knows those of its cuda.h.
  CHECK(all.size() == std::min(static_cast<int>(CU_DEVICE_ATTRIBUTE_MAX) - 1, 161));
}

TEST_CASE("a table without what the driver does not know, but not without what fails") {
  fake_cuda::reset();
  fake_cuda::fail("cuDeviceGetAttribute", CUDA_ERROR_INVALID_VALUE);
  const std::map<std::string, int> all = Device(0).attributes();
  CHECK(all.count("max_threads_per_block") == 0);
  CHECK(all.count("max_block_dim_x") == 1);
  fake_cuda::fail("cuDeviceGetAttribute", CUDA_ERROR_NOT_INITIALIZED, 3);
  CHECK_THROWS_AS((void)Device(0).attributes(), kiln::DriverError);
}

TEST_CASE("where a device is, and which") {
  CHECK(Device(0).uuid() == "00010203-0405-0607-0809-0a0b0c0d0e0f");
  CHECK(Device(1).uuid() == "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
  CHECK(Device(1).pci_bus_id() == "0000:1B:01.0");
  for (const char* call : {"cuDeviceGetUuid", "cuDeviceGetPCIBusId"}) {
    fake_cuda::fail(call, CUDA_ERROR_NOT_SUPPORTED);
    CHECK_THROWS_AS((std::string(call) == "cuDeviceGetUuid" ? Device(0).uuid() : Device(0).pci_bus_id()),
                    kiln::DriverError);
  }
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
