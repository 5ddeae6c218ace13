// libnvJitLink, opened when first needed and bound by name. No policy.
#pragma once

#include "toolkit/libraries/bound_library.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace kiln {

/// The header nvJitLink.h is not needed: a handle is opaque, results and kinds of input are what its enumerations are
/// in C. docs/libraries.md lists both.
using NvJitLinkHandle = struct nvJitLink*;

struct NvJitLinkLibrary {
  int (*create)(NvJitLinkHandle*, std::uint32_t, const char* const*) = nullptr;
  int (*destroy)(NvJitLinkHandle*) = nullptr;
  int (*add_data)(NvJitLinkHandle, int kind, const void*, std::size_t, const char* name) = nullptr;
  int (*add_file)(NvJitLinkHandle, int kind, const char* path) = nullptr;
  int (*complete)(NvJitLinkHandle) = nullptr;
  int (*get_linked_cubin_size)(NvJitLinkHandle, std::size_t*) = nullptr;
  int (*get_linked_cubin)(NvJitLinkHandle, void*) = nullptr;
  int (*get_linked_ptx_size)(NvJitLinkHandle, std::size_t*) = nullptr;
  int (*get_linked_ptx)(NvJitLinkHandle, char*) = nullptr;
  int (*get_error_log_size)(NvJitLinkHandle, std::size_t*) = nullptr;
  int (*get_error_log)(NvJitLinkHandle, char*) = nullptr;
  int (*get_info_log_size)(NvJitLinkHandle, std::size_t*) = nullptr;
  int (*get_info_log)(NvJitLinkHandle, char*) = nullptr;
  NewerFunction<int(unsigned*, unsigned*)> version;                         // 12.3
  NewerFunction<int(NvJitLinkHandle, std::size_t*)> get_linked_ltoir_size;  // 13.3
  NewerFunction<int(NvJitLinkHandle, void*)> get_linked_ltoir;              // 13.3

  std::string path;

  /// Opens the library that find_nvjitlink() finds, once. Throws ToolkitError where there is none or it lacks a
  /// function. Thread-safe; in a child of fork see NvrtcUse.
  static const NvJitLinkLibrary& get();
  /// The same for that file, unless one is open already.
  static const NvJitLinkLibrary& get(const std::string& file);
  /// Whether get() has opened one in this process.
  static bool is_open() noexcept;

  /// {major, minor}; {12, 0} for those before 12.3, which do not report it.
  std::pair<int, int> version_number() const;
  /// "nvJitLink 13.0".
  std::string title() const;
};

}  // namespace kiln
