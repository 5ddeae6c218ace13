// What elements have to be as large as: those of the source.
#pragma once

#include "generate/vector_arguments.hpp"

#include <kiln/function.hpp>
#include <kiln/source_module.hpp>

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace kiln {

/// CUDA C++: an empty kernel whose parameters' types tell the sizes of elements that are classes; empty where none are.
/// It is never launched.
std::string element_sizes_text(const VectorArguments& arguments);

/// Of one kernel's vectors. Thread-safe.
class ElementSizes {
 public:
  /// Of a module that has the text, and of a kernel in it that takes the arguments.
  ElementSizes(const SourceModule& module, const Function& kernel) : module_(module), kernel_(kernel) {}
  /// Throws ArgumentError for a vector that knows its length, and has elements of another size than the source's: its
  /// length would be another one there.
  void check(const VectorArguments& arguments, const detail::VectorCall& call) const;

 private:
  std::vector<std::size_t> read(const VectorArguments& arguments) const;

  const SourceModule module_;
  const Function kernel_;
  mutable std::once_flag read_;             // by the first check: a start needs none
  mutable std::vector<std::size_t> bytes_;  // of an element; 0 where it is not known, or the argument is no vector
};

}  // namespace kiln
