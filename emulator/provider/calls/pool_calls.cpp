// Pools of stream-ordered memory.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/pool.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace {

using namespace kiln::emulator;

CUresult give_pool(CUmemoryPool* out, CUdevice device, CUmemoryPool (*pool)(int)) {
  require(out != nullptr);
  check_device(device);
  *out = pool(device);
  return CUDA_SUCCESS;
}

bool is_of_device(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id >= 0 && location.id < device_count();
}

std::atomic<int>* switch_of(PoolState& pool, CUmemPool_attribute attribute) {
  if (attribute == CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES) return &pool.reuse_event_dependencies;
  if (attribute == CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) return &pool.reuse_opportunistic;
  if (attribute == CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES) return &pool.reuse_internal_dependencies;
  return nullptr;
}

CUresult set_pool_attribute(PoolState& pool, CUmemPool_attribute attribute, void* value) {
  if (std::atomic<int>* const on = switch_of(pool, attribute)) {
    *on = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return CUDA_SUCCESS;
  }
  const std::uint64_t number = *static_cast<const cuuint64_t*>(value);
  if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
    pool.release_threshold = number;
    return CUDA_SUCCESS;
  }
  const bool is_high = attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH;
  require(is_high && number == 0);  // a high mark can be reset, and nothing else
  (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? pool.used_high : pool.reserved_high) = pool.used.load();
  return CUDA_SUCCESS;
}

CUresult give_pool_attribute(PoolState& pool, CUmemPool_attribute attribute, void* out) {
  if (const std::atomic<int>* const on = switch_of(pool, attribute)) {
    *static_cast<int*>(out) = *on;
    return CUDA_SUCCESS;
  }
  cuuint64_t& number = *static_cast<cuuint64_t*>(out);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      number = pool.release_threshold;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      number = pool.used;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      number = pool.used_high;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      number = pool.reserved_high;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

KILN_EMULATOR_API cuDeviceGetDefaultMemPool(CUmemoryPool* out, CUdevice device) {
  return call_anyway(__func__, [&] { return give_pool(out, device, default_pool); });
}

KILN_EMULATOR_API cuDeviceGetMemPool(CUmemoryPool* out, CUdevice device) {
  return call_anyway(__func__, [&] { return give_pool(out, device, current_pool); });
}

KILN_EMULATOR_API cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call_anyway(__func__, [&] {
    check_device(device);
    require(pool_of(pool)->device == device, "the pool is of another device");
    set_current_pool(device, pool);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemPoolCreate(CUmemoryPool* out, const CUmemPoolProps* properties) {
  return call_anyway(__func__, [&] {
    require(out != nullptr && properties != nullptr && properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED);
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
      return not_supported("cuMemPoolCreate", "pools that other processes share");
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
      return not_supported("cuMemPoolCreate", "pools of host memory");
    require(is_of_device(properties->location));
    *out = Pools::get().add(std::make_shared<PoolState>(properties->location.id));
    return CUDA_SUCCESS;
  });
}

// Memory from it stays until it is freed.
KILN_EMULATOR_API cuMemPoolDestroy(CUmemoryPool handle) {
  return call_anyway(__func__, [&] {
    require(!pool_of(handle)->is_default, "a device's default pool cannot be destroyed");
    return Pools::get().take(handle) == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemPoolTrimTo(CUmemoryPool handle, size_t) {
  return call_anyway(__func__, [&] {
    (void)pool_of(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  return call_anyway(__func__, [&] {
    require(value != nullptr);
    return set_pool_attribute(*pool_of(handle), attribute, value);
  });
}

KILN_EMULATOR_API cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* out) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    return give_pool_attribute(*pool_of(handle), attribute, out);
  });
}

// Every device can access all memory.
KILN_EMULATOR_API cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* list, size_t count) {
  return call_anyway(__func__, [&] {
    require(count == 0 || list != nullptr);
    const std::shared_ptr<PoolState> pool = pool_of(handle);
    for (size_t i = 0; i < count; ++i) {
      require(is_of_device(list[i].location));
      const bool takes_own = list[i].location.id == pool->device && list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      require(!takes_own, "a pool's own device has access");
    }
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemPoolGetAccess(CUmemAccess_flags* out, CUmemoryPool handle, CUmemLocation* location) {
  return call_anyway(__func__, [&] {
    require(out != nullptr && location != nullptr && is_of_device(*location));
    (void)pool_of(handle);
    *out = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemAllocFromPoolAsync(CUdeviceptr* out, size_t size, CUmemoryPool handle, CUstream stream_handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    const StreamPtr stream = stream_of(stream_handle);
    const std::shared_ptr<PoolState> pool = pool_of(handle);
    require(pool->device == stream->context.device(), "the pool is of another device than the stream");
    (void)capture_of(*stream);
    *out = MemoryTable::get().allocate(stream->context, size, Allocation::Kind::device);
    note_pool_memory(*out, size, handle);
    return CUDA_SUCCESS;
  });
}
