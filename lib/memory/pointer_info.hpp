// What the driver knows of an address.
#pragma once

#include "memory/context.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

namespace kiln {

/// The device whose memory the address is; none for memory that the driver does not know (the host's own).
std::optional<int> pointer_device(CUdeviceptr address);

/// The context of the address's memory; the primary context of its device where the memory belongs to none (a
/// stream-ordered pool's); the calling thread's (require_context first) where the driver does not know the address.
CUcontext pointer_context(CUdeviceptr address);

/// The current context where it is of that memory's device, or where the driver does not know the address; else
/// pointer_context. Makes a context current where the thread has none.
CUcontext context_near(CUdeviceptr address);

/// Makes a driver call that is work of the memory's device, in that device's default stream, whichever device is
/// current: else it would have no order with that device's other work. One device costs no look-up.
template <class Call>
int in_memory_context(CUdeviceptr address, Call call) {
  if (device_count() == 1) return with_context(call);
  const ContextGuard guard(context_near(address));
  return call();
}

struct MemoryRange {
  CUdeviceptr begin;
  std::size_t bytes;
};
/// The whole allocation that an address is in; nothing where the driver knows of none.
std::optional<MemoryRange> allocation_of(CUdeviceptr address);

/// check_work, to be called where `result` is an error, for a call that uses so many bytes at each of the addresses:
/// where the driver takes no such memory, the error says at which address there is none, or too little.
[[noreturn]] void throw_memory_error(int result, const char* call, const std::string& context,
                                     std::initializer_list<CUdeviceptr> addresses, std::size_t bytes);

}  // namespace kiln
