// From an address that a lane computed to the bytes on the host, or a Fault.
#pragma once

#include "emulator/machine/warp.hpp"
#include "emulator/ptx/module.hpp"

#include <cstddef>
#include <cstdint>

namespace kiln::emulator {

enum class Access : std::uint8_t { read, write, read_write };

/// The host bytes of [address, address + size) in that space (generic: by its windows), for one lane. Throws Fault,
/// with CUDA_ERROR_ILLEGAL_ADDRESS (out of bounds, freed, null, wrong space, read-only) or
/// CUDA_ERROR_MISALIGNED_ADDRESS and a text that says what lies nearest. Tells the checks of races and of memory never
/// written, where they are on. Defined inline for speed, with the usual case first.
std::byte* host_bytes(Warp& warp, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                      unsigned size, Access access);

}  // namespace kiln::emulator
