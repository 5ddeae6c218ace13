// Kernel names: from symbols to what a person writes, and back by comparison.
#pragma once

#include <kiln/code_object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The demangled name, without the namespace that stands for a file; the symbol itself where it is not mangled, and
/// where its name would be unreasonably long or deep: symbols come from files of strangers, too.
std::string demangle(const std::string& symbol);

/// One spelling for every spacing of a C++ name or expression: no blanks but those that separate two words, so that
/// "scale< float,4 >" and "scale<float, 4>" are equal. Text within quotes is left alone.
std::string canonical_spacing(std::string_view expression);

/// A name with "<unnamed>", as NVIDIA's compilers write it, in the demangler's spelling "(anonymous namespace)".
std::string with_unnamed_as_demangled(std::string_view name);

/// As a source can write it: without its unnamed namespaces.
std::string without_unnamed(std::string_view name);

/// A demangled function name taken apart: "void ns::scale<float, 4>(float*, int)" gives the qualified name
/// "ns::scale<float, 4>" (no return type) and the parameters. Parameters are empty, and has_parameters false, for a
/// plain symbol.
struct ReadableName {
  std::string qualified_name;
  std::vector<std::string> parameters;
  bool has_parameters = false;
};
ReadableName parse_demangled(std::string_view demangled);

/// The kind that a demangled parameter type shows: "float const*" is a pointer, "unsigned int" an integer.
ParameterKind parameter_kind(std::string_view demangled_type);

/// Whether `wanted` (as the user wrote it) names the function: the exact symbol, the qualified name, its last
/// components ("scale" for ns::scale and for ns::scale<float, 4>), each with or without template arguments and
/// parameter list. Unnamed namespaces may be written or left out.
bool names_function(std::string_view wanted, const std::string& symbol);

/// The same for a variable.
bool names_variable(std::string_view wanted, const std::string& symbol);

/// Fills a kernel's readable name, and its parameters' types and kinds where the name has them, from its symbol and
/// the number of its parameters. Other kinds stay.
void add_readable_name(KernelInfo& kernel);

/// Whether a variable's symbol is not the program's own: a constant of CUDA's C++ libraries (a source that includes CUB
/// has a thousand) or of Kiln's own headers, a string literal, a table of a mathematical function, one of the device
/// runtime (cudadevrt).
bool is_library_variable(std::string_view symbol);

/// Whether a kernel's symbol is of the device runtime: code that is linked with it has some thirty.
bool is_library_kernel(std::string_view symbol);

}  // namespace kiln
