// Members of the namespaces of NVIDIA's C++ libraries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// The header that has a name of a library with its namespaces; empty for other names.
std::string member_header(std::string_view name);

/// Whether it is a function of CUDA that stands in no namespace, such as "rsqrt" of "cuda::std::rsqrt".
bool is_of_no_namespace(std::string_view name);

/// A sentence about a name with its namespaces, such as "cuda::atomic" or "cooperative_groups::redcue", that a source
/// uses and does not declare: the header that has it, where the source does not include that one, or the nearest of
/// the library's names, what there is in place of one that was removed, or that CUDA has the function without a
/// namespace. A name without a namespace is looked for in those that the source is `using`. Empty for other names, and
/// where nothing is known. `at` is the byte of the source where the error is; npos: in another text.
std::string namespace_member_advice(std::string_view name, std::string_view source,
                                    std::size_t at = std::string_view::npos);

}  // namespace kiln
