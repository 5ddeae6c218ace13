// Which calls work in a process after a kernel's fault: the same as with two H200s.
#include "own_process.hpp"
#include "provider_calls.hpp"

#include <functional>
#include <thread>

extern "C" const char* kiln_driver_message();

namespace provider_faults_test {

namespace {

using namespace kiln::emulator::test;

const std::string faults = kernels + R"(
.visible .entry misaligned(.param .u64 where)
{ .reg .b64 %d; ld.param.u64 %d, [where]; add.u64 %d, %d, 1; st.global.u32 [%d], 1; ret; }
.visible .entry address_16(.param .u64 where) { .reg .b64 %d; mov.u64 %d, 16; st.global.u32 [%d], 1; ret; }
.visible .entry trap_(.param .u64 where) { trap; ret; }
.visible .entry breakpoint(.param .u64 where) { brkpt; ret; }
)";

/// A context of a device, with the objects that a program would have.
struct Place {
  explicit Place(CUdevice on) : device(on) {
    REQUIRE_OK(::cuCtxCreate_v2(&context, 0, device));
    fill();
  }
  explicit Place(CUcontext primary) : context(primary) {
    REQUIRE_OK(cuCtxSetCurrent(primary));
    fill();
  }
  void fill() {
    REQUIRE_OK(cuModuleLoadData(&module, faults.c_str()));
    REQUIRE_OK(cuModuleGetFunction(&poke, module, "poke"));
    REQUIRE_OK(cuMemAlloc(&memory, 64));
    REQUIRE_OK(cuStreamCreate(&stream, 0));
    REQUIRE_OK(cuEventCreate(&event, 0));
    REQUIRE_OK(cuMemHostAlloc(&pinned, 64, 0));
  }
  CUresult fail(const char* fault) const {
    CUfunction function = nullptr;
    REQUIRE_OK(cuModuleGetFunction(&function, module, fault));
    CHECK_OK(launch(function, 1, 1, nullptr, memory));
    return cuCtxSynchronize();
  }

  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction poke = nullptr;
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  void* pinned = nullptr;
};

void check_all_fail(const Place& place, CUresult error) {
  CHECK_OK(cuCtxSetCurrent(place.context));
  unsigned host[4] = {};
  CUdeviceptr memory = 0;
  void* pinned = nullptr;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUcontext context = nullptr;
  std::size_t size = 0;
  int value = 0, other = 0;
  const std::vector<std::pair<const char*, CUresult>> results{
      {"cuCtxGetLimit", cuCtxGetLimit(&size, CU_LIMIT_STACK_SIZE)},
      {"cuCtxSetLimit", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048)},
      {"cuCtxGetStreamPriorityRange", cuCtxGetStreamPriorityRange(&value, &other)},
      {"cuMemGetInfo", cuMemGetInfo(&size, &size)},
      {"cuMemAlloc", cuMemAlloc(&memory, 64)},
      {"cuMemAllocManaged", cuMemAllocManaged(&memory, 64, CU_MEM_ATTACH_GLOBAL)},
      {"cuMemAllocAsync", cuMemAllocAsync(&memory, 64, place.stream)},
      {"cuMemHostAlloc", cuMemHostAlloc(&pinned, 64, 0)},
      {"cuMemcpyDtoH", cuMemcpyDtoH(host, place.memory, 16)},
      {"cuMemcpyHtoDAsync", cuMemcpyHtoDAsync(place.memory, host, 16, place.stream)},
      {"cuMemsetD32", cuMemsetD32(place.memory, 1, 4)},
      {"cuModuleLoadData", cuModuleLoadData(&module, faults.c_str())},
      {"cuModuleGetFunction", cuModuleGetFunction(&function, place.module, "poke")},
      {"cuModuleGetGlobal", cuModuleGetGlobal(&memory, &size, place.module, "scale")},
      {"cuFuncGetAttribute", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, place.poke)},
      {"cuOccupancy", cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, place.poke, 32, 0)},
      {"cuLaunchKernel", launch(place.poke, 1, 1, nullptr, place.memory)},
      {"cuStreamCreate", cuStreamCreate(&stream, 0)},
      {"cuStreamQuery", cuStreamQuery(place.stream)},
      {"cuStreamSynchronize", cuStreamSynchronize(place.stream)},
      {"cuEventCreate", cuEventCreate(&event, 0)},
      {"cuEventRecord", cuEventRecord(place.event, place.stream)},
      {"cuEventQuery", cuEventQuery(place.event)},
      {"cuEventSynchronize", cuEventSynchronize(place.event)},
      {"cuCtxSynchronize", cuCtxSynchronize()},
      {"cuCtxCreate", ::cuCtxCreate_v2(&context, 0, place.device)},
      {"cuEventDestroy", cuEventDestroy(place.event)},
      {"cuStreamDestroy", cuStreamDestroy(place.stream)},
      {"cuMemFreeHost", cuMemFreeHost(place.pinned)},
      {"cuMemFree", cuMemFree(place.memory)},
      {"cuModuleUnload", cuModuleUnload(place.module)},
  };
  for (const auto& [name, result] : results) CHECK_MESSAGE(result == error, name);
}

