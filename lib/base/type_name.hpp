// C++ type names of the host as text.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <typeinfo>

namespace kiln {

/// As a person writes it, in the form that demangled symbols have: "float const*".
inline std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  return text != nullptr ? text.get() : type.name();
}

}  // namespace kiln
