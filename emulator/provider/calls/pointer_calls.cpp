// Properties of addresses.
#include "emulator/memory/virtual_memory.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/pool.hpp"

namespace {

using namespace kiln::emulator;

Context& owner_of(const Allocation& allocation) {
  if (const auto record = MemoryTable::get().find(allocation.base)) return *record->context;
  Context* const current = current_context_or_null();  // a variable of a module
  return current != nullptr && current->device() == allocation.device ? *current : primary_context(allocation.device);
}

bool is_host_memory(Allocation::Kind kind) {
  return kind == Allocation::Kind::host || kind == Allocation::Kind::registered;
}

template <class T>
CUresult give(void* out, T value) {
  *static_cast<T*>(out) = value;
  return CUDA_SUCCESS;
}

unsigned access_flags(const Mapping& mapping) {
  const auto found = mapping.rights.find(current_context().device());
  if (found == mapping.rights.end() || found->second == Rights::none) return CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
  return found->second == Rights::read ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ
                                       : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
}

// Of an address in a reserved range; without a mapping the range alone is known. The memory is of no context.
CUresult virtual_attribute(void* out, CUpointer_attribute attribute, CUdeviceptr address, const Allocation& range) {
  const std::optional<Mapping> mapping = VirtualMemory::get().mapping(address);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(out, static_cast<CUdeviceptr>(range.base));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(out, static_cast<std::size_t>(range.size));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return give(out, mapping ? 1u : 0u);
    default:
      require(mapping.has_value(), "the address is reserved, but nothing is mapped there");
  }
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return give(out, std::uint64_t{0});
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(out, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(out, address);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return give(out, 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(out, mapping->block->device);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return give(out, static_cast<unsigned long long>(mapping->block->id));
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return give(out, static_cast<unsigned long long>(mapping->block->handle_types));
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(out, access_flags(*mapping));
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return give(out, static_cast<CUdeviceptr>(mapping->base));
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return give(out, static_cast<std::size_t>(mapping->size));
    default:
      require(attribute != CU_POINTER_ATTRIBUTE_HOST_POINTER, "the host has no pointer to the memory");
      return not_supported("cuPointerGetAttribute", ("attribute " + std::to_string(attribute)).c_str());
  }
}

CUresult attribute_of(void* out, CUpointer_attribute attribute, CUdeviceptr address) {
  if (const auto range = VirtualMemory::get().range(address)) return virtual_attribute(out, attribute, address, *range);
  const std::optional<Allocation> found = AddressSpace::get().find(address);
  require(found.has_value());
  const bool host = is_host_memory(found->kind), managed = found->kind == Allocation::Kind::managed;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(out, owner_of(*found).handle());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(out, static_cast<unsigned>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return give(out, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      require(host || managed);
      return give(out, reinterpret_cast<void*>(address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return give(out, 0u);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return give(out, static_cast<unsigned long long>(found->base));  // addresses are not reused soon
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(out, managed ? 1u : 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(out, found->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(out, static_cast<CUdeviceptr>(found->base));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(out, static_cast<std::size_t>(found->size));
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return give(out, 1u);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return give(out, pool_of_memory(found->base));
    default:
      return not_supported("cuPointerGetAttribute", ("attribute " + std::to_string(attribute)).c_str());
  }
}

}  // namespace

KILN_EMULATOR_API cuPointerGetAttribute(void* out, CUpointer_attribute attribute, CUdeviceptr address) {
  return call_anyway(__func__, [&] {
    require(out != nullptr);
    return attribute_of(out, attribute, address);
  });
}

// All values of an unknown address are 0.
KILN_EMULATOR_API cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** out,
                                         CUdeviceptr address) {
  return call_anyway(__func__, [&] {
    require(count == 0 || (attributes != nullptr && out != nullptr));
    const bool known = is_known(address);
    for (unsigned i = 0; i < count; ++i) {
      const bool is_wide = attributes[i] == CU_POINTER_ATTRIBUTE_CONTEXT ||
                           attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                           attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER;
      CUresult result = CUDA_SUCCESS;
      if (known)
        result = attribute_of(out[i], attributes[i], address);
      else if (is_wide)
        result = give(out[i], std::uint64_t{0});
      else
        result = give(out[i], attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL ? -2 : 0);
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  });
}