void check_untouched(const Place& place) {
  CUcontext context = nullptr;
  CUdevice device = -1;
  CUlibrary library = nullptr;
  char name[64];
  std::size_t size = 0;
  unsigned flags = 0;
  int value = 0;
  CHECK_OK(cuCtxSetCurrent(place.context));
  CHECK_OK(cuCtxPushCurrent(place.context));
  CHECK_OK(cuCtxPopCurrent(&context));
  CHECK_OK(cuCtxGetDevice(&device));
  CHECK_OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK_OK(cuDeviceGetName(name, sizeof name, device));
  CHECK_OK(cuDeviceTotalMem(&size, device));
  CHECK_OK(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, place.memory));
  CHECK_OK(cuLibraryLoadData(&library, faults.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_OK(cuDevicePrimaryCtxGetState(device, &flags, &value));
  CHECK_OK(cuDevicePrimaryCtxRetain(&context, device));
}

void check_process(const char* fault, CUresult error) {
  REQUIRE_OK(cuInit(0));
  CUcontext primary_context = nullptr;
  REQUIRE_OK(cuDevicePrimaryCtxRetain(&primary_context, 0));
  const Place faulty(0), beside(0), other_device(1), primary(primary_context);
  REQUIRE_OK(cuCtxSetCurrent(faulty.context));
  CHECK(faulty.fail(fault) == error);
  for (const Place* const place : {&faulty, &beside, &primary, &other_device}) {
    check_untouched(*place);
    check_all_fail(*place, error);
  }
  std::thread([&] {
    CHECK_OK(cuCtxSetCurrent(beside.context));
    CHECK(cuCtxSynchronize() == error);
  }).join();
  // Calls that seem to help, but do not.
  CHECK_OK(cuDevicePrimaryCtxReset(0));
  CHECK_OK(cuDevicePrimaryCtxRetain(&primary_context, 0));
  CHECK_OK(cuCtxSetCurrent(primary_context));
  CHECK(cuCtxSynchronize() == error);
  CHECK_OK(cuCtxDestroy(faulty.context));
  CHECK_OK(cuCtxSetCurrent(beside.context));
  CHECK(cuCtxSynchronize() == error);
  CHECK_OK(cuCtxDestroy(beside.context));
  for (const CUdevice device : {0, 1}) {
    CUcontext fresh = nullptr;
    CHECK(::cuCtxCreate_v2(&fresh, 0, device) == error);
    CHECK(fresh == nullptr);
  }
}

}  // namespace

TEST_CASE("a store to address 16 ends every context of the process, on each device, and those to come") {
  if (is_own_process()) check_process("address_16", CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a misaligned store ends them, too") {
  if (is_own_process()) check_process("misaligned", CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_CASE("a trap ends them, too") {
  if (is_own_process()) check_process("trap_", CUDA_ERROR_LAUNCH_FAILED);
}

TEST_CASE("a breakpoint without a debugger ends them, too") {
  if (is_own_process()) check_process("breakpoint", CUDA_ERROR_LAUNCH_FAILED);
}

TEST_CASE("each context returns the fault of the other's kernel") {
  if (!is_own_process()) return;
  REQUIRE_OK(cuInit(0));
  const Place faulty(0), other(1);
  REQUIRE_OK(cuCtxSetCurrent(faulty.context));
  CHECK(faulty.fail("address_16") == CUDA_ERROR_ILLEGAL_ADDRESS);
  REQUIRE_OK(cuCtxSetCurrent(other.context));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(std::string(kiln_driver_message()).find("kernel address_16") != std::string::npos);
}

TEST_CASE("a primary context that is released and retained again works no more, either") {
  if (!is_own_process()) return;
  REQUIRE_OK(cuInit(0));
  CUcontext context = nullptr;
  REQUIRE_OK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(Place(context).fail("address_16") == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_OK(cuDevicePrimaryCtxRelease(0));
  CHECK_OK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK_OK(cuCtxSetCurrent(context));
  CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace provider_faults_test
