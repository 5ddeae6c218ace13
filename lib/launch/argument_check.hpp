// Whether the arguments of a call fit a kernel's parameters, and what to say where they do not.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/detail/argument.hpp>

#include <string>
#include <vector>

namespace kiln {

/// Throws ArgumentError unless count, sizes and (where both sides show them) kinds and what pointers point to fit.
/// Allocates only to throw.
void check_arguments(const std::string& kernel, const std::vector<Parameter>& parameters,
                     const detail::Signature& signature);

/// The same, and the types: builtin scalars and pointers to them must be the same, const apart; void* and CUdeviceptr
/// fit every pointer; classes, which may have other names on the host, go by size.
void check_argument_types(const std::string& kernel, const std::vector<Parameter>& parameters,
                          const detail::Signature& signature);

/// Whether check_arguments takes this one.
bool fits(const Parameter& parameter, const detail::ArgumentInfo& argument);

/// Whether a pointer may be passed by what it points to, and a view by what it is of (types_fit.hpp); true where that
/// is not known.
bool contents_fit(const Parameter& parameter, const detail::ArgumentInfo& argument);

/// Whether the kernel takes all of a view whose address the call has: a class of its size.
bool takes_view(const Parameter& parameter, const detail::ArgumentInfo& argument);
/// What is passed for the parameter.
const detail::ArgumentInfo& passed_for(const Parameter& parameter, const detail::ArgumentInfo& argument);
/// Of arguments that were checked: `place` itself, or where all of the view is.
const void* place_for(const Parameter& parameter, const detail::ArgumentInfo& argument, const void* place);

// What errors about arguments are made of.

/// "float const* (pointer, 8 bytes)", as far as it is known.
std::string describe(const Parameter& parameter);
/// "double (floating, 8 bytes)".
std::string describe(const detail::ArgumentInfo& argument);
/// "no arguments", "1 argument", "3 arguments".
std::string count_text(std::size_t count);
/// "kernel k: argument 2 (counted from 0): expected ..., given ...<hint>".
[[noreturn]] void throw_wrong_argument(const std::string& kernel, std::size_t index, const std::string& expected,
                                       const std::string& given, const std::string& hint);
/// The same, with the way out where a usual slip shows.
[[noreturn]] void throw_misfit(const std::string& kernel, std::size_t index, const Parameter& parameter,
                               const detail::ArgumentInfo& argument);
/// Lists the parameters.
[[noreturn]] void throw_wrong_count(const std::string& kernel, const std::vector<Parameter>& parameters,
                                    std::size_t given_count);

}  // namespace kiln
