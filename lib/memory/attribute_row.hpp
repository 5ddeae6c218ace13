// A row of a table of attributes by name: of devices and of functions.
#pragma once

#include <cstddef>

namespace kiln {

template <class Attribute>
struct AttributeRow {
  const char* name;
  Attribute attribute;
  int number;  // cuda.h's
};

/// Whether none is left out, and each has cuda.h's number.
template <class Attribute, std::size_t count>
constexpr bool are_numbered_from(int first, const AttributeRow<Attribute> (&rows)[count]) {
  for (const AttributeRow<Attribute>& row : rows) {
    if (static_cast<int>(row.attribute) != first || row.number != first) return false;
    ++first;
  }
  return true;
}

}  // namespace kiln
