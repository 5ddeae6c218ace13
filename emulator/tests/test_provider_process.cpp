// The library as a whole: its exports, its start, forks, exit, contexts and devices.
#include "provider_calls.hpp"

#include "in_child.hpp"
#include "run_program.hpp"

#include <dlfcn.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace provider_process_test {

namespace {

using namespace kiln::emulator::test;

void* library() {
  void* const opened = dlopen(KILN_EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(opened != nullptr, dlerror());
  return opened;
}

}  // namespace

TEST_CASE("every function of the driver tables is exported, and found by name and version") {
  using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
  const auto find = reinterpret_cast<GetProcAddress>(dlsym(library(), "cuGetProcAddress_v2"));
  REQUIRE(static_cast<bool>(find));
  const std::regex row(R"re(=\s+(?:required|newer|found)\(\s*"(cu\w+)",\s*(\d+)(?:,\s*"(\w+)")?\))re");
  unsigned count = 0;
  for (const char* table : {"driver.hpp", "driver_extras.hpp"}) {
    std::ifstream file(std::string(KILN_DRIVER_TABLES) + "/" + table);
    REQUIRE(file.is_open());
    const std::string source(std::istreambuf_iterator<char>(file), {});
    for (std::sregex_iterator at(source.begin(), source.end(), row), end; at != end; ++at, ++count) {
      const std::string name = (*at)[1], exported = name + (*at)[3].str();
      void* const symbol = dlsym(library(), exported.c_str());
      CHECK_MESSAGE(symbol != nullptr, exported);
      void* found = nullptr;
      CHECK_MESSAGE(find(name.c_str(), &found, std::stoi((*at)[2]), 0, nullptr) == CUDA_SUCCESS, name);
      CHECK_MESSAGE(found == symbol, name);
    }
  }
  CHECK(count > 100);
  void* found = nullptr;
  CHECK(find("cuNoSuchFunction", &found, 13000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
  CHECK(find("kiln_driver_code_kinds", &found, 13000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
  CHECK(find("cuMemFree", &found, 2000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
  const auto* const kinds = static_cast<const unsigned*>(dlsym(library(), "kiln_driver_code_kinds"));
  REQUIRE(kinds != nullptr);
  CHECK(*kinds == 2);
  CHECK(dlsym(library(), "_ZN4kiln8emulator3logERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE") == nullptr);
}

TEST_CASE("in a child of fork nothing is initialised") {
  REQUIRE_OK(cuInit(0));
  CHECK(kiln::test::in_child([] {
          int devices = 0;
          const bool is_told =
              cuInit(0) == CUDA_ERROR_NOT_INITIALIZED && cuDeviceGetCount(&devices) == CUDA_ERROR_NOT_INITIALIZED;
          return is_told ? 0 : 1;
        }) == 0);
}

TEST_CASE("devices: their number, name and properties") {
  REQUIRE_OK(cuInit(0));
  int count = 0, version = 0;
  CHECK_OK(cuDeviceGetCount(&count));
  CHECK(count == 2);  // as main() asks for
  CHECK_OK(cuDriverGetVersion(&version));
  CHECK(version == 13000);
  CUdevice device = -1;
  CHECK_OK(cuDeviceGet(&device, 1));
  CHECK(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
  char name[64] = {};
  CHECK_OK(cuDeviceGetName(name, sizeof(name), 1));
  CHECK(std::string(name) == "Kiln PTX emulator");
  const auto attribute = [](CUdevice_attribute id) {
    int value = -1;
    CHECK_OK(cuDeviceGetAttribute(&value, id, 0));
    return value;
  };
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 9);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE) == 32);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 227 * 1024);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) >= 1);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 1);
  CHECK(attribute(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 1);
  const char* text = nullptr;
  CHECK_OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK(std::string(text) == "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("contexts: primary ones are shared, own ones are not; a thread has a stack of them") {
  REQUIRE_OK(cuInit(0));
  CUcontext first = nullptr, again = nullptr, other = nullptr, popped = nullptr;
  CHECK_OK(cuDevicePrimaryCtxRetain(&first, 0));
  CHECK_OK(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK_OK(cuDevicePrimaryCtxRetain(&other, 1));
  CHECK(first == again);
  CHECK(first != other);
  CHECK_OK(cuCtxPushCurrent(first));
  CHECK_OK(cuCtxPushCurrent(other));
  CUdevice device = -1;
  CHECK_OK(cuCtxGetDevice(&device));
  CHECK(device == 1);
  CHECK_OK(cuCtxPopCurrent(&popped));
  CHECK(popped == other);
  CHECK_OK(cuCtxPopCurrent(nullptr));
  CHECK(cuCtxPopCurrent(nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxDestroy(first) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&device)) == CUDA_ERROR_INVALID_CONTEXT);
  for (int i = 0; i < 2; ++i) CHECK_OK(cuDevicePrimaryCtxRelease(0));
  CHECK(cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK_OK(cuDevicePrimaryCtxRelease(1));
}

TEST_CASE("a context that is gone is not used again; a primary one is, once it is retained") {
  REQUIRE_OK(cuInit(0));
  CUcontext own = nullptr, primary = nullptr;
  CHECK_OK(::cuCtxCreate_v2(&own, 0, 0));
  CHECK_OK(cuCtxDestroy(own));
  CHECK(cuCtxDestroy(own) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent(own) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetCurrent(own) == CUDA_ERROR_INVALID_CONTEXT);

  CHECK_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK_OK(cuCtxPushCurrent(primary));
  CHECK_OK(cuDevicePrimaryCtxRelease(0));
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 4) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_OK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK_OK(cuMemAlloc(&memory, 4));
  CHECK_OK(cuCtxPopCurrent(nullptr));
  CHECK_OK(cuDevicePrimaryCtxRelease(0));
}

TEST_CASE("results have the driver's names and sentences; attributes that no driver has are refused") {
  const char* text = nullptr;
  CHECK_OK(cuGetErrorName(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, &text));
  CHECK(text == std::string("CUDA_ERROR_STREAM_CAPTURE_UNJOINED"));
  CHECK_OK(cuGetErrorString(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, &text));
  CHECK(text == std::string("capturing stream has unjoined work"));
  CHECK(cuGetErrorString(static_cast<CUresult>(1000), &text) == CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
  REQUIRE_OK(cuInit(0));
  int value = 0;
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("limits of a context, and the split of its cache") {
  const Device device;
  std::size_t value = 0;
  CHECK_OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  CHECK_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  CHECK(value == 4096);
  CHECK(cuCtxGetLimit(&value, CU_LIMIT_MAX) == CUDA_ERROR_UNSUPPORTED_LIMIT);
  CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, std::size_t{1} << 40) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  CHECK(value == 4096);
  CHECK_OK(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128));
  CHECK(cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 200) == CUDA_ERROR_INVALID_VALUE);
  int major = 0;
  CHECK_OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  const CUresult sync_depth = major < 9 ? CUDA_SUCCESS : CUDA_ERROR_UNSUPPORTED_LIMIT;
  CHECK(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 4) == sync_depth);
  CUfunc_cache split = CU_FUNC_CACHE_PREFER_EQUAL;
  CHECK_OK(cuCtxGetCacheConfig(&split));
  CHECK(split == CU_FUNC_CACHE_PREFER_NONE);
  CHECK_OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  CHECK_OK(cuCtxGetCacheConfig(&split));
  CHECK(split == CU_FUNC_CACHE_PREFER_L1);
}

TEST_CASE("what is not done says so") {
  const Device device;
  CUtensorMap map;
  const cuuint64_t numbers[5] = {16, 16, 16, 16, 16};
  const cuuint32_t ones[5] = {1, 1, 1, 1, 1};
  CHECK(cuTensorMapEncodeIm2colWide(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 3, &map, numbers, numbers, 0, 0, 16, 1, ones,
                                    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_IM2COL_WIDE_MODE_W,
                                    CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("a tensor map is moved if it is one, and to where it may be") {
  const Device device;
  alignas(64) CUtensorMap map = {};
  alignas(64) char memory[512];
  CHECK(cuTensorMapReplaceAddress(&map, memory) == CUDA_ERROR_INVALID_VALUE);
  const cuuint64_t sizes[2] = {64, 4}, strides[1] = {64};
  const cuuint32_t box[2] = {16, 1}, ones[2] = {1, 1};
  const auto encode = [&](void* address) {
    return cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, address, sizes, strides, box, ones,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  CHECK(encode(memory + 8) == CUDA_ERROR_INVALID_VALUE);
  CHECK_OK(encode(memory));
  CHECK_OK(cuTensorMapReplaceAddress(&map, memory + 256));
  CHECK(cuTensorMapReplaceAddress(&map, memory + 8) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a process may end while kernels run") {
  const kiln::test::ProgramResult result = kiln::test::run_program(KILN_PROVIDER_PROGRAM, {});
  CHECK_MESSAGE(result.status == 7, result.output);
}

}  // namespace provider_process_test
