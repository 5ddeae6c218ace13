// Virtual memory through the driver's calls: reserved ranges, mappings, access, aliases, and what is refused.
#include "own_process.hpp"
#include "provider_calls.hpp"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <numeric>

namespace provider_virtual_memory_test {

// Of the emulator alone.
extern "C" const char* kiln_driver_message();

namespace {

using namespace kiln::emulator::test;

constexpr std::size_t unit = 2 << 20;

CUmemAllocationProp properties(int device = 0) {
  CUmemAllocationProp made{};
  made.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  made.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  made.location.id = device;
  return made;
}

CUmemGenericAllocationHandle create(std::size_t size = unit) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp wanted = properties();
  REQUIRE_OK(cuMemCreate(&handle, size, &wanted, 0));
  return handle;
}

CUresult allow(CUdeviceptr at, std::size_t size, CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
               int device = 0) {
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = flags;
  return cuMemSetAccess(at, size, &access, 1);
}

CUdeviceptr reserve(std::size_t size, CUdeviceptr wanted = 0) {
  CUdeviceptr range = 0;
  REQUIRE_OK(cuInit(0));
  REQUIRE_OK(cuMemAddressReserve(&range, size, 0, wanted, 0));
  return range;
}

unsigned value_at(CUdeviceptr at) {
  unsigned value = 0;
  CHECK_OK(cuMemcpyDtoH(&value, at, 4));
  return value;
}

bool says(const std::string& text) {
  const std::string message = kiln_driver_message();
  CAPTURE(message);
  const bool found = message.find(text) != std::string::npos;
  CHECK(found);
  return found;
}

template <class T>
T attribute(CUpointer_attribute which, CUdeviceptr at) {
  T value{};
  CHECK_OK(cuPointerGetAttribute(&value, which, at));
  return value;
}

std::size_t free_memory() {
  std::size_t left = 0, total = 0;
  REQUIRE_OK(cuMemGetInfo(&left, &total));
  return left;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// A range of some units; what is mapped into it goes with it. It is of no context: one whose kernel fails goes first.
class Range {
 public:
  explicit Range(std::size_t units, CUdeviceptr wanted = 0) : size(units * unit), base(reserve(size, wanted)) {}
  ~Range() {
    for (std::size_t at = 0; at < size; at += unit) (void)cuMemUnmap(base + at, unit);
    CHECK_OK(cuMemAddressFree(base, size));
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  /// Maps a new block, whose handle is released, at a place by units.
  void fill(std::size_t place) const {
    const CUmemGenericAllocationHandle handle = create();
    CHECK_OK(cuMemMap(base + place * unit, unit, 0, handle, 0));
    CHECK_OK(cuMemRelease(handle));
  }

  const std::size_t size;
  const CUdeviceptr base;
};

}  // namespace

TEST_CASE("virtual memory: the device has it, and its granularity is 2 MiB") {
  const Device device;
  int has = 0;
  CHECK_OK(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK(has == 1);
  const CUmemAllocationProp wanted = properties();
  for (const auto option : {CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    std::size_t granularity = 0;
    CHECK_OK(cuMemGetAllocationGranularity(&granularity, &wanted, option));
    CHECK(granularity == unit);
  }
}

TEST_CASE("virtual memory: kernels, copies and fills go across mappings that lie side by side") {
  const Device device;
  const Range range(3);
  range.fill(0);
  range.fill(1);
  REQUIRE_OK(allow(range.base, 2 * unit));
  const CUdeviceptr middle = range.base + unit - 64;
  std::vector<float> numbers(32);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  CHECK_OK(cuMemcpyHtoD(middle, numbers.data(), 128));
  CHECK_OK(launch(device.function("vector_add"), 1, 32, nullptr, middle, middle, middle, 32));
  std::vector<float> sums(32);
  CHECK_OK(cuMemcpyDtoH(sums.data(), middle, 128));
  for (unsigned i = 0; i < 32; ++i) CHECK(sums[i] == 2.0f * static_cast<float>(i));
  CHECK_OK(cuMemsetD32(middle, 7, 32));
  CHECK(value_at(range.base + unit) == 7);
  CHECK(cuMemsetD8(range.base + 2 * unit - 1, 0, 2) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("virtual memory: a handle that is mapped twice shows the same bytes, also after it is released") {
  const Device device;
  const Range range(4);
  const CUmemGenericAllocationHandle handle = create();
  CHECK_OK(cuMemMap(range.base, unit, 0, handle, 0));
  CHECK_OK(cuMemMap(range.base + 2 * unit, unit, 0, handle, 0));
  CHECK_OK(cuMemRelease(handle));
  CHECK(cuMemRelease(handle) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(allow(range.base, unit));
  CHECK_OK(allow(range.base + 2 * unit, unit));
  CHECK_OK(cuMemsetD32(range.base, 0, 16));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base + 2 * unit));
  CHECK(value_at(range.base) == 1);
  // To another place, with what is in it.
  CUmemGenericAllocationHandle again = 0;
  CHECK_OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(range.base + 100)));
  CHECK(again == handle);
  CHECK_OK(cuMemUnmap(range.base, unit));
  CHECK_OK(cuMemUnmap(range.base + 2 * unit, unit));
  CHECK_OK(cuMemMap(range.base + unit, unit, 0, again, 0));
  CHECK_OK(allow(range.base + unit, unit));
  CHECK(value_at(range.base + unit) == 1);
  CHECK_OK(cuMemRelease(again));
}

TEST_CASE("virtual memory: a growing vector, whose range is continued where it ends") {
  const Device device;
  const Range first(1);
  const CUdeviceptr end = first.base + first.size;
  const Range second(2, end);
  REQUIRE(second.base == end);
  first.fill(0);
  second.fill(0);
  CHECK_OK(allow(first.base, 2 * unit));
  CHECK_OK(cuMemsetD8(first.base, 1, 2 * unit));
  // A wanted place that is taken is no error.
  const Range third(1, first.base);
  CHECK(third.base != first.base);
}

TEST_CASE("virtual memory: what cuMemCreate took is not free until handle and mappings are gone") {
  const Device device;
  const std::size_t before = free_memory();
  const CUmemGenericAllocationHandle handle = create(4 * unit);
  CHECK(free_memory() == before - 4 * unit);
  const CUdeviceptr range = reserve(4 * unit);
  CHECK(free_memory() == before - 4 * unit);
  CHECK_OK(cuMemMap(range, 4 * unit, 0, handle, 0));
  CHECK_OK(cuMemRelease(handle));
  CHECK(free_memory() == before - 4 * unit);
  CHECK_OK(cuMemUnmap(range, 4 * unit));
  CHECK(free_memory() == before);
  CHECK_OK(cuMemAddressFree(range, 4 * unit));
  CUmemGenericAllocationHandle none = 0;
  const CUmemAllocationProp wanted = properties();
  CHECK(cuMemCreate(&none, std::size_t{1} << 50, &wanted, 0) == CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("virtual memory: thousands of mappings leave no descriptor open, and new memory is of zeros") {
  const Device device;
  {
    const Range first(1);
    first.fill(0);
  }  // opens what is opened once
  const std::size_t before = open_descriptors();
  const std::size_t left = free_memory();
  for (int round = 0; round < 50; ++round) {
    const Range range(16);
    for (unsigned place = 0; place < 16; ++place) range.fill(place);
    REQUIRE_OK(allow(range.base, range.size));
    CHECK(open_descriptors() == before);
    CHECK(value_at(range.base + unit * 7) == 0);
    CHECK_OK(cuMemsetD32(range.base + unit * 7, 5, 1));
  }
  CHECK(open_descriptors() == before);
  CHECK(free_memory() == left);
}

TEST_CASE("virtual memory: a kernel whose access lacks a mapping is reported") {
  if (!is_own_process()) return;
  const Range range(2);
  const Device device;
  range.fill(0);
  CHECK_OK(allow(range.base, unit));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base + unit + 16));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  says("which is reserved, but nothing is mapped there, 2097168 bytes into the reserved range of 4194304 bytes at 0x");
}

TEST_CASE("virtual memory: one that lacks any access") {
  if (!is_own_process()) return;
  const Range range(1);
  const Device device;
  range.fill(0);
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base + 16));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  says("which is mapped, but cuMemSetAccess has not allowed any access, 16 bytes into the mapping of 2097152 bytes");
}

TEST_CASE("virtual memory: one that lacks access for writes") {
  if (!is_own_process()) return;
  const Range range(1);
  const Device device;
  range.fill(0);
  CHECK_OK(allow(range.base, unit, CU_MEM_ACCESS_FLAGS_PROT_READ));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  says("which is mapped, but cuMemSetAccess has allowed only reads, 0 bytes into the mapping");
}

TEST_CASE("virtual memory: one to what was unmapped") {
  if (!is_own_process()) return;
  const Range range(1);
  const Device device;
  range.fill(0);
  CHECK_OK(allow(range.base, unit));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base));
  CHECK_OK(cuMemUnmap(range.base, unit));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range.base));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  says("which is reserved, but nothing is mapped there");
}

