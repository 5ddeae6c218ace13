// Prints in one line what the device of KILN_EMULATOR_ARCH has, and which targets of PTX it loads.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void check(CUresult result) {
  if (result != CUDA_SUCCESS) std::exit(1);
}

CUmodule load(const std::string& target, CUresult& result) {
  const std::string text =
      ".version 8.8\n.target " + target + "\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\nret;\n}\n";
  CUmodule module = nullptr;
  result = cuModuleLoadData(&module, text.c_str());
  return module;
}

void print_attributes() {
  for (const CUdevice_attribute attribute :
       {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
        CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT}) {
    int value = -1;
    check(cuDeviceGetAttribute(&value, attribute, 0));
    std::printf("%d ", value);
  }
}

}  // namespace

int main() {
  CUcontext context = nullptr;
  CUfunction kernel = nullptr;
  CUresult result = CUDA_SUCCESS;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&context, 0));
  check(cuCtxSetCurrent(context));
  print_attributes();
  const CUmodule oldest = load("sm_75", result);
  check(result);
  check(cuModuleGetFunction(&kernel, oldest, "k"));
  for (const std::size_t shared : {std::size_t{0}, std::size_t{20 * 1024 + 1}}) {
    int blocks = -1;
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, shared));
    std::printf("%d ", blocks);
  }
  for (const char* const target : {"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100f",
                                   "sm_103a", "sm_120", "sm_120a", "sm_121"}) {
    (void)load(target, result);
    if (result == CUDA_SUCCESS)
      std::printf("%s ", target);
    else if (result != CUDA_ERROR_INVALID_PTX)
      return 2;
  }
  std::printf("\n");
}
