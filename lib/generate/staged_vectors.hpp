// The lines of a generated kernel about the vectors that go through registers.
#pragma once

#include "generate/vector_arguments.hpp"

#include <cstddef>
#include <string>

namespace kiln {

/// The type of a vector's elements in the source, without const.
std::string element_type(const GeneratedParameter& vector);
/// A line after which the vector's name means its __kiln_here_of_NAME.
std::string element_name(const GeneratedParameter& vector);

/// CUDA C++, after lane_text(). A thread processes __kiln_size elements at once, from __kiln_at on. A view of the
/// arguments, one of which is staged.
class StagedVectors {
 public:
  /// `index` is the type of i.
  StagedVectors(const VectorArguments& arguments, std::string index);

  std::size_t count() const;
  /// Defines __kiln_size.
  std::string size() const;
  std::string loads() const;
  /// After these lines the vectors' names mean what is in registers.
  std::string windows() const;
  std::string stores() const;

 private:
  template <class Write>
  std::string for_each(Write write) const;

  const VectorArguments& arguments_;
  const std::string index_;
};

}  // namespace kiln
