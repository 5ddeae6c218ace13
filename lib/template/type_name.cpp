#include "base/type_name.hpp"

#include "base/argument_error.hpp"
#include "base/library_version.hpp"

#include <kiln/type_name.hpp>

#include <string_view>

namespace kiln {

namespace {

/// What demanglers write for types that have no name elsewhere.
bool has_no_name(std::string_view type) {
  for (const std::string_view sign : {"(anonymous", "{lambda", "{unnamed", "'lambda", "'unnamed", ")::", ") const::"})
    if (type.find(sign) != std::string_view::npos) return true;
  return false;
}

/// The demangler writes a local class of main, or of another function without parameter types in its symbol, as if it
/// were in a namespace: "main::Local". In the mangled name it follows "Z4mainE".
bool is_in_plain_function(std::string_view mangled) {
  for (std::size_t at = mangled.find('Z'); at != std::string_view::npos; at = mangled.find('Z', at + 1)) {
    std::size_t begin = at + 1;
    std::size_t size = 0;
    while (begin < mangled.size() && mangled[begin] >= '0' && mangled[begin] <= '9' && size < mangled.size())
      size = size * 10 + static_cast<std::size_t>(mangled[begin++] - '0');
    if (size != 0 && size < mangled.size() - begin && mangled[begin + size] == 'E') return true;
  }
  return false;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
}

/// CUDA code has no std::complex and no std::byte, but others of the same layout.
std::string with_cuda_types(std::string type) {
  constexpr std::string_view cuda = "cuda::";
  for (const std::string_view host : {"std::complex<", "std::byte"}) {
    for (std::size_t at = type.find(host); at != std::string::npos; at = type.find(host, at + host.size())) {
      const std::size_t end = at + host.size();
      const bool is_whole = host.back() == '<' || end == type.size() || !is_word(type[end]);
      if ((at != 0 && is_word(type[at - 1])) || !is_whole) continue;
      type.insert(at, cuda);
      at += cuda.size();
    }
  }
  return type;
}

/// `mangled` is the name of a type with `type` in it.
std::string named_type(const std::string& type, const char* mangled) {
  if (has_no_name(type) || is_in_plain_function(mangled))
    throw_argument_error("type_name: " + type +
                             " has no name outside the place where it is declared; declare the type in a header or "
                             "namespace that has a name, or write the name that the CUDA source has for it",
                         "a type with a name", type);
  return with_cuda_types(without_library_versions(type));
}

}  // namespace

std::string detail::spelled_type(const std::type_info& spelled) {
  std::string type = type_name(spelled);
  const std::size_t open = type.find('<');
  const std::size_t close = type.rfind('>');
  type = type.substr(open + 1, close - open - 1);
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return named_type(type, spelled.name());
}

std::string detail::spelled_dynamic_type(const std::type_info& type) {
  return named_type(type_name(type), type.name());
}

}  // namespace kiln
