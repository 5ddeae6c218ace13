// Virtual memory: reserved ranges of addresses, and memory that is mapped into them.
#include "emulator/core/device_attributes.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/context.hpp"
#include "emulator/provider/context/physical_handles.hpp"

namespace {

using namespace kiln::emulator;

[[noreturn]] void refuse_unsupported(const char* what) {
  throw CallError(CUDA_ERROR_NOT_SUPPORTED, std::string("not supported by the emulator: ") + what);
}

void check_mapped_location(const CUmemLocation& location) {
  if (location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA)
    refuse_unsupported("virtual memory that is not of a device");
  require(location.type == CU_MEM_LOCATION_TYPE_DEVICE);
  check_device(location.id);
}

// The export itself is refused. PyTorch asks for descriptors of files, and mostly exports nothing.
void check_handle_types(unsigned types) {
  if ((types & ~static_cast<unsigned>(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)) != 0)
    refuse_unsupported("shareable handles of memory, but for descriptors of files, whose export is refused");
}

void check_properties(const CUmemAllocationProp* properties) {
  require(properties != nullptr);
  require(properties->type == CU_MEM_ALLOCATION_TYPE_PINNED, "memory that is not CU_MEM_ALLOCATION_TYPE_PINNED");
  check_mapped_location(properties->location);
  check_handle_types(properties->requestedHandleTypes);
  if (properties->allocFlags.usage != 0) refuse_unsupported("memory for sparse arrays, and for decompression");
  if (properties->allocFlags.gpuDirectRDMACapable != 0) refuse_unsupported("memory for other devices on the bus");
}

Rights rights_of(CUmemAccess_flags flags) {
  switch (flags) {
    case CU_MEM_ACCESS_FLAGS_PROT_NONE:
      return Rights::none;
    case CU_MEM_ACCESS_FLAGS_PROT_READ:
      return Rights::read;
    case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
      return Rights::read_write;
    default:
      throw CallError(CUDA_ERROR_INVALID_VALUE, "these are no flags of an access");
  }
}

unsigned long long flags_of(Rights rights) {
  switch (rights) {
    case Rights::none:
      return CU_MEM_ACCESS_FLAGS_PROT_NONE;
    case Rights::read:
      return CU_MEM_ACCESS_FLAGS_PROT_READ;
    default:
      return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
}

Mapping mapping_of(std::uint64_t address) {
  const std::optional<Mapping> found = VirtualMemory::get().mapping(address);
  require(found.has_value(), "nothing is mapped at this address by cuMemMap");
  return *found;
}

}  // namespace

KILN_EMULATOR_API cuMemGetAllocationGranularity(size_t* out, const CUmemAllocationProp* properties,
                                                CUmemAllocationGranularity_flags option) {
  return call(__func__, [&] {
    require(out != nullptr);
    require(option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    check_properties(properties);
    *out = VirtualMemory::granularity;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemAddressReserve(CUdeviceptr* out, size_t size, size_t alignment, CUdeviceptr wanted,
                                      unsigned long long flags) {
  return call(__func__, [&] {
    require(out != nullptr && flags == 0);
    const std::uint64_t base = VirtualMemory::get().reserve(size, alignment, wanted);
    if (base == 0) return CUDA_ERROR_OUT_OF_MEMORY;
    *out = base;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemAddressFree(CUdeviceptr address, size_t size) {
  return call(__func__, [&] {
    VirtualMemory::get().unreserve(address, size);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemCreate(CUmemGenericAllocationHandle* out, size_t size, const CUmemAllocationProp* properties,
                              unsigned long long flags) {
  return call(__func__, [&] {
    require(out != nullptr && flags == 0);
    check_properties(properties);
    const PhysicalBlockPtr block =
        VirtualMemory::get().create(size, properties->location.id, properties->requestedHandleTypes);
    if (block == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    *out = PhysicalHandles::get().give(block);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemRelease(CUmemGenericAllocationHandle handle) {
  return call(__func__, [&] {
    PhysicalHandles::get().release(handle);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* out, void* address) {
  return call(__func__, [&] {
    require(out != nullptr);
    *out = PhysicalHandles::get().give(mapping_of(reinterpret_cast<std::uint64_t>(address)).block);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* out,
                                                         CUmemGenericAllocationHandle handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    const PhysicalBlockPtr block = PhysicalHandles::get().find(handle);
    *out = CUmemAllocationProp{};
    out->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    out->requestedHandleTypes = static_cast<CUmemAllocationHandleType>(block->handle_types);
    out->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    out->location.id = block->device;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                           unsigned long long flags) {
  return call(__func__, [&] {
    require(flags == 0);
    require(offset == 0, "an offset into the memory other than 0");
    VirtualMemory::get().map(address, size, PhysicalHandles::get().find(handle));
    return CUDA_SUCCESS;
  });
}

// Waits, as the driver does in most cases, for work that may still use the memory.
KILN_EMULATOR_API cuMemUnmap(CUdeviceptr address, size_t size) {
  return call(__func__, [&] {
    Context* const current = current_context_or_null();
    const CUresult result = current == nullptr ? CUDA_SUCCESS : current->synchronize();
    VirtualMemory::get().unmap(address, size);
    return result;
  });
}

KILN_EMULATOR_API cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* allowed, size_t count) {
  return call(__func__, [&] {
    require(allowed != nullptr && count != 0);
    RightsByDevice rights;
    for (std::size_t i = 0; i < count; ++i) {
      check_mapped_location(allowed[i].location);
      rights[allowed[i].location.id] = rights_of(allowed[i].flags);
    }
    VirtualMemory::get().set_rights(address, size, rights);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemGetAccess(unsigned long long* out, const CUmemLocation* location, CUdeviceptr address) {
  return call(__func__, [&] {
    require(out != nullptr && location != nullptr);
    check_mapped_location(*location);
    const Mapping mapping = mapping_of(address);
    const auto found = mapping.rights.find(location->id);
    *out = flags_of(found == mapping.rights.end() ? Rights::none : found->second);
    return CUDA_SUCCESS;
  });
}
