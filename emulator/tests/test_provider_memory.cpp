// Memory, copies and fills, and what is refused of them.
#include "provider_calls.hpp"

#include <cstdint>
#include <numeric>

namespace provider_memory_test {

// As every version of the driver has it.
#undef cuMemPrefetchAsync
extern "C" CUresult cuMemPrefetchAsync(CUdeviceptr, std::size_t, CUdevice, CUstream);
// Of the emulator alone.
extern "C" const char* kiln_driver_message();
extern "C" CUresult kiln_driver_follow_writes(CUdeviceptr, std::size_t);
extern "C" CUresult kiln_driver_unwritten(CUdeviceptr, std::size_t, unsigned char*);

namespace {

using namespace kiln::emulator::test;

template <class T>
T pointer_attribute(CUpointer_attribute attribute, CUdeviceptr address) {
  T value{};
  CHECK_OK(cuPointerGetAttribute(&value, attribute, address));
  return value;
}

}  // namespace

TEST_CASE("copies and fills keep to the allocation") {
  const Device device;
  const DeviceValues<unsigned char> bytes(std::vector<unsigned char>(256, 1)),
      others(std::vector<unsigned char>(64, 3));
  unsigned char host[257] = {};
  const CUdeviceptr a = bytes.address, b = others.address;
  CHECK(cuMemcpyHtoD(a, host, 257) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(host, a + 1, 256) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoD(b, a, 65) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyHtoD(0, host, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(a, 0, 257) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD32(a + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD8(a, 0, SIZE_MAX) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD2D8(a, 64, 0, 32, SIZE_MAX) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemcpyHtoD(a, host, 0));
  CHECK_OK(cuMemcpyDtoD(a + 32, b, 64));
  CHECK_OK(cuMemsetD2D16(a + 128, 32, 0x0507, 2, 4));
  std::vector<unsigned char> expected(256, 1);
  for (unsigned i = 32; i < 96; ++i) expected[i] = 3;
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned i = 0; i < 4; ++i) expected[128 + row * 32 + i] = i % 2 == 0 ? 7 : 5;
  CHECK(bytes.values() == expected);
}

TEST_CASE("writes to tracked memory are reported byte by byte, and it keeps its content") {
  const Device device;
  const DeviceValues<unsigned char> bytes(std::vector<unsigned char>(64, 9));
  const auto unwritten = [&] {
    std::vector<unsigned char> flags(64, 5);
    CHECK_OK(kiln_driver_unwritten(bytes.address, 64, flags.data()));
    return flags;
  };
  CHECK(unwritten() == std::vector<unsigned char>(64, 0));
  CHECK_OK(kiln_driver_follow_writes(bytes.address + 1, 63));
  std::vector<unsigned char> expected(64, 1);
  expected[0] = 0;
  CHECK(unwritten() == expected);
  CHECK_OK(cuMemsetD8(bytes.address + 10, 9, 3));
  expected[10] = expected[11] = expected[12] = 0;
  CHECK(unwritten() == expected);
  CHECK(bytes.values() == std::vector<unsigned char>(64, 9));
  CHECK_OK(kiln_driver_follow_writes(bytes.address, 0));
  CHECK(kiln_driver_follow_writes(bytes.address, 65) == CUDA_ERROR_INVALID_VALUE);
  CHECK(kiln_driver_follow_writes(bytes.address + 60, SIZE_MAX) == CUDA_ERROR_INVALID_VALUE);
  CHECK(kiln_driver_follow_writes(0, 1) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a copy from pageable memory has read it when the call returns") {
  const Device device;
  const DeviceValues<unsigned> out(std::vector<unsigned>(1000, 0));
  std::vector<unsigned> source(1000, 5);
  CHECK_OK(cuMemcpyHtoDAsync(out.address, source.data(), 4000, nullptr));
  source.assign(1000, 6);
  CHECK(out.values() == std::vector<unsigned>(1000, 5));
}

TEST_CASE("memory is freed once, and by its own call") {
  const Device device;
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  CHECK(cuMemAlloc(&memory, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&memory, std::size_t{1} << 60) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_OK(cuMemAlloc(&memory, 100));
  CHECK(cuMemFree(memory + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemFree(memory));
  CHECK(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemAllocHost(&pinned, 100));
  CHECK(cuMemFree(reinterpret_cast<CUdeviceptr>(pinned)) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemFreeHost(pinned));
  CHECK(cuMemFreeHost(pinned) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemAllocAsync(&memory, 100, nullptr));
  CHECK_OK(cuMemFreeAsync(memory, nullptr));
  CHECK(cuMemFreeAsync(memory, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("what is in use shows in the device's free memory") {
  const Device device;
  std::size_t before = 0, after = 0, total = 0;
  constexpr std::size_t size = 10 << 20;
  CUdeviceptr memory = 0;
  CHECK_OK(cuMemGetInfo(&before, &total));
  CHECK_OK(cuMemAlloc(&memory, size));
  CHECK_OK(cuMemGetInfo(&after, &total));
  CHECK(after + size <= before);
  CHECK(total >= before);
  CHECK_OK(cuMemFree(memory));
}

TEST_CASE("registered host memory") {
  const Device device;
  std::vector<unsigned> host(2, 0);
  CUdeviceptr seen = 0;
  CHECK(cuMemHostUnregister(host.data()) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK(cuMemHostGetDevicePointer(&seen, host.data(), 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemHostRegister(host.data(), 8, CU_MEMHOSTREGISTER_DEVICEMAP));
  CHECK(cuMemHostRegister(host.data(), 8, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK_OK(cuMemHostGetDevicePointer(&seen, host.data(), 0));
  CHECK_OK(launch(device.function("poke"), 1, 1, nullptr, seen));
  CHECK_OK(cuCtxSynchronize());
  CHECK(host[0] == 1);
  CHECK_OK(cuMemHostUnregister(host.data()));
}

TEST_CASE("what is known of an address") {
  const Device device;
  CUdeviceptr plain = 0, managed = 0;
  CHECK_OK(cuMemAlloc(&plain, 1000));
  CHECK_OK(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
  CHECK(pointer_attribute<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, plain + 10) == device.context);
  CHECK(pointer_attribute<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, plain) == 0);
  CHECK(pointer_attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, plain) == CU_MEMORYTYPE_DEVICE);
  CHECK(pointer_attribute<unsigned>(CU_POINTER_ATTRIBUTE_IS_MANAGED, plain) == 0);
  CHECK(pointer_attribute<unsigned>(CU_POINTER_ATTRIBUTE_IS_MANAGED, managed) == 1);
  CHECK(pointer_attribute<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, plain + 999) == plain);
  int value = 0;
  CHECK(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, reinterpret_cast<CUdeviceptr>(&value)) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemPrefetchAsync(managed, 1000, 0, nullptr));
  CHECK(cuMemPrefetchAsync(plain, 1000, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemPrefetchAsync(managed, 1000, 9, nullptr) == CUDA_ERROR_INVALID_DEVICE);
  CHECK_OK(cuMemFree(plain));
  CHECK_OK(cuMemFree(managed));
}

TEST_CASE("a context takes its memory and its modules with it") {
  CUdeviceptr memory = 0, variable = 0;
  {
    const Device device;
    CHECK_OK(cuMemAlloc(&memory, 100));
    CHECK_OK(cuModuleGetGlobal(&variable, nullptr, device.module, "scale"));
  }
  const Device other;
  int value = 0;
  for (const CUdeviceptr gone : {memory, variable})
    CHECK(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, gone) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("pools count what is allocated from them, and a device has one by default") {
  const Device device;
  const auto value_of = [](CUmemoryPool pool, CUmemPool_attribute attribute) {
    cuuint64_t value = ~cuuint64_t{0};
    CHECK_OK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
  };
  CUmemoryPool usual = nullptr, current = nullptr, own = nullptr;
  CHECK_OK(cuDeviceGetDefaultMemPool(&usual, 0));
  CHECK_OK(cuDeviceGetMemPool(&current, 0));
  CHECK(current == usual);
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
  CHECK_OK(cuMemPoolCreate(&own, &properties));
  CUdeviceptr first = 0, second = 0;
  CHECK_OK(cuMemAllocFromPoolAsync(&first, 1000, own, nullptr));
  CHECK_OK(cuDeviceSetMemPool(0, own));
  CHECK_OK(cuMemAllocAsync(&second, 500, nullptr));
  CHECK(value_of(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 1500);
  CHECK(pointer_attribute<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, second) == own);
  CHECK_OK(cuMemFreeAsync(first, nullptr));
  CHECK_OK(cuCtxSynchronize());
  CHECK(value_of(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 500);
  CHECK(value_of(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 1500);
  cuuint64_t threshold = 4096;
  CHECK_OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  CHECK(value_of(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == 4096);
  CHECK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &threshold) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemPoolDestroy(usual) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemPoolDestroy(own));
  CHECK(cuMemAllocFromPoolAsync(&first, 1000, own, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuMemFree(second));
  CHECK_OK(cuDeviceGetMemPool(&current, 0));
  CHECK(current == usual);
}

TEST_CASE("memory of several processes is refused by name") {
  const Device device;
  const DeviceValues<unsigned> one({0});
  CUipcMemHandle handle;
  CHECK(cuIpcGetMemHandle(&handle, one.address) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(std::string(kiln_driver_message()).find("cuIpcGetMemHandle is not supported") == 0);
}

}  // namespace provider_memory_test
