// What kiln inspect says about code.
#pragma once

#include "toolkit/image/code_info.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

struct CodeReport {
  std::string file;
  /// "cubin", "ptx", "fatbin", or "elf" for a host object, library or program.
  std::string kind;
  std::uint64_t bytes = 0;
  /// One for a cubin or PTX.
  std::vector<ImageInfo> images;
  /// Of all images.
  CodeInfo info;
};

/// Throws Error where the bytes are damaged or no code, ToolkitError where they are compressed and the library for that
/// is missing. `what` names them in errors.
CodeReport read_code(std::string_view bytes, const std::string& what);

/// Leaves the images of that architecture. Throws Error with those that there are, if it is not among them.
void keep_arch(CodeReport& report, const std::string& arch);

/// A table of kernels an image, then each kernel's parameters.
std::string report_text(const CodeReport& report);
/// One JSON object.
std::string report_json(const CodeReport& report);

}  // namespace kiln::tool
