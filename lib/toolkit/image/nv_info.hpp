// The attribute lists that ptxas leaves in a cubin's .nv.info sections.
#pragma once

#include <kiln/code_object.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kiln {

/// What the module-wide .nv.info section says of one symbol, -1 where it says nothing.
struct SymbolResources {
  int registers = -1;
  int frame_bytes = -1;
};

/// One for each of `symbol_count` symbols. Throws Error where the section is damaged.
std::vector<SymbolResources> read_symbol_resources(std::string_view nv_info, std::size_t symbol_count);

/// What a kernel's own .nv.info section says of it.
struct KernelAttributes {
  /// In order, without types.
  std::vector<Parameter> parameters;
  /// What __launch_bounds__ or __block_size__ says, -1 without one.
  int max_threads = -1;
};

/// Throws Error where the section is damaged.
KernelAttributes read_kernel_attributes(std::string_view nv_info);

}  // namespace kiln
