// A type as CUDA C++ spells it.
#pragma once

#include <kiln/export.hpp>

#include <string>
#include <typeinfo>

namespace kiln::detail {

/// Its name has T's in full, where typeid(T) has no reference and no const of T itself.
template <class T>
struct Spelled {};

KILN_EXPORT std::string spelled_type(const std::type_info& spelled);
/// Of the type that the object was made as.
KILN_EXPORT std::string spelled_dynamic_type(const std::type_info& type);

}  // namespace kiln::detail
