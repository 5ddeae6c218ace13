// What to do about an error, by its kind: a source for each.
#pragma once

#include "compile/compiler/compile_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

// Arrays with the wrong sizes or indices.

/// What to do about an array whose size is no constant or is missing, and about a value that has more indices than it
/// has dimensions; empty for other errors.
std::string array_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

// Headers that a source includes and that are not there.

/// Which header was meant, whose it is, or where headers are looked for; empty where the error is about none.
std::string header_advice(const Diagnostic& error, const FailedCompile& failed);

// Macros whose text is the cause of an error where they are used.

/// A sentence about a macro that the error's line uses, of the source or of the options, whose definition has a "=", a
/// ";" at its end or a bracket that is not closed: which one, and how it is to be written. Empty where no macro is at
/// fault.
std::string macro_fault_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

// Names that NVIDIA's C++ libraries had before CUDA 13.

/// What to write in place of a name of a library that CUDA 13 (CCCL 3) removed, such as "cub::Max", with its header;
/// empty for other names.
std::string removed_member_advice(std::string_view scope, std::string_view name);

// CUDA's vector types, such as float3, used as if they were classes or numbers.

/// How many numbers such a type has: 3 of "float3" and "const float3", 4 of "double4_16a"; 0 of other types.
std::size_t vector_size(std::string_view type);

/// What to write in place of a constructor, an operator or a conversion that they do not have, or of threadIdx without
/// a component; empty for other errors.
std::string vector_advice(const Diagnostic& error, std::string_view line);

// What to do about a call, or an operator, with other types than there are.

/// A sentence about the arguments of a call, mostly of one of CUDA's functions, or about the operands of an operator,
/// for which no function fits, or several do: a mask, a pointer, a cast or another function. Empty for other errors.
/// `lines` are those of the error's place.
std::string call_advice(const Diagnostic& error, const NumberedLines& lines, const FailedCompile& failed);

}  // namespace kiln
