#include "launch/types_fit.hpp"

#include <algorithm>
#include <array>

namespace kiln {

namespace {

constexpr std::array<std::string_view, 21> builtin_types = {
    "bool",         "char",    "signed char",   "unsigned char", "short",    "unsigned short",     "int",
    "unsigned int", "long",    "unsigned long", "long long",     "float",    "unsigned long long", "double",
    "long double",  "wchar_t", "char8_t",       "char16_t",      "char32_t", "__int128",           "unsigned __int128"};

constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "restrict", "__restrict", "__restrict__"};

struct TypeShape {
  std::string_view base;  // without qualifiers
  int pointers = 0;
  bool is_builtin() const { return std::find(builtin_types.begin(), builtin_types.end(), base) != builtin_types.end(); }
  bool is_void() const { return base == "void"; }
};

bool ends_with_word(std::string_view text, std::string_view word) {
  return text.size() > word.size() && text.ends_with(word) &&
         std::string_view(" *").find(text[text.size() - word.size() - 1]) != std::string_view::npos;
}

/// Takes a demangled type apart; demanglers write all qualifiers behind what they qualify.
TypeShape shape_of(std::string_view type) {
  TypeShape shape;
  for (;;) {
    while (type.ends_with(' ')) type.remove_suffix(1);
    const auto qualifier = std::find_if(qualifiers.begin(), qualifiers.end(),
                                        [&](std::string_view word) { return ends_with_word(type, word); });
    if (qualifier != qualifiers.end()) {
      type.remove_suffix(qualifier->size());
    } else if (type.ends_with('*')) {
      type.remove_suffix(1);
      ++shape.pointers;
    } else {
      shape.base = type;
      return shape;
    }
  }
}

}  // namespace

bool types_fit(std::string_view kernel_type, std::string_view host_type) {
  const TypeShape kernel = shape_of(kernel_type);
  const TypeShape host = shape_of(host_type);
  const bool kernel_any = kernel.pointers == 1 && kernel.is_void();
  const bool host_any = host.pointers == 1 && host.is_void();
  if ((kernel_any && host.pointers > 0) || (host_any && kernel.pointers > 0)) return true;
  if (kernel.base == host.base) return kernel.pointers == host.pointers;
  if (kernel.pointers == 0 && host.pointers == 0) return !kernel.is_builtin() || !host.is_builtin();
  const bool both_classes = !kernel.is_builtin() && !host.is_builtin() && !kernel.is_void() && !host.is_void();
  return both_classes && kernel.pointers == host.pointers;
}

}  // namespace kiln
