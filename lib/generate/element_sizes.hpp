// Checks that a vector's elements have the size that their type has in the source.
#pragma once

#include "generate/vector_arguments.hpp"

#include <kiln/function.hpp>
#include <kiln/source_module.hpp>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace kiln {

/// CUDA C++: an empty kernel whose parameter types give the sizes of elements that are classes. It is never launched.
/// An empty text if no elements are classes.
std::string element_sizes_text(const VectorArguments& arguments);

/// The element sizes of one kernel's vectors. Thread-safe.
class ElementSizes {
 public:
  /// `module` has the text, and `kernel` is a kernel of it that takes the arguments.
  ElementSizes(const SourceModule& module, const Function& kernel) : module_(module), kernel_(kernel) {}
  /// Throws ArgumentError for a vector that knows its length if its elements have another size than in the source,
  /// where its length would differ.
  void check(const VectorArguments& arguments, const detail::VectorCall& call) const;

 private:
  std::vector<std::size_t> read(const VectorArguments& arguments) const;

  const SourceModule module_;
  const Function kernel_;
  mutable std::once_flag read_;             // set by the first check; a warm start needs none
  mutable std::vector<std::size_t> bytes_;  // of an element; 0 if unknown, or if the argument is no vector
};

}  // namespace kiln
