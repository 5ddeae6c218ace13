// The identity of NVRTC in keys, found without opening it.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// The identity of the current toolkit's NVRTC and of its builtins library; found once a process. Null where there is
/// no NVRTC. Throws Error where its file cannot be read. Thread-safe.
const std::string* find_compiler_identity();

/// The identity of an NVRTC, and of its builtins library unless that is empty. Throws Error where a file cannot be
/// read.
std::string nvrtc_identity(const std::string& nvrtc, const std::string& builtins);

/// Ends NVRTC's identity in keys where the headers are those that it brings along (Toolkit::uses_bundled_headers), so
/// that code is not that of another machine's toolkit.
inline constexpr std::string_view bundled_headers_mark = "+bundled headers";

}  // namespace kiln
