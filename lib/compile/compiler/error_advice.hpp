// What to do about a compiler's error.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// A sentence about an error that says the same of every source, such as that a kernel uses too much shared memory;
/// empty for others.
std::string advice_for_words(std::string_view error);

/// The same, and of a function or variable that is defined nowhere its name and the lines of the source that have it.
std::string advice_for_words(std::string_view error, std::string_view source);

/// What to do where a kernel or a source needs more than there is.
inline constexpr const char* shared_memory_advice =
    "A kernel's own __shared__ variables have 48 KB. More is dynamic shared memory: declare it as extern __shared__, "
    "and give its bytes at the launch.";
inline constexpr const char* constant_memory_advice =
    "__constant__ variables have 64 KB in all: keep large tables in __device__ const variables or in buffers.";
inline constexpr const char* parameter_advice =
    "Pass a pointer to the data in device memory (DeviceBuffer), or keep it in a __constant__ variable.";

/// Whole sentences, each on its line; empty where there is nothing to say beyond the error. By that error's words
/// and place alone: the same words elsewhere in a log, as in a line of the source, mean nothing. `lines` are those of
/// the place.
std::string error_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
