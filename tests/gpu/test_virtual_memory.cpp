// The driver's virtual memory calls beside Kiln's kernels: a vector that grows in place, and memory at two addresses.
#include <cuda.h>
#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstddef>
#include <vector>

namespace virtual_memory_gpu_test {

namespace {

const char* const source = R"(
extern "C" __global__ void fill(unsigned* values, unsigned long long count, unsigned first) {
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] = first + i;
}
extern "C" __global__ void add(unsigned* values, unsigned long long count, unsigned term) {
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    values[i] += term;
}
)";

void check(CUresult result) { REQUIRE(result == CUDA_SUCCESS); }

CUmemAllocationProp on_device_0() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = 0;
  return properties;
}

std::size_t granularity() {
  std::size_t size = 0;
  const CUmemAllocationProp properties = on_device_0();
  check(KILN_DRIVER_FUNCTION(cuMemGetAllocationGranularity)(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  return size;
}

CUmemGenericAllocationHandle create(std::size_t size) {
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp properties = on_device_0();
  check(KILN_DRIVER_FUNCTION(cuMemCreate)(&handle, size, &properties, 0));
  return handle;
}

CUresult allow(CUdeviceptr at, std::size_t size) {
  CUmemAccessDesc access{};
  access.location = on_device_0().location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return KILN_DRIVER_FUNCTION(cuMemSetAccess)(at, size, &access, 1);
}

void map(CUdeviceptr at, std::size_t size, CUmemGenericAllocationHandle handle) {
  check(KILN_DRIVER_FUNCTION(cuMemMap)(at, size, 0, handle, 0));
}

void unmap(CUdeviceptr at, std::size_t size) { check(KILN_DRIVER_FUNCTION(cuMemUnmap)(at, size)); }

CUdeviceptr reserve(std::size_t size) {
  CUdeviceptr range = 0;
  check(KILN_DRIVER_FUNCTION(cuMemAddressReserve)(&range, size, 0, 0, 0));
  return range;
}

unsigned value(CUdeviceptr at) {
  unsigned read = 0;
  check(KILN_DRIVER_FUNCTION(cuMemcpyDtoH)(&read, at, sizeof read));
  return read;
}

}  // namespace

TEST_CASE("virtual memory: a vector grows in place, and kernels go across its parts") {
  kiln::Device(0).make_current();
  kiln::SourceModule module(source);
  kiln::Function fill = module.get_function("fill"), add = module.get_function("add");
  const std::size_t part = granularity(), parts = 4;
  const CUdeviceptr range = reserve(parts * part);
  for (std::size_t grown = 0; grown < parts; ++grown) {
    const CUmemGenericAllocationHandle handle = create(part);
    map(range + grown * part, part, handle);
    check(KILN_DRIVER_FUNCTION(cuMemRelease)(handle));
    check(allow(range + grown * part, part));
    // Across the border of two parts: the end of one, and the beginning of the next.
    const std::size_t words = grown == 0 ? 64 : 128;
    const CUdeviceptr begin = range + grown * part - (words - 64) * sizeof(unsigned);
    fill({2, 32}, begin, static_cast<unsigned long long>(words), static_cast<unsigned>(1000 * grown));
    add({2, 32}, begin, static_cast<unsigned long long>(words), 5u);
    std::vector<unsigned> read(words);
    check(KILN_DRIVER_FUNCTION(cuMemcpyDtoH)(read.data(), begin, words * sizeof(unsigned)));
    for (std::size_t i = 0; i < words; ++i) REQUIRE(read[i] == 1000 * grown + i + 5);
  }
  check(KILN_DRIVER_FUNCTION(cuMemsetD32)(range + part - 8, 77, 4));
  CHECK(value(range + part - 8) == 77);
  CHECK(value(range + part + 4) == 77);
  unmap(range, parts * part);
  check(KILN_DRIVER_FUNCTION(cuMemAddressFree)(range, parts * part));
}

TEST_CASE("virtual memory: a handle at two addresses is the same memory, and moves with what is in it") {
  kiln::Device(0).make_current();
  kiln::SourceModule module(source);
  kiln::Function fill = module.get_function("fill"), add = module.get_function("add");
  const std::size_t part = granularity();
  const CUdeviceptr range = reserve(3 * part), first = range, second = range + 2 * part;
  const CUmemGenericAllocationHandle handle = create(part);
  for (const CUdeviceptr at : {first, second}) {
    map(at, part, handle);
    check(allow(at, part));
  }
  fill({1, 32}, first, 32ull, 100u);
  add({1, 32}, second, 32ull, 1u);
  check(KILN_DRIVER_FUNCTION(cuCtxSynchronize)());
  CHECK(value(first + 4) == 102);
  CHECK(value(second + 4) == 102);
  unmap(first, part);
  CHECK(value(second + 8) == 103);
  CUmemGenericAllocationHandle again = 0;
  check(KILN_DRIVER_FUNCTION(cuMemRetainAllocationHandle)(&again, reinterpret_cast<void*>(second)));
  CHECK(again == handle);
  unmap(second, part);
  map(range + part, part, again);
  check(allow(range + part, part));
  add({1, 32}, range + part, 32ull, 1u);
  CHECK(value(range + part) == 102);
  unmap(range + part, part);
  check(KILN_DRIVER_FUNCTION(cuMemRelease)(again));
  check(KILN_DRIVER_FUNCTION(cuMemRelease)(handle));
  check(KILN_DRIVER_FUNCTION(cuMemAddressFree)(range, 3 * part));
}

TEST_CASE("virtual memory: what the driver refuses") {
  kiln::Device(0).make_current();
  const std::size_t part = granularity();
  const CUmemAllocationProp properties = on_device_0();
  CUmemGenericAllocationHandle handle = 0;
  CHECK(KILN_DRIVER_FUNCTION(cuMemCreate)(&handle, part / 2, &properties, 0) == CUDA_ERROR_INVALID_VALUE);
  const CUdeviceptr range = reserve(2 * part);
  handle = create(part);
  map(range, part, handle);
  CHECK(KILN_DRIVER_FUNCTION(cuMemMap)(range, part, 0, handle, 0) != CUDA_SUCCESS);
  CHECK(KILN_DRIVER_FUNCTION(cuMemUnmap)(range, part / 2) != CUDA_SUCCESS);
  CHECK(allow(range + part, part) != CUDA_SUCCESS);
  unsigned long long flags = 9;
  const CUmemLocation location = properties.location;
  check(KILN_DRIVER_FUNCTION(cuMemGetAccess)(&flags, &location, range));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  check(allow(range, part));
  check(KILN_DRIVER_FUNCTION(cuMemGetAccess)(&flags, &location, range));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  unmap(range, part);
  check(KILN_DRIVER_FUNCTION(cuMemRelease)(handle));
  check(KILN_DRIVER_FUNCTION(cuMemAddressFree)(range, 2 * part));
}

}  // namespace virtual_memory_gpu_test
