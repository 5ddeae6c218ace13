#include "emulator/instructions/device_runtime/builtin.hpp"

#include "emulator/core/addresses.hpp"
#include "emulator/instructions/device_runtime/device_printf.hpp"
#include "emulator/machine/block.hpp"
#include "emulator/machine/host_bytes.hpp"
#include "emulator/memory/device_heap.hpp"
#include "emulator/memory/relaxed_values.hpp"

#include <cstdio>
#include <cstring>
#include <string>

namespace kiln::emulator {

namespace {

std::string triple(Dim3 index) {
  return "[" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + "]";
}

// int vprintf(format, arguments)
void print(BuiltinCall& call) {
  std::string text;
  each_lane(call.active, [&](unsigned lane) {
    const LaneMemory memory(call.warp, lane);
    const auto format = call.argument<std::uint64_t>(lane, 0);
    call.set_result(lane, device_printf(memory, format, call.argument<std::uint64_t>(lane, 1), text));
  });
  if (!text.empty()) call.warp.block().launch().print(text);
}

// void __assertfail(message, file, line, function, size of a character)
void fail_assertion(BuiltinCall& call) {
  const unsigned first = first_lane(call.active);
  std::string all, what;
  each_lane(call.active, [&](unsigned lane) {
    const LaneMemory memory(call.warp, lane);
    const auto text = [&](std::size_t number) { return memory.text(call.argument<std::uint64_t>(lane, number)); };
    const std::string assertion = "Assertion `" + text(0) + "` failed";
    const Block& block = call.warp.block();
    all += text(1) + ":" + std::to_string(call.argument<std::uint32_t>(lane, 2)) + ": " + text(3) +
           ": block: " + triple(block.index()) + ", thread: " + triple(block.thread(call.warp, lane)) + " " +
           assertion + ".\n";
    if (lane == first) what = assertion;
  });
  std::fwrite(all.data(), 1, all.size(), stderr);
  throw Fault(CUDA_ERROR_ASSERT, first, what);
}

// void* malloc(size)
void builtin_allocate(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    call.set_result(lane, DeviceHeap::get().allocate(call.argument<std::uint64_t>(lane, 0)));
  });
}

// void* aligned_malloc(size, alignment)
void allocate_aligned(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    const auto size = call.argument<std::uint64_t>(lane, 0);
    call.set_result(lane, DeviceHeap::get().allocate(size, call.argument<std::uint64_t>(lane, 1)));
  });
}

// void free(pointer)
void release(BuiltinCall& call) {
  each_lane(call.active, [&](unsigned lane) {
    const auto address = call.argument<std::uint64_t>(lane, 0);
    if (address == 0 || DeviceHeap::get().release(address)) return;
    const std::optional<Allocation> block = DeviceHeap::get().nearest(address);
    throw Fault(
        CUDA_ERROR_ILLEGAL_ADDRESS, lane,
        block && block->base == address && block->freed
            ? "frees the block at " + address_text(address) + " for the second time"
            : "frees " + address_text(address) + ", which is not the address of a block from the kernel's malloc");
  });
}

Builtin find(std::span<const BuiltinRow> rows, std::string_view name) {
  for (const BuiltinRow& row : rows)
    if (row.name == name) return row.run;
  return nullptr;
}

// Compilers of CUDA 12 and newer call "__cudaCDP2GetLastError", older ones "cudaGetLastError".
constexpr std::string_view runtime_prefixes[] = {"__cudaCDP2", "cuda"};

}  // namespace

Builtin builtin_named(std::string_view name) {
  static constexpr BuiltinRow rows[] = {
      {"vprintf", print},
      {"__assertfail", fail_assertion},
      {"malloc", builtin_allocate},
      {"free", release},
      {"__cuda_syscall_aligned_malloc", allocate_aligned},
  };
  if (const Builtin found = find(rows, name)) return found;
  for (const std::string_view prefix : runtime_prefixes) {
    if (!name.starts_with(prefix)) continue;
    for (const auto family : {launch_function_rows, stream_function_rows, query_function_rows, copy_function_rows})
      if (const Builtin found = find(family(), name.substr(prefix.size()))) return found;
  }
  return nullptr;
}

bool is_unsupported_builtin(std::string_view name) {
  for (const std::string_view prefix : {"__cudaCDP2", "cudaCDP", "cudaGraph", "cudaCG"})
    if (name.starts_with(prefix)) return builtin_named(name) == nullptr;
  return false;
}

std::byte* LaneMemory::host(std::uint64_t generic_address, unsigned size, Access access) const {
  const Step& call = warp_.frame().code->steps[warp_.current().pc - 1];
  return host_bytes(warp_, call, lane_, ptx::Space::generic, generic_address, size, access);
}

void LaneMemory::read(std::uint64_t generic_address, void* to, unsigned size) const {
  const std::byte* const from = host(generic_address, size, Access::read);
  for (unsigned i = 0; i < size; ++i) {
    const std::uint8_t byte = relaxed_load(reinterpret_cast<const std::uint8_t*>(from + i));
    std::memcpy(static_cast<std::byte*>(to) + i, &byte, 1);
  }
}

void LaneMemory::write(std::uint64_t generic_address, const void* from, unsigned size) const {
  std::byte* const to = host(generic_address, size, Access::write);
  for (unsigned i = 0; i < size; ++i)
    relaxed_store(reinterpret_cast<std::uint8_t*>(to + i), static_cast<const std::uint8_t*>(from)[i]);
}

std::string LaneMemory::text(std::uint64_t generic_address) const {
  std::string all;
  while (const char next = value<char>(generic_address + all.size())) all += next;
  return all;
}

}  // namespace kiln::emulator
