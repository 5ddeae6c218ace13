#include "toolkit/names/demangled_length.hpp"
#include "toolkit/names/kernel_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace kiln {
namespace {

// Compilers of CUDA put what is in an unnamed namespace into one that is named for the file, too.
std::string without_file_namespaces(std::string name) {
  constexpr std::string_view prefix = "_INTERNAL_";
  for (std::size_t at = name.find(prefix); at != std::string::npos; at = name.find(prefix, at)) {
    const std::size_t end = name.find("::", at);
    if (end == std::string::npos) break;
    name.erase(at, end + 2 - at);
  }
  return name;
}

}  // namespace

std::string demangle(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0 || !is_readable_symbol(symbol)) return symbol;  // or "f" would become "float"
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? without_file_namespaces(text.get()) : symbol;
}

}  // namespace kiln
