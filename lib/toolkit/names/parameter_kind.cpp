#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/type_name.hpp"

#include <algorithm>
#include <iterator>

namespace kiln {
namespace {

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix) return false;
  text.remove_suffix(suffix.size());
  return true;
}

constexpr std::string_view integers[] = {
    "bool",         "char",     "signed char",   "unsigned char",    "short",   "unsigned short", "int",
    "unsigned int", "long",     "unsigned long", "wchar_t",          "char8_t", "long long",      "unsigned long long",
    "char16_t",     "char32_t", "__int128",      "unsigned __int128"};

}  // namespace

ParameterKind parameter_kind(std::string_view demangled_type) {
  const std::string canonical = canonical_type(demangled_type);
  std::string_view type = canonical;
  while (take_suffix(type, "const") || take_suffix(type, "volatile") || take_suffix(type, " ")) {
  }
  if (type.empty()) return ParameterKind::other;
  if (type.back() == '*' || type.back() == '&') return ParameterKind::pointer;
  // A pointer to a function, "void(*)(int)", or to an array, "int(*)[3]", and a reference to one; a member pointer has
  // its class before it.
  const bool has_address = type.find("(*") != std::string_view::npos || type.find("(&") != std::string_view::npos;
  if (has_address && bracket_depths(type).back() == 0 && (type.back() == ')' || type.back() == ']'))
    return ParameterKind::pointer;
  if (std::find(std::begin(integers), std::end(integers), type) != std::end(integers)) return ParameterKind::integer;
  return type == "float" || type == "double" || type == "long double" ? ParameterKind::floating : ParameterKind::other;
}

}  // namespace kiln
