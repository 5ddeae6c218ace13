// The head of a PTX kernel: its name and parameters.
#pragma once

#include "toolkit/image/ptx_scan.hpp"

#include <kiln/code_object.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace kiln {

struct PtxEntry {
  std::string_view name;
  /// Offsets, sizes and kinds.
  std::vector<Parameter> parameters;
  /// The word after the parameters.
  std::size_t end = 0;
};

bool is_ptx_entry(const PtxStatement& words);
/// Of a statement with .entry or .func; empty where it has none.
std::string_view ptx_function_name(const PtxStatement& statement);
/// Throws Error where the head is damaged.
PtxEntry read_ptx_entry(const PtxStatement& words);

/// Compilers end PTX with zero bytes, which may have been kept.
inline std::string_view without_end(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return text;
}

}  // namespace kiln
