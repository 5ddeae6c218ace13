// libnvvm, opened when first needed and bound by name. No policy.
#pragma once

#include "toolkit/libraries/bound_library.hpp"

#include <kiln/nvvm.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace kiln {

/// The header nvvm.h is not needed: a handle is opaque, and results are what its enumeration is in C; docs/libraries.md
/// lists them.
using NvvmProgram = ::nvvmProgram;

/// Of the IR that the library reads, and of the debug information in it.
struct NvvmIrVersion {
  int major = 0;
  int minor = 0;
  int debug_major = 0;
  int debug_minor = 0;
};

struct NvvmLibrary {
  /// Opens that file. Throws ToolkitError as get().
  explicit NvvmLibrary(const std::string& file);

  LibraryBinder library;
  std::string path = library.path();

  const char* (*get_error_string)(int result) = library.require("nvvmGetErrorString");
  int (*version)(int*, int*) = library.require("nvvmVersion");
  int (*get_ir_version)(int*, int*, int*, int*) = library.require("nvvmIRVersion");
  int (*create_program)(NvvmProgram*) = library.require("nvvmCreateProgram");
  int (*destroy_program)(NvvmProgram*) = library.require("nvvmDestroyProgram");
  int (*add_module_to_program)(NvvmProgram, const char*, std::size_t,
                               const char* name) = library.require("nvvmAddModuleToProgram");
  int (*lazy_add_module_to_program)(NvvmProgram, const char*, std::size_t,
                                    const char* name) = library.require("nvvmLazyAddModuleToProgram");
  int (*verify_program)(NvvmProgram, int, const char* const*) = library.require("nvvmVerifyProgram");
  int (*compile_program)(NvvmProgram, int, const char* const*) = library.require("nvvmCompileProgram");
  int (*get_compiled_result_size)(NvvmProgram, std::size_t*) = library.require("nvvmGetCompiledResultSize");
  int (*get_compiled_result)(NvvmProgram, char*) = library.require("nvvmGetCompiledResult");
  int (*get_program_log_size)(NvvmProgram, std::size_t*) = library.require("nvvmGetProgramLogSize");
  int (*get_program_log)(NvvmProgram, char*) = library.require("nvvmGetProgramLog");
  NewerFunction<int(const char* arch, int*)> llvm_version = library.newer("nvvmLLVMVersion", "13.1", "libnvvm");

  /// Opens the library that find_nvvm() finds, once. Throws ToolkitError where there is none or it lacks a function.
  /// Thread-safe; in a child of fork see NvrtcUse.
  static const NvvmLibrary& get();
  /// The same for that file, unless one is open already.
  static const NvvmLibrary& get(const std::string& file);

  /// {major, minor} of libnvvm itself, such as {2, 0}, which is no version of CUDA.
  std::pair<int, int> version_number() const;
  NvvmIrVersion ir_version() const;
};

}  // namespace kiln
