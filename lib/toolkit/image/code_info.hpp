// What is in compiled code: the readers of cubins, PTX and fatbins. No driver.
#pragma once

#include <kiln/code_object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

struct CodeInfo {
  /// "sm_90" from the cubin's header, the .target of PTX; of a fatbin those of its images, "sm_80,sm_90,compute_90".
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
/// Entries (names, parameters and what they declare) and module-scope variables of a PTX text.
CodeInfo read_ptx(std::string_view text);

/// One image of a fatbin.
struct ImageInfo {
  /// "cubin", "ptx", "ltoir", or "kind 64" for one that is not known here.
  std::string kind;
  /// "sm_90a" for a cubin, "compute_90" for PTX, "lto_90" for LTO-IR.
  std::string arch;
  /// In bytes, unpacked.
  std::uint64_t size = 0;
  /// Empty but for cubins and PTX.
  CodeInfo info;
};

/// Throws Error where the bytes are damaged, ToolkitError where an image is compressed and the library for that is
/// missing.
std::vector<ImageInfo> read_fatbin_images(std::string_view bytes);
/// The kernels and variables of all, each once, with the figures of the first cubin that has the kernel, else of PTX;
/// parameters' kinds from either.
CodeInfo merge_images(const std::vector<ImageInfo>& images);
/// Both together.
CodeInfo read_fatbin(std::string_view bytes);

/// The version of CUDA, {13, 0}, whose toolkit made a cubin, or the first that writes PTX of that version; of a fatbin
/// the newest of its images'. Nothing where the code does not say it or cannot be read. For error texts: it reads all.
std::optional<std::pair<int, int>> toolkit_version(std::string_view code) noexcept;

}  // namespace kiln
