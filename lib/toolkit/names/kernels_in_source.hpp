// The names of kernels in a source text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct SourceKernel {
  std::string name;  // with its namespaces, such as "math::scale"
  bool is_template = false;
  std::string parameters;  // of a template: "<class T, int N>"
};

/// The __global__ functions of a CUDA C++ text, in its order. Good enough to choose a suggestion from: what macros and
/// headers declare is not seen, and what an #if leaves out is.
std::vector<SourceKernel> kernels_in_source(std::string_view source);

/// An instance of a kernel template, to show how one is requested: "math::scale<float, 4>".
std::string example_instance(const SourceKernel& kernel);

}  // namespace kiln
