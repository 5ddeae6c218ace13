// The arguments of a generated kernel, as a C parameter list says them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct GeneratedParameter {
  std::string text;  // as it was written: "const float* x"
  std::string name;
  bool is_vector;    // a pointer
  bool is_const;     // of a vector: what it points to
  bool is_volatile;  // likewise
  bool is_of_bytes;  // of a vector: elements of one byte each
  bool is_of_class;  // of a vector: its elements are no built-in type of CUDA whose size is known by name
};

/// Throws ArgumentError, with `subject` before the message, for a parameter without a name, a name that stands twice or
/// is one of the generated kernel's own, and an empty list.
std::vector<GeneratedParameter> parse_parameters(std::string_view text, const std::string& subject);

/// "float a, const float* x".
std::string parameters_text(const std::vector<GeneratedParameter>& parameters);

}  // namespace kiln
