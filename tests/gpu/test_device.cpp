// What a device and a function say of themselves, by the names that need no cuda.h.
#include "gpu_only.hpp"
#include "needs.hpp"
#include "raw_driver.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <map>
#include <string>

namespace device_test {

using kiln::Device;
using kiln::DeviceAttribute;

TEST_CASE("a device's attributes by name are the driver's by number") {
  const Device device = Device::current();
  CHECK(device.attribute(DeviceAttribute::warp_size) == 32);
  CHECK(device.attribute(DeviceAttribute::compute_capability_major) == device.compute_capability().first);
  const std::map<std::string, int> all = device.attributes();
  CHECK(all.size() > 100);
  CHECK(all.at("warp_size") == 32);
  CHECK(all.at("max_threads_per_block") == device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  CHECK(all.at("multiprocessor_count") == device.attribute(DeviceAttribute::multiprocessor_count));
  CHECK(all.at("multiprocessor_count") > 0);
}

TEST_CASE("a device says which it is and where") {
  const Device device = Device::current();
  const std::string uuid = device.uuid();
  REQUIRE(uuid.size() == 36);
  CHECK(uuid.find_first_not_of("0123456789abcdef-") == std::string::npos);
  for (const std::size_t dash : {8, 13, 18, 23}) CHECK(uuid[dash] == '-');
  int same = -1;
  kiln::test::driver_call<decltype(&::cuDeviceGetByPCIBusId)>("cuDeviceGetByPCIBusId", &same,
                                                              device.pci_bus_id().c_str());
  CHECK(same == device.ordinal());
}

TEST_CASE("two devices: each has a name and a place of its own" * kiln::test::needs_two_devices()) {
  CHECK(Device(0).uuid() != Device(1).uuid());
  CHECK(Device(0).pci_bus_id() != Device(1).pci_bus_id());
}

TEST_CASE("a function's attributes are a table, too") {
  const kiln::SourceModule module(R"(
extern "C" __global__ void shares(int* out) {
  __shared__ int own[100];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = own[31 - threadIdx.x];
})");
  const kiln::Function shares = module.get_function("shares");
  const std::map<std::string, int> all = shares.attributes();
  CHECK(all.at("shared_size_bytes") == 400);
  CHECK(all.at("max_threads_per_block") == shares.max_threads_per_block());
  CHECK(all.at("binary_version") == shares.binary_version());
  CHECK((all.count("num_regs") == 0) == kiln::test::on_emulator());
}

}  // namespace device_test
