#include "toolkit/kernel_name.hpp"
#include "toolkit/symbol_weight.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace kiln {

std::string demangle(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0 || !is_readable_symbol(symbol)) return symbol;  // or "f" would become "float"
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

}  // namespace kiln
