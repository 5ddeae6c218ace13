// The memory into which NVRTC maps precompiled headers: it must lie at the same address in each process.
#pragma once

#include "toolkit/libraries/nvrtc_library.hpp"

#include <string>

namespace kiln {

/// Has NVRTC put its heap for precompiled headers at an address that is the same in all processes, and be as large as
/// any compile needs; only what is used of it becomes memory. Once for the process, before the first program that
/// makes or uses one. Empty, or why that cannot be done in this process. Needs a program that exports the `mmap` of
/// pch_heap.cpp (pch_heap.list).
const std::string& prepare_pch_heap(const NvrtcLibrary& nvrtc);

/// Whether NVRTC has asked for the heap and got another address.
bool is_pch_heap_misplaced() noexcept;

}  // namespace kiln
