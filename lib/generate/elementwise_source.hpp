// The source text of an ElementwiseKernel.
#pragma once

#include "generate/generated_module.hpp"
#include "generate/vector_arguments.hpp"

#include <kiln/elementwise_kernel.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln {

struct ElementwiseSource {
  VectorArguments arguments;
  std::string operation;
  ElementwiseOptions options;
  bool is_any_order = false;  // elements may come in any

  /// With all three kernels: NAME, whose vectors go through registers; NAME_plain, for vectors that overlap or begin
  /// between multiples of 16; NAME_range. Without vectors that can, NAME is the plain one.
  std::string text() const;
  /// With the plain kernel alone: what is wrong with the operation is said once.
  std::string plain_text() const;
  /// Likewise with all three, for so many elements that i is an unsigned long.
  std::string wide_text() const;
  /// With NAME_strided alone, for views of so many dimensions.
  std::string strided_text(std::size_t dimensions) const;
  GeneratorTexts texts() const;

 private:
  std::string text(const char* index) const;
};

/// Throws ArgumentError if the texts are invalid.
ElementwiseSource read_elementwise(std::string_view arguments, std::string_view operation,
                                   const ElementwiseOptions& options);

}  // namespace kiln