TEST_CASE("virtual memory: one to a range that was freed") {
  if (!is_own_process()) return;
  const Device device;
  const CUdeviceptr range = reserve(unit);
  CHECK_OK(cuMemAddressFree(range, unit));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, range + 8));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  says("in freed memory: 8 bytes into the reserved range of 2097152 bytes");
}

TEST_CASE("virtual memory: copies and fills need a mapping, and access") {
  const Device device;
  const Range range(2);
  unsigned host = 0;
  CHECK(cuMemcpyHtoD(range.base, &host, 4) == CUDA_ERROR_INVALID_VALUE);
  says("reserved, but nothing is mapped there");
  CHECK(cuMemcpy(range.base, reinterpret_cast<CUdeviceptr>(&host), 4) == CUDA_ERROR_INVALID_VALUE);
  range.fill(0);
  range.fill(1);
  CHECK(cuMemsetD8(range.base, 0, 4) == CUDA_ERROR_INVALID_VALUE);
  says("mapped, but cuMemSetAccess has not allowed any access");
  CHECK_OK(allow(range.base, unit));
  CHECK_OK(allow(range.base + unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READ));
  CHECK(cuMemsetD8(range.base, 0, unit + 1) == CUDA_ERROR_INVALID_VALUE);
  says("mapped, but cuMemSetAccess has allowed only reads");
  CHECK(cuMemcpyHtoD(range.base + unit - 2, &host, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemcpyDtoH(&host, range.base + unit - 2, 4));
  CHECK_OK(allow(range.base, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  CHECK(cuMemcpyDtoH(&host, range.base, 4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("virtual memory: what is known of an address, a handle and an access") {
  const Device device;
  const Range range(3);
  const CUdeviceptr at = range.base + unit + 12;
  CHECK(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MAPPED, at) == 0);
  CHECK(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) == range.base);
  CHECK(attribute<std::size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, at) == range.size);
  int ordinal = -1;
  CHECK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at) == CUDA_ERROR_INVALID_VALUE);
  range.fill(1);
  CHECK(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MAPPED, at) == 1);
  CHECK(attribute<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, at) == nullptr);
  CHECK(attribute<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at) == 0);
  CHECK(attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at) == CU_MEMORYTYPE_DEVICE);
  CHECK(attribute<unsigned>(CU_POINTER_ATTRIBUTE_IS_MANAGED, at) == 0);
  CHECK(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) == range.base);
  CHECK(attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, at) == range.base + unit);
  CHECK(attribute<std::size_t>(CU_POINTER_ATTRIBUTE_MAPPING_SIZE, at) == unit);
  CHECK(attribute<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, at) == CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  CHECK_OK(cuMemGetAddressRange(&base, &size, at));
  CHECK(base == range.base + unit);
  CHECK(size == unit);
  CHECK(cuMemGetAddressRange(&base, &size, range.base) == CUDA_ERROR_NOT_FOUND);

  CHECK_OK(allow(range.base + unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READ, 1));
  unsigned long long flags = 9;
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CHECK_OK(cuMemGetAccess(&flags, &location, at));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  location.id = 1;
  CHECK_OK(cuMemGetAccess(&flags, &location, at));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READ);
  CHECK(cuMemGetAccess(&flags, &location, range.base) == CUDA_ERROR_INVALID_VALUE);

  CUmemGenericAllocationHandle handle = 0;
  CHECK_OK(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(at)));
  CUmemAllocationProp found{};
  CHECK_OK(cuMemGetAllocationPropertiesFromHandle(&found, handle));
  CHECK(found.type == CU_MEM_ALLOCATION_TYPE_PINNED);
  CHECK(found.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
  CHECK(found.location.id == 0);
  CHECK_OK(cuMemRelease(handle));
  CHECK(cuMemGetAllocationPropertiesFromHandle(&found, handle) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(range.base)) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("virtual memory: sizes, addresses and ranges that are refused") {
  const Device device;
  const CUmemAllocationProp wanted = properties();
  CUdeviceptr none = 0;
  CUmemGenericAllocationHandle handle = 0;
  CHECK(cuMemAddressReserve(&none, 100, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&none, unit, 3, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&none, unit, 0, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&none, std::size_t{1} << 60, 0, 0, 0) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(cuMemCreate(&handle, unit + 4096, &wanted, 0) == CUDA_ERROR_INVALID_VALUE);
  says("no multiple of the granularity, 2097152");
  CHECK(cuMemCreate(&handle, 0, &wanted, 0) == CUDA_ERROR_INVALID_VALUE);
  const CUmemAllocationProp no_device = properties(77);
  CHECK(cuMemCreate(&handle, unit, &no_device, 0) == CUDA_ERROR_INVALID_DEVICE);

  const Range range(4);
  handle = create(2 * unit);
  CHECK(cuMemMap(range.base + 4096, unit, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(range.base, 4096, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(range.base, unit, unit, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(range.base, 3 * unit, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(range.base + 3 * unit, 2 * unit, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(range.base, unit, 0, handle + 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(range.base, unit, nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(allow(range.base, unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemMap(range.base + unit, 2 * unit, 0, handle, 0));
  CHECK(cuMemMap(range.base, 2 * unit, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  says("something is mapped already");
  CHECK(cuMemMap(range.base + 2 * unit, 2 * unit, 0, handle, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(allow(range.base, 2 * unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(allow(range.base + unit, unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(range.base + unit, unit) == CUDA_ERROR_INVALID_VALUE);
  says("not one or more whole mappings");
  CHECK(cuMemUnmap(range.base, 3 * unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressFree(range.base, range.size) == CUDA_ERROR_INVALID_VALUE);
  says("still has a mapping");
  CHECK(cuMemAddressFree(range.base, unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(range.base + unit) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemUnmap(range.base + unit, 2 * unit));
  CHECK_OK(cuMemRelease(handle));
}

TEST_CASE("virtual memory: one call unmaps several whole mappings") {
  const Device device;
  const std::size_t before = free_memory();
  const CUdeviceptr range = reserve(3 * unit);
  for (unsigned place = 0; place < 3; ++place) {
    const CUmemGenericAllocationHandle handle = create();
    CHECK_OK(cuMemMap(range + place * unit, unit, 0, handle, 0));
    CHECK_OK(cuMemRelease(handle));
  }
  CHECK_OK(cuMemUnmap(range, 3 * unit));
  CHECK(free_memory() == before);
  CHECK_OK(cuMemAddressFree(range, 3 * unit));
}

TEST_CASE("virtual memory: what other processes and devices would need is refused by name") {
  const Device device;
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp wanted = properties();
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  CHECK(cuMemCreate(&handle, unit, &wanted, 0) == CUDA_ERROR_NOT_SUPPORTED);
  // Programs ask for it and export nothing.
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  REQUIRE_OK(cuMemCreate(&handle, unit, &wanted, 0));
  int file = -1;
  CHECK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
        CUDA_ERROR_NOT_SUPPORTED);
  says("cuMemExportToShareableHandle is not supported");
  CHECK_OK(cuMemRelease(handle));
  const CUmulticastObjectProp object{};
  CHECK(cuMulticastCreate(&handle, &object) == CUDA_ERROR_NOT_SUPPORTED);
  says("cuMulticastCreate is not supported");
}

}  // namespace provider_virtual_memory_test
