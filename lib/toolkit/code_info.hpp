// What compiled code tells about itself: the readers of cubins and of PTX's entry lines. No driver.
#pragma once

#include <kiln/code_object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct CodeInfo {
  /// "sm_90" from the cubin's header, the .target of PTX.
  std::string arch;
  std::vector<KernelInfo> kernels;
  /// Names of __device__, __constant__ and __managed__ variables (symbols).
  std::vector<std::string> globals;
};

enum class CodeKind { cubin, ptx, fatbin, unknown };
/// By the first bytes.
CodeKind code_kind(std::string_view bytes) noexcept;

/// Throws Error where the bytes are damaged; never reads outside them, whatever they hold.
CodeInfo read_cubin(std::string_view bytes);
/// Entries (names and parameters) and module-scope variables of a PTX text.
CodeInfo read_ptx(std::string_view text);

}  // namespace kiln
