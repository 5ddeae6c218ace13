// The C++ source that puts a request and its code into a program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kiln::tool {

struct EmbeddedContent {
  std::string name;                                        // what kiln::embedded finds it by
  std::string request;                                     // bytes
  std::vector<std::pair<std::string, std::string>> codes;  // architecture, bytes
};

/// C++17 that includes one header of Kiln's. Its symbols are made of the name, so that a name that stands twice in one
/// program is an error of the linker, and of `anchor`, unless that is empty: by it a linker is told to take the file
/// out of a static library.
std::string embedded_text(const EmbeddedContent& content, const std::string& anchor);

}  // namespace kiln::tool
