// NVRTC, opened when first needed and bound by name. No policy.
#pragma once

#include "toolkit/libraries/bound_library.hpp"

#include <nvrtc.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

/// The layout of nvrtcBundledHeadersInfo, which headers older than 13.3 lack.
struct NvrtcBundledHeaders {
  int available = 0;
  std::size_t compressed_size = 0;
  std::size_t uncompressed_size = 0;
  int cuda_version_major = 0;
  int cuda_version_minor = 0;
  unsigned num_files = 0;
};

struct NvrtcLibrary {
  /// Opens that file. Throws ToolkitError as get().
  explicit NvrtcLibrary(const std::string& file);

  LibraryBinder library;
  std::string path = library.path();

  decltype(&::nvrtcVersion) version = library.require("nvrtcVersion");
  decltype(&::nvrtcGetErrorString) get_error_string = library.require("nvrtcGetErrorString");
  decltype(&::nvrtcGetNumSupportedArchs) get_num_supported_archs = library.require("nvrtcGetNumSupportedArchs");
  decltype(&::nvrtcGetSupportedArchs) get_supported_archs = library.require("nvrtcGetSupportedArchs");
  decltype(&::nvrtcCreateProgram) create_program = library.require("nvrtcCreateProgram");
  decltype(&::nvrtcDestroyProgram) destroy_program = library.require("nvrtcDestroyProgram");
  decltype(&::nvrtcCompileProgram) compile_program = library.require("nvrtcCompileProgram");
  decltype(&::nvrtcGetPTXSize) get_ptx_size = library.require("nvrtcGetPTXSize");
  decltype(&::nvrtcGetPTX) get_ptx = library.require("nvrtcGetPTX");
  decltype(&::nvrtcGetCUBINSize) get_cubin_size = library.require("nvrtcGetCUBINSize");
  decltype(&::nvrtcGetCUBIN) get_cubin = library.require("nvrtcGetCUBIN");
  decltype(&::nvrtcGetLTOIRSize) get_ltoir_size = library.require("nvrtcGetLTOIRSize");
  decltype(&::nvrtcGetLTOIR) get_ltoir = library.require("nvrtcGetLTOIR");
  decltype(&::nvrtcGetOptiXIRSize) get_optixir_size = library.require("nvrtcGetOptiXIRSize");
  decltype(&::nvrtcGetOptiXIR) get_optixir = library.require("nvrtcGetOptiXIR");
  decltype(&::nvrtcGetProgramLogSize) get_program_log_size = library.require("nvrtcGetProgramLogSize");
  decltype(&::nvrtcGetProgramLog) get_program_log = library.require("nvrtcGetProgramLog");
  decltype(&::nvrtcAddNameExpression) add_name_expression = library.require("nvrtcAddNameExpression");
  decltype(&::nvrtcGetLoweredName) get_lowered_name = library.require("nvrtcGetLoweredName");
  // Older headers lack what is newer than 12.0, so these signatures are written out.
  NewerFunction<nvrtcResult(std::size_t*)> get_pch_heap_size = newer("nvrtcGetPCHHeapSize", "12.8");
  NewerFunction<nvrtcResult(std::size_t)> set_pch_heap_size = newer("nvrtcSetPCHHeapSize", "12.8");
  NewerFunction<nvrtcResult(nvrtcProgram)> get_pch_create_status = newer("nvrtcGetPCHCreateStatus", "12.8");
  NewerFunction<nvrtcResult(nvrtcProgram, std::size_t*)> get_pch_heap_size_required =
      newer("nvrtcGetPCHHeapSizeRequired", "12.8");
  NewerFunction<nvrtcResult(nvrtcProgram, int (*)(void*, void*), void*)> set_flow_callback =
      newer("nvrtcSetFlowCallback", "12.8");
  NewerFunction<nvrtcResult(nvrtcProgram, std::size_t*)> get_tileir_size = newer("nvrtcGetTileIRSize", "13.2");
  NewerFunction<nvrtcResult(nvrtcProgram, char*)> get_tileir = newer("nvrtcGetTileIR", "13.2");
  NewerFunction<nvrtcResult(const char*, unsigned, const char**)> install_bundled_headers =
      newer("nvrtcInstallBundledHeaders", "13.3");
  NewerFunction<nvrtcResult(NvrtcBundledHeaders*, const char**)> get_bundled_headers_info =
      newer("nvrtcGetBundledHeadersInfo", "13.3");
  NewerFunction<nvrtcResult(const char*, const char**)> remove_bundled_headers =
      newer("nvrtcRemoveBundledHeaders", "13.3");

  /// Opens the current toolkit's NVRTC once. Throws ToolkitError where there is none, it lacks a function, or its
  /// builtins library is missing. Thread-safe.
  static const NvrtcLibrary& get();
  /// The same for the library at that path, in a process that opens no other. Throws ToolkitError where it did.
  static const NvrtcLibrary& get(const std::string& path);

  /// {major, minor}.
  std::pair<int, int> version_number() const;
  /// "NVRTC 13.0".
  std::string title() const;
  /// Compute capabilities as integers (90, 100), ascending.
  std::vector<int> supported_archs() const;

 private:
  NewerAddress newer(const char* name, const char* since) const { return library.newer(name, since, title()); }
};

struct Toolkit;
/// Throws the ToolkitError for a machine without NVRTC: what was searched, and how to install it. `what_else` goes
/// after the first clause.
[[noreturn]] void throw_no_nvrtc(const Toolkit& toolkit, const std::string& what_else = {});

}  // namespace kiln
