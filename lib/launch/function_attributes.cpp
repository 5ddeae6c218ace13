// The table of a function's attributes by name; FunctionAttribute is checked against cuda.h here.
#include "launch/kernel.hpp"
#include "memory/context.hpp"

#include <kiln/function.hpp>

namespace kiln {

namespace {

// What cuda.h lacks, of the oldest CUDA to build with, is compared with itself.
#if CUDA_VERSION >= 13050
#define KILN_SINCE_13_5(name, number) CU_FUNC_ATTRIBUTE_##name
#else
#define KILN_SINCE_13_5(name, number) number
#endif

struct AttributeRow {
  const char* name;
  FunctionAttribute attribute;
  int number;  // cuda.h's
};

constexpr AttributeRow attribute_rows[] = {
    {"max_threads_per_block", FunctionAttribute::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {"shared_size_bytes", FunctionAttribute::shared_size_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
    {"const_size_bytes", FunctionAttribute::const_size_bytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
    {"local_size_bytes", FunctionAttribute::local_size_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
    {"num_regs", FunctionAttribute::num_regs, CU_FUNC_ATTRIBUTE_NUM_REGS},
    {"ptx_version", FunctionAttribute::ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION},
    {"binary_version", FunctionAttribute::binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION},
    {"cache_mode_ca", FunctionAttribute::cache_mode_ca, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA},
    {"max_dynamic_shared_size_bytes", FunctionAttribute::max_dynamic_shared_size_bytes,
     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
    {"preferred_shared_memory_carveout", FunctionAttribute::preferred_shared_memory_carveout,
     CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT},
    {"cluster_size_must_be_set", FunctionAttribute::cluster_size_must_be_set,
     CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET},
    {"required_cluster_width", FunctionAttribute::required_cluster_width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH},
    {"required_cluster_height", FunctionAttribute::required_cluster_height, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT},
    {"required_cluster_depth", FunctionAttribute::required_cluster_depth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH},
    {"non_portable_cluster_size_allowed", FunctionAttribute::non_portable_cluster_size_allowed,
     CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED},
    {"cluster_scheduling_policy_preference", FunctionAttribute::cluster_scheduling_policy_preference,
     CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE},
    {"device_node_update_supported", FunctionAttribute::device_node_update_supported,
     KILN_SINCE_13_5(DEVICE_NODE_UPDATE_SUPPORTED, 16)},
    {"shared_memory_mode", FunctionAttribute::shared_memory_mode, KILN_SINCE_13_5(SHARED_MEMORY_MODE, 17)},
};

/// None is left out, and each has cuda.h's number.
constexpr bool numbers_are_right() {
  int number = 0;
  for (const AttributeRow& row : attribute_rows) {
    if (static_cast<int>(row.attribute) != number || row.number != number) return false;
    ++number;
  }
  return true;
}
static_assert(numbers_are_right());
static_assert(static_cast<int>(CacheConfig::prefer_none) == CU_FUNC_CACHE_PREFER_NONE);
static_assert(static_cast<int>(CacheConfig::prefer_shared) == CU_FUNC_CACHE_PREFER_SHARED);
static_assert(static_cast<int>(CacheConfig::prefer_l1) == CU_FUNC_CACHE_PREFER_L1);
static_assert(static_cast<int>(CacheConfig::prefer_equal) == CU_FUNC_CACHE_PREFER_EQUAL);

}  // namespace

std::map<std::string, int> Function::attributes() const {
  const Driver& driver = Driver::get();
  const int device = current_device();
  CUkernel kernel = kernel_->handle(device);
  std::map<std::string, int> values;
  for (const AttributeRow& row : attribute_rows) {
    if (!driver.loads_cubin && row.attribute == FunctionAttribute::num_regs) continue;  // PTX has none
    int value = 0;
    const CUresult result =
        driver.kernel_get_attribute(&value, static_cast<CUfunction_attribute>(row.attribute), kernel, device);
    // Newer than the driver, or nothing that it can say.
    if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED) continue;
    check_driver(result, "cuKernelGetAttribute",
                 " for attribute " + std::string(row.name) + " of kernel " + kernel_->display_name());
    values.emplace(row.name, value);
  }
  return values;
}

}  // namespace kiln
