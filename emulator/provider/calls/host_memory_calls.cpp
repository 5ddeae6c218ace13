// Host memory that devices can access: allocated or registered.
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace {

using namespace kiln::emulator;

constexpr unsigned alloc_flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned register_flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                    CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;

CUresult allocate_host(void** out, size_t size, unsigned flags) {
  require(out != nullptr && (flags & ~alloc_flags) == 0);
  Context& context = current_context();
  refuse_unsafe_call();
  *out = reinterpret_cast<void*>(MemoryTable::get().allocate(context, size, Allocation::Kind::host, flags));
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuMemHostAlloc(void** out, size_t size, unsigned flags) {
  return call(__func__, [&] { return allocate_host(out, size, flags); });
}

KILN_EMULATOR_API cuMemAllocHost(void** out, size_t size) {
  return call(__func__, [&] { return allocate_host(out, size, 0); });
}

KILN_EMULATOR_API cuMemFreeHost(void* pointer) {
  return call(__func__, [&] {
    refuse_unsafe_call();
    const std::optional<MemoryRecord> record = MemoryTable::get().find(address_of(pointer));
    require(record.has_value() && record->kind == Allocation::Kind::host);
    const CUresult result = record->context->synchronize();
    if (MemoryTable::get().take(address_of(pointer))) release_memory(address_of(pointer), *record);
    return result;
  });
}

KILN_EMULATOR_API cuMemHostGetDevicePointer(CUdeviceptr* out, void* pointer, unsigned flags) {
  return call(__func__, [&] {
    require(out != nullptr && flags == 0 && is_known(address_of(pointer)));
    *out = address_of(pointer);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemHostGetFlags(unsigned* out, void* pointer) {
  return call(__func__, [&] {
    require(out != nullptr);
    const std::optional<MemoryRecord> record = MemoryTable::get().find(address_of(pointer));
    require(record.has_value() && record->kind == Allocation::Kind::host);
    *out = record->flags | CU_MEMHOSTALLOC_DEVICEMAP;  // with unified addressing all of it is mapped
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemHostRegister(void* pointer, size_t size, unsigned flags) {
  return call(__func__, [&] {
    require(pointer != nullptr && size != 0 && (flags & ~register_flags) == 0);
    Context& context = current_context();
    refuse_unsafe_call();
    if ((flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) return not_supported("cuMemHostRegister", "I/O memory");
    if (!AddressSpace::get().add_registered(pointer, size, context.device()))
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    MemoryTable::get().add(address_of(pointer), {&context, Allocation::Kind::registered, flags});
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemHostUnregister(void* pointer) {
  return call(__func__, [&] {
    refuse_unsafe_call();
    const std::optional<MemoryRecord> record = MemoryTable::get().find(address_of(pointer));
    if (!record || record->kind != Allocation::Kind::registered) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    const CUresult result = record->context->synchronize();
    if (MemoryTable::get().take(address_of(pointer))) release_memory(address_of(pointer), *record);
    return result;
  });
}
