// The functions of a reduction's or a scan's values.
#pragma once

#include <cstddef>
#include <string>

namespace kiln {

struct ValueTexts {
  const std::string& kernel;
  const std::string& type;
  std::size_t size;  // of the type in the program, bytes
  const std::string& neutral;
  const std::string& expression;
  const char* expression_name;  // in diagnostics
  const std::string& post;
};
/// CUDA C++, after lane_text(): the type __kiln_Value, __kiln_neutral (where there is one), __kiln_reduce and
/// __kiln_post.
std::string value_functions(const ValueTexts& texts);

}  // namespace kiln
