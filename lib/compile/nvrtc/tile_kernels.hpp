// CUDA Tile C++, which Kiln does not support yet: a compiler that is not asked for it drops tile kernels, or makes
// ordinary ones of them, and succeeds.
#pragma once

#include "compile/compiler/compiler_job.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// By what the source, what options define, and in-memory headers spell. Throws CompileError.
void refuse_tile_attributes(const CompilerJob& job);

/// By what the compiler's log says of tile kernels, or of the name that kiln_host_macros.h makes of their annotation.
/// Throws CompileError.
void refuse_tile_kernels(const CompilerJob& job, std::string_view log);

/// What stands before the first line of a source for nvcc, so that it refuses tile kernels.
std::string tile_refusal_lines();

}  // namespace kiln
