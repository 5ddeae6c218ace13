// Values that streams write to memory and wait for.
#include "emulator/memory/relaxed_values.hpp"
#include "emulator/provider/context/call.hpp"
#include "emulator/provider/context/memory.hpp"
#include "emulator/provider/stream/capture.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace kiln::emulator;

template <class T>
T* stream_value(CUdeviceptr address) {
  require(address % sizeof(T) == 0 && AddressSpace::get().writable(address, sizeof(T)),
          "no memory of the device, or misaligned");
  return reinterpret_cast<T*>(address);
}

template <class T>
CUresult write_value(CUstream stream, CUdeviceptr address, T value, unsigned flags) {
  require((flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) == 0);
  T* const at = stream_value<T>(address);
  enqueue(stream, [=] {
    relaxed_store(at, value);
    AddressSpace::get().mark_written(address, sizeof(T));
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

template <class T>
bool is_awaited(T found, T value, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<T>>(found - value) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return found == value;
    case CU_STREAM_WAIT_VALUE_AND:
      return (found & value) != 0;
    default:
      return static_cast<T>(~(found | value)) != 0;
  }
}

// The stream's work waits, until another one's, a kernel or the host writes the value, or a kernel of the context
// fails.
template <class T>
CUresult wait_value(CUstream handle, CUdeviceptr address, T value, unsigned flags) {
  require((flags & ~unsigned{CU_STREAM_WAIT_VALUE_NOR | CU_STREAM_WAIT_VALUE_FLUSH}) == 0);
  const unsigned condition = flags & unsigned{CU_STREAM_WAIT_VALUE_NOR};
  const T* const at = stream_value<T>(address);
  const Context* const context = &stream_of(handle)->context;
  enqueue(handle, [=] {
    constexpr std::chrono::microseconds pause{50};
    while (!is_awaited(relaxed_load(at), value, condition) && context->error() == CUDA_SUCCESS)
      std::this_thread::sleep_for(pause);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult enqueue_operation(CUstream stream, const CUstreamBatchMemOpParams& each) {
  switch (each.operation) {
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write_value<std::uint32_t>(stream, each.writeValue.address, each.writeValue.value, each.writeValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write_value<std::uint64_t>(stream, each.writeValue.address, each.writeValue.value64,
                                        each.writeValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return wait_value<std::uint32_t>(stream, each.waitValue.address, each.waitValue.value, each.waitValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return wait_value<std::uint64_t>(stream, each.waitValue.address, each.waitValue.value64, each.waitValue.flags);
    case CU_STREAM_MEM_OP_BARRIER:
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return CUDA_SUCCESS;  // work of a stream is in order, and there is no remote memory
    default:
      throw CallError(CUDA_ERROR_INVALID_VALUE, "");
  }
}

}  // namespace

KILN_EMULATOR_API cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return call(__func__, [&] { return write_value<std::uint32_t>(stream, address, value, flags); });
}

KILN_EMULATOR_API cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return call(__func__, [&] { return write_value<std::uint64_t>(stream, address, value, flags); });
}

KILN_EMULATOR_API cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return call(__func__, [&] { return wait_value<std::uint32_t>(stream, address, value, flags); });
}

KILN_EMULATOR_API cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return call(__func__, [&] { return wait_value<std::uint64_t>(stream, address, value, flags); });
}

KILN_EMULATOR_API cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                                     unsigned flags) {
  return call(__func__, [&] {
    require(count <= 256 && operations != nullptr && flags == 0);
    for (unsigned i = 0; i < count; ++i) (void)enqueue_operation(stream, operations[i]);
    return CUDA_SUCCESS;
  });
}
