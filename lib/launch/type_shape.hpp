// A demangled type taken apart.
#pragma once

#include <cstddef>
#include <string_view>

namespace kiln {

/// A builtin scalar of CUDA C++ on 64-bit Linux.
struct BuiltinType {
  std::string_view name;
  std::size_t size;
  bool is_floating;
};

struct TypeShape {
  std::string_view base;  // without qualifiers and pointers
  int pointers = 0;
  bool is_void() const { return base == "void"; }
};

/// Demanglers write all qualifiers behind what they qualify.
TypeShape shape_of(std::string_view type);
/// Null for void, classes, enumerations and all else.
const BuiltinType* builtin_type(std::string_view base);

}  // namespace kiln
