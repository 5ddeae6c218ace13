// What `kiln embed` puts into a program, as read-only data: of the files that it writes, and of kiln::embedded.
#pragma once

#include <cstddef>

namespace kiln::detail {

/// Bytes of the program's own data.
struct EmbeddedBytes {
  const char* bytes = nullptr;  ///< aligned for nothing
  std::size_t size = 0;         ///< in bytes
};

/// Code for one architecture.
struct EmbeddedCode {
  const char* arch = nullptr;  ///< "sm_90" is machine code, "compute_90" PTX
  EmbeddedBytes code = {};     ///< as CodeObject::serialize makes it
};

/// One source with its code.
struct EmbeddedFile {
  const char* name = nullptr;           ///< what kiln::embedded finds it by
  EmbeddedBytes request = {};           ///< source, own headers and options
  const EmbeddedCode* codes = nullptr;  ///< so many as code_count says
  std::size_t code_count = 0;           ///< of codes
};

}  // namespace kiln::detail

// The table of what is embedded in one program or shared library: each file that `kiln embed` writes adds a pointer to
// this section, and the linker names its ends. Hidden, so that each program and each library has its own; weak, for
// those without any.
extern "C" {
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
extern const kiln::detail::EmbeddedFile* const __start_kiln_embedded[]
    __attribute__((weak, visibility("hidden")));  ///< its first pointer
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern const kiln::detail::EmbeddedFile* const __stop_kiln_embedded[]
    __attribute__((weak, visibility("hidden")));  ///< behind its last one
}
