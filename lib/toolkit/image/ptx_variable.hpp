// Variables as PTX declares them.
#pragma once

#include "toolkit/image/ptx_scan.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

/// A decimal number. Throws Error for anything else.
std::size_t ptx_number(std::string_view word);

struct PtxVariable {
  std::string_view name;
  std::size_t size = 0;  // in bytes; 0 for an array without a size
  std::size_t alignment = 1;
  std::string_view type;    // ".f32"
  bool is_pointer = false;  // marked by .ptr
  bool is_array = false;
  bool is_vector = false;
};

/// The words [begin, end) of a statement: [.align n] type [.ptr [.space] [.align n]] name [ "[" count "]" ]..., with
/// others before and between. Throws Error where there is no type, or a size beyond 4 GiB.
PtxVariable read_ptx_variable(const PtxStatement& words, std::size_t begin, std::size_t end);

/// Places a variable after others that end at `end`; gives where it begins and moves `end` after it.
std::size_t place(const PtxVariable& variable, std::size_t& end);

}  // namespace kiln
