// The types that elements of a vector may have, under the names of C++ and of NumPy.
#pragma once

#include <kiln/detail/argument.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

/// One of a fixed table, so that its address stands for it.
struct ElementType {
  enum class Kind { boolean, integer, floating, half, bfloat16, complex };

  std::string_view name;  // "unsigned int"
  Kind kind;
  bool is_signed;
  std::size_t size;        // in bytes
  std::string_view numpy;  // "f4", as NumPy's files have it after the byte order; empty where NumPy has no such type
  detail::ArgumentInfo (*value)();    // of an argument that is one element
  detail::ArgumentInfo (*pointer)();  // of one that is a vector's address

  bool is_whole() const noexcept { return kind == Kind::boolean || kind == Kind::integer; }
  /// half or bfloat16: floating numbers of 16 bits, which C++ has as classes.
  bool is_small() const noexcept { return kind == Kind::half || kind == Kind::bfloat16; }
};

/// "float", "unsigned", "uint32", "half", "complex64"; null for any other name.
const ElementType* element_type(std::string_view name);
/// "f4"; null where there is none.
const ElementType* element_type_of_numpy(std::string_view numpy);
/// What a pointer such as "float const*" leads to; null for what is no pointer to one of the types.
const ElementType* element_behind(std::string_view pointer_type);

/// For errors: the names, with commas between.
std::string element_type_names();

}  // namespace kiln
