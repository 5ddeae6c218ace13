// The table of a function's attributes by name; FunctionAttribute is checked against cuda.h here.
#include "launch/kernel.hpp"
#include "memory/attribute_row.hpp"
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

#define KILN_ROW(member, NAME) \
  { #member, FunctionAttribute::member, CU_FUNC_ATTRIBUTE_##NAME }
#define KILN_ROW_13_5(member, NAME, number) \
  { #member, FunctionAttribute::member, KILN_SINCE_13_5(NAME, number) }

constexpr AttributeRow<FunctionAttribute> attribute_rows[] = {
    KILN_ROW(max_threads_per_block, MAX_THREADS_PER_BLOCK),
    KILN_ROW(shared_size_bytes, SHARED_SIZE_BYTES),
    KILN_ROW(const_size_bytes, CONST_SIZE_BYTES),
    KILN_ROW(local_size_bytes, LOCAL_SIZE_BYTES),
    KILN_ROW(num_regs, NUM_REGS),
    KILN_ROW(ptx_version, PTX_VERSION),
    KILN_ROW(binary_version, BINARY_VERSION),
    KILN_ROW(cache_mode_ca, CACHE_MODE_CA),
    KILN_ROW(max_dynamic_shared_size_bytes, MAX_DYNAMIC_SHARED_SIZE_BYTES),
    KILN_ROW(preferred_shared_memory_carveout, PREFERRED_SHARED_MEMORY_CARVEOUT),
    KILN_ROW(cluster_size_must_be_set, CLUSTER_SIZE_MUST_BE_SET),
    KILN_ROW(required_cluster_width, REQUIRED_CLUSTER_WIDTH),
    KILN_ROW(required_cluster_height, REQUIRED_CLUSTER_HEIGHT),
    KILN_ROW(required_cluster_depth, REQUIRED_CLUSTER_DEPTH),
    KILN_ROW(non_portable_cluster_size_allowed, NON_PORTABLE_CLUSTER_SIZE_ALLOWED),
    KILN_ROW(cluster_scheduling_policy_preference, CLUSTER_SCHEDULING_POLICY_PREFERENCE),
    KILN_ROW_13_5(device_node_update_supported, DEVICE_NODE_UPDATE_SUPPORTED, 16),
    KILN_ROW_13_5(shared_memory_mode, SHARED_MEMORY_MODE, 17),
};

static_assert(are_numbered_from(0, attribute_rows));
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
  for (const auto& row : attribute_rows) {
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
