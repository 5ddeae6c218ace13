// CUDA Tile C++, which Kiln does not support yet. Without its options compilers drop tile kernels, or compile them as
// ordinary ones, and succeed.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// Throws CompileError for tile kernels in the source, in macros of options, or in in-memory headers.
void refuse_tile_attributes(const CompilerJob& job);

/// Throws CompileError if the compiler's log mentions tile kernels, or the name to which kiln_host_macros.h expands
/// their annotation.
void refuse_tile_kernels(const CompilerJob& job, std::string_view log);

/// Goes before the first line of a source for nvcc, so that it refuses tile kernels.
std::string tile_refusal_lines();

}  // namespace kiln
