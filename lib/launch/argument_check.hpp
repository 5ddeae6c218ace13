// Whether the arguments of a call fit a kernel's parameters, and what to say where they do not.
#pragma once

#include <kiln/argument.hpp>
#include <kiln/code_object.hpp>

#include <string>
#include <vector>

namespace kiln {

/// Throws ArgumentError unless count, sizes and (where both sides tell them) kinds fit. Allocates only to throw.
void check_arguments(const std::string& kernel, const std::vector<Parameter>& parameters,
                     const detail::Signature& signature);

/// The same, and the types: builtin scalars and pointers to them must be the same, const apart; void* and CUdeviceptr
/// fit every pointer; classes, which may have other names on the host, go by size.
void check_argument_types(const std::string& kernel, const std::vector<Parameter>& parameters,
                          const detail::Signature& signature);

}  // namespace kiln
