// How much of L2 is set aside for persisting lines: a limit of a context, which several windows share.
#pragma once

#include "toolkit/driver/driver.hpp"

#include <cstddef>

namespace kiln {

/// Takes up to `wanted` bytes for the window of a stream, so that all windows of the context together stay within
/// `most`, and raises the context's limit to their sum where it is less. Returns what was taken. The context must be
/// current. Throws ArgumentError where the stream has a window, and leaves all as it was where it throws. Thread-safe.
std::size_t take_persisting_l2(CUcontext context, CUstream stream, std::size_t wanted, std::size_t most);

/// Gives back what the stream's window took: the limit falls to what the others need, in the end to what it was before
/// the first. Never throws, also where the context is gone.
void give_back_persisting_l2(CUcontext context, CUstream stream) noexcept;

}  // namespace kiln
