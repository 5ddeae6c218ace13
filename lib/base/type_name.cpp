#include "base/type_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kiln {

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    &std::free);
  return text != nullptr ? text.get() : type.name();
}

}  // namespace kiln
