// Numbers as the command line writes them: C++'s literals.
#pragma once

#include "toolkit/names/element_type.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln::tool {

/// A number with the type that C++ gives it: 1000, -3, 7u, 1000l, 0x10, 1.5, 1.5f, true, inf, nan.
struct Literal {
  const ElementType* type = nullptr;
  std::uint64_t bits = 0;  // its bytes, the first size of them
};

/// Nothing for what is no such number, or one that no type of C++ holds.
std::optional<Literal> read_literal(std::string_view text);

/// Writes the number as an element of that type to `target`. False where the type cannot hold it: out of its range, or
/// a fraction for a whole number. Floating numbers are rounded. Not for complex types.
bool convert_literal(const Literal& literal, const ElementType& type, void* target);
/// "an integer from 0 to 255": what the type can hold, for errors.
std::string literal_range(const ElementType& type);

}  // namespace kiln::tool
