#include "toolkit/names/kernel_name.hpp"

namespace kiln {
namespace {

// Takes one "<length><name>" component of a mangled name off the text; empty where there is none.
std::string_view take_component(std::string_view& text) {
  std::size_t length = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9')
    length = length * 10 + static_cast<std::size_t>(text[digits++] - '0');
  if (digits == 0 || length > text.size() - digits) return {};
  const std::string_view component = text.substr(digits, length);
  text.remove_prefix(digits + length);
  return component;
}

}  // namespace

bool is_library_kernel(std::string_view symbol) {
  constexpr std::string_view of_file = "__nv_static_";
  return symbol.substr(0, of_file.size()) == of_file &&
         symbol.find("_cuda_device_runtime_cu_") != std::string_view::npos;
}

bool is_library_variable(std::string_view symbol) {
  const bool in_namespace = symbol.substr(0, 3) == "_ZN" || symbol.substr(0, 4) == "_ZZN";  // a thousand, with CUB
  if (!in_namespace) {
    for (const std::string_view prefix :
         {"$", "__CNPRT_", "__cudart_", "__kiln_name_", "__nv_", "__unnamed_", "_ZTV", "_ZTI", "_ZTS", "cudartError"})
      if (symbol.substr(0, prefix.size()) == prefix) return true;
    return false;
  }
  // Variables of a namespace, and static ones of a function in a namespace.
  std::string_view rest = symbol.substr(symbol[2] == 'N' ? 3 : 4);
  std::string_view component = take_component(rest);
  if (component.substr(0, 10) == "_INTERNAL_") component = take_component(rest);
  for (const std::string_view library :
       {"cuda", "cub", "thrust", "nv", "cooperative_groups", "__cccl_internal", "kiln_complex"})
    if (component == library) return true;
  return false;
}

}  // namespace kiln
