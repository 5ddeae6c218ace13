// Finding symbols by the names that people write, and errors that list what there is.
#pragma once

#include <kiln/code_object.hpp>
#include <kiln/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Throws ArgumentError for brackets deeper than deepest_name.
void refuse_deep_name(std::string_view wanted);

/// The kernels that `wanted` names: by symbol, else by full C++ name, else by last components. A leading "::" requires
/// the full name.
std::vector<const KernelInfo*> find_kernels(std::string_view wanted, const std::vector<KernelInfo>& kernels);

/// The symbols of the variables that `wanted` names, in the same way.
std::vector<std::string> find_globals(std::string_view wanted, const std::vector<std::string>& symbols);

/// "scale<float, 4>" and "ns::scale<float, 4>(float*, int)" name instances; "f(vec<int>*)" does not.
bool names_instance(std::string_view wanted);

ArgumentError ambiguous_kernel(std::string_view wanted, const std::vector<const KernelInfo*>& candidates);
/// Of overloads, for parameter types that the caller states.
ArgumentError no_kernel_takes(std::string_view wanted, const std::vector<const KernelInfo*>& candidates);
/// `source` is the text that the code was made from, where it is known: a template there explains a missing kernel, as
/// a variable of that name does.
ArgumentError unknown_kernel(std::string_view wanted, const std::vector<KernelInfo>& kernels,
                             const std::vector<std::string>& globals, std::string_view source);
/// The variable that was probably meant, by the last component; empty where none is like it.
std::string similar_variable(std::string_view wanted, const std::vector<std::string>& names);
ArgumentError ambiguous_global(std::string_view wanted, const std::vector<std::string>& candidates);
ArgumentError global_in_two_sources(std::string_view wanted);
ArgumentError unknown_global(std::string_view wanted, const std::vector<std::string>& globals,
                             const std::vector<KernelInfo>& kernels, std::string_view source);

}  // namespace kiln
