// Device, pitched, managed and stream-ordered memory.
#include "emulator/memory/virtual_memory.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/context/pool.hpp"
#include "emulator/provider/stream/capture.hpp"

namespace {

using namespace kiln::emulator;

constexpr std::size_t pitch_unit = 512;

// Frees the memory with the last graph that may use it.
std::shared_ptr<void> kept(std::uint64_t base, const MemoryRecord& record) {
  return {nullptr, [=](void*) { release_memory(base, record); }};
}

CUresult free_in_order(CUdeviceptr address, CUstream handle) {
  const StreamPtr stream = stream_of(handle);
  const std::shared_ptr<Capture> capture = capture_of(*stream);
  const std::optional<MemoryRecord> record = MemoryTable::get().take(address);
  require(record.has_value() && record->kind != Allocation::Kind::host);
  if (capture != nullptr) {
    capture->graph->keep(kept(address, *record));
    return CUDA_SUCCESS;
  }
  (void)append(*stream, [=, record = *record] {
    release_memory(address, record);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

}  // namespace

KILN_EMULATOR_API cuMemAlloc(CUdeviceptr* out, size_t size) {
  return call(__func__, [&] {
    require(out != nullptr);
    Context& context = current_context();
    refuse_unsafe_call();
    *out = MemoryTable::get().allocate(context, size, Allocation::Kind::device);
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemAllocPitch(CUdeviceptr* out, size_t* pitch, size_t width, size_t height, unsigned element) {
  return call(__func__, [&] {
    require(out != nullptr && pitch != nullptr && width != 0 && height != 0);
    require(element == 4 || element == 8 || element == 16);
    Context& context = current_context();
    refuse_unsafe_call();
    constexpr std::size_t most = std::size_t{1} << 47;
    if (width > most || height > most / width) throw CallError(CUDA_ERROR_OUT_OF_MEMORY, "");
    const std::size_t row = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    *out = MemoryTable::get().allocate(context, row * height, Allocation::Kind::device);
    *pitch = row;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemAllocManaged(CUdeviceptr* out, size_t size, unsigned flags) {
  return call(__func__, [&] {
    require(out != nullptr && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST));
    Context& context = current_context();
    refuse_unsafe_call();
    *out = MemoryTable::get().allocate(context, size, Allocation::Kind::managed, flags);
    return CUDA_SUCCESS;
  });
}

// Waits for all work of the context, which may still use the memory.
KILN_EMULATOR_API cuMemFree(CUdeviceptr address) {
  return call(__func__, [&] {
    refuse_unsafe_call();
    const std::optional<MemoryRecord> record = MemoryTable::get().find(address);
    require(record.has_value() &&
            (record->kind == Allocation::Kind::device || record->kind == Allocation::Kind::managed));
    const CUresult result = record->context->synchronize();
    if (MemoryTable::get().take(address)) release_memory(address, *record);
    return result;
  });
}

KILN_EMULATOR_API cuMemAllocAsync(CUdeviceptr* out, size_t size, CUstream handle) {
  return call(__func__, [&] {
    require(out != nullptr);
    const StreamPtr stream = stream_of(handle);
    (void)capture_of(*stream);
    *out = MemoryTable::get().allocate(stream->context, size, Allocation::Kind::device);
    note_pool_memory(*out, size, current_pool(stream->context.device()));
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call(__func__, [&] { return free_in_order(address, stream); });
}

KILN_EMULATOR_API cuMemGetInfo(size_t* free, size_t* total) {
  return call(__func__, [&] {
    require(free != nullptr && total != nullptr);
    const std::uint64_t used = AddressSpace::get().used(current_context().device());
    *total = AddressSpace::get().total();
    *free = used < *total ? *total - used : 0;
    return CUDA_SUCCESS;
  });
}

KILN_EMULATOR_API cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  return call(__func__, [&] {
    (void)current_context();
    std::optional<Allocation> found = AddressSpace::get().find(address);
    if (const auto mapping = VirtualMemory::get().mapping(address)) found = mapping->allocation();
    if (!found) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = found->base;
    if (size != nullptr) *size = found->size;
    return CUDA_SUCCESS;
  });
}
