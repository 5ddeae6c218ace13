// libnvvm, opened when first needed and bound by name. No policy.
#pragma once

#include "toolkit/libraries/bound_library.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace kiln {

/// The header nvvm.h is not needed: a handle is opaque, and results are what its enumeration is in C; docs/libraries.md
/// lists them.
using NvvmProgram = struct _nvvmProgram*;

/// Of the IR that the library reads, and of the debug information in it.
struct NvvmIrVersion {
  int major = 0;
  int minor = 0;
  int debug_major = 0;
  int debug_minor = 0;
};

struct NvvmLibrary {
  const char* (*get_error_string)(int result) = nullptr;
  int (*version)(int*, int*) = nullptr;
  int (*get_ir_version)(int*, int*, int*, int*) = nullptr;
  int (*create_program)(NvvmProgram*) = nullptr;
  int (*destroy_program)(NvvmProgram*) = nullptr;
  int (*add_module_to_program)(NvvmProgram, const char*, std::size_t, const char* name) = nullptr;
  int (*lazy_add_module_to_program)(NvvmProgram, const char*, std::size_t, const char* name) = nullptr;
  int (*verify_program)(NvvmProgram, int, const char* const*) = nullptr;
  int (*compile_program)(NvvmProgram, int, const char* const*) = nullptr;
  int (*get_compiled_result_size)(NvvmProgram, std::size_t*) = nullptr;
  int (*get_compiled_result)(NvvmProgram, char*) = nullptr;
  int (*get_program_log_size)(NvvmProgram, std::size_t*) = nullptr;
  int (*get_program_log)(NvvmProgram, char*) = nullptr;
  NewerFunction<int(const char* arch, int*)> llvm_version;  // after 13.0

  std::string path;

  /// Opens the library that find_nvvm() finds, once. Throws ToolkitError where there is none or it lacks a function.
  /// Thread-safe; in a child of fork see NvrtcUse.
  static const NvvmLibrary& get();
  /// The same for that file, unless one is open already.
  static const NvvmLibrary& get(const std::string& file);
  /// Whether get() has opened one in this process.
  static bool is_open() noexcept;

  /// {major, minor} of libnvvm itself, such as {2, 0}, which is no version of CUDA.
  std::pair<int, int> version_number() const;
  NvvmIrVersion ir_version() const;
};

}  // namespace kiln
