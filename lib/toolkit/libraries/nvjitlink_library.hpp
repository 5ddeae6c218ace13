// libnvJitLink, opened when first needed and bound by name. No policy.
#pragma once

#include "toolkit/libraries/bound_library.hpp"

#include <kiln/nvjitlink.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace kiln {

/// The header nvJitLink.h is not needed: a handle is opaque, results and kinds of input are what its enumerations are
/// in C. docs/libraries.md lists both.
using NvJitLinkHandle = ::nvJitLinkHandle;

struct NvJitLinkLibrary {
  /// Opens that file. Throws ToolkitError as get().
  explicit NvJitLinkLibrary(const std::string& file);

  LibraryBinder library;
  std::string path = library.path();
  /// What the names end in where the library exports no plain ones; else empty.
  std::string suffix;

  int (*create)(NvJitLinkHandle*, std::uint32_t, const char* const*) = required("nvJitLinkCreate");
  int (*destroy)(NvJitLinkHandle*) = required("nvJitLinkDestroy");
  int (*add_data)(NvJitLinkHandle, int kind, const void*, std::size_t, const char* name) = required("nvJitLinkAddData");
  int (*add_file)(NvJitLinkHandle, int kind, const char* path) = required("nvJitLinkAddFile");
  int (*complete)(NvJitLinkHandle) = required("nvJitLinkComplete");
  int (*get_linked_cubin_size)(NvJitLinkHandle, std::size_t*) = required("nvJitLinkGetLinkedCubinSize");
  int (*get_linked_cubin)(NvJitLinkHandle, void*) = required("nvJitLinkGetLinkedCubin");
  int (*get_linked_ptx_size)(NvJitLinkHandle, std::size_t*) = required("nvJitLinkGetLinkedPtxSize");
  int (*get_linked_ptx)(NvJitLinkHandle, char*) = required("nvJitLinkGetLinkedPtx");
  int (*get_error_log_size)(NvJitLinkHandle, std::size_t*) = required("nvJitLinkGetErrorLogSize");
  int (*get_error_log)(NvJitLinkHandle, char*) = required("nvJitLinkGetErrorLog");
  int (*get_info_log_size)(NvJitLinkHandle, std::size_t*) = required("nvJitLinkGetInfoLogSize");
  int (*get_info_log)(NvJitLinkHandle, char*) = required("nvJitLinkGetInfoLog");
  NewerFunction<int(unsigned*, unsigned*)> version =
      library.newer("nvJitLinkVersion", "12.3", "nvJitLink", with_suffix("nvJitLinkVersion"));
  NewerFunction<int(NvJitLinkHandle, std::size_t*)> get_linked_ltoir_size =
      newer("nvJitLinkGetLinkedLTOIRSize", "13.3");
  NewerFunction<int(NvJitLinkHandle, void*)> get_linked_ltoir = newer("nvJitLinkGetLinkedLTOIR", "13.3");

  /// Opens the library that find_nvjitlink() finds, once. Throws ToolkitError where there is none or it lacks a
  /// function. Thread-safe; in a child of fork see NvrtcUse.
  static const NvJitLinkLibrary& get();
  /// The same for that file, unless one is open already.
  static const NvJitLinkLibrary& get(const std::string& file);

  /// {major, minor}; {12, 0} for those before 12.3, which do not report it.
  std::pair<int, int> version_number() const;
  /// "nvJitLink 13.0".
  std::string title() const;

 private:
  std::string with_suffix(const char* name) const;
  FunctionAddress required(const char* name) const { return library.require(name, with_suffix(name)); }
  NewerAddress newer(const char* name, const char* since) const {
    return library.newer(name, since, title(), with_suffix(name));
  }
};

}  // namespace kiln
