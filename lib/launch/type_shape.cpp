#include "launch/type_shape.hpp"

#include <algorithm>
#include <array>

namespace kiln {

namespace {

constexpr std::array<BuiltinType, 21> builtin_types = {{{"bool", 1, false},
                                                        {"char", 1, false},
                                                        {"signed char", 1, false},
                                                        {"unsigned char", 1, false},
                                                        {"char8_t", 1, false},
                                                        {"short", 2, false},
                                                        {"unsigned short", 2, false},
                                                        {"char16_t", 2, false},
                                                        {"int", 4, false},
                                                        {"unsigned int", 4, false},
                                                        {"char32_t", 4, false},
                                                        {"wchar_t", 4, false},
                                                        {"long", 8, false},
                                                        {"unsigned long", 8, false},
                                                        {"long long", 8, false},
                                                        {"unsigned long long", 8, false},
                                                        {"__int128", 16, false},
                                                        {"unsigned __int128", 16, false},
                                                        {"float", 4, true},
                                                        {"double", 8, true},
                                                        {"long double", 16, true}}};

constexpr std::array<std::string_view, 5> qualifiers = {"const", "volatile", "restrict", "__restrict", "__restrict__"};

bool ends_with_word(std::string_view text, std::string_view word) {
  return text.size() > word.size() && text.ends_with(word) &&
         std::string_view(" *").find(text[text.size() - word.size() - 1]) != std::string_view::npos;
}

}  // namespace

const BuiltinType* builtin_type(std::string_view base) {
  const auto* const found = std::find_if(builtin_types.begin(), builtin_types.end(),
                                         [&](const BuiltinType& known) { return known.name == base; });
  return found == builtin_types.end() ? nullptr : found;
}

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

}  // namespace kiln
