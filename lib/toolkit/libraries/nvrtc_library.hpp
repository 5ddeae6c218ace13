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
  decltype(&::nvrtcVersion) version = nullptr;
  decltype(&::nvrtcGetErrorString) get_error_string = nullptr;
  decltype(&::nvrtcGetNumSupportedArchs) get_num_supported_archs = nullptr;
  decltype(&::nvrtcGetSupportedArchs) get_supported_archs = nullptr;
  decltype(&::nvrtcCreateProgram) create_program = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&::nvrtcCompileProgram) compile_program = nullptr;
  decltype(&::nvrtcGetPTXSize) get_ptx_size = nullptr;
  decltype(&::nvrtcGetPTX) get_ptx = nullptr;
  decltype(&::nvrtcGetCUBINSize) get_cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) get_cubin = nullptr;
  decltype(&::nvrtcGetLTOIRSize) get_ltoir_size = nullptr;
  decltype(&::nvrtcGetLTOIR) get_ltoir = nullptr;
  decltype(&::nvrtcGetOptiXIRSize) get_optixir_size = nullptr;
  decltype(&::nvrtcGetOptiXIR) get_optixir = nullptr;
  decltype(&::nvrtcGetProgramLogSize) get_program_log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) get_program_log = nullptr;
  decltype(&::nvrtcAddNameExpression) add_name_expression = nullptr;
  decltype(&::nvrtcGetLoweredName) get_lowered_name = nullptr;
  // Older headers lack what is newer than 12.0, so these signatures are written out.
  NewerFunction<nvrtcResult(std::size_t*)> get_pch_heap_size;
  NewerFunction<nvrtcResult(std::size_t)> set_pch_heap_size;
  NewerFunction<nvrtcResult(nvrtcProgram)> get_pch_create_status;
  NewerFunction<nvrtcResult(nvrtcProgram, std::size_t*)> get_pch_heap_size_required;
  NewerFunction<nvrtcResult(nvrtcProgram, int (*)(void*, void*), void*)> set_flow_callback;
  NewerFunction<nvrtcResult(nvrtcProgram, std::size_t*)> get_tileir_size;
  NewerFunction<nvrtcResult(nvrtcProgram, char*)> get_tileir;
  NewerFunction<nvrtcResult(const char*, unsigned, const char**)> install_bundled_headers;
  NewerFunction<nvrtcResult(NvrtcBundledHeaders*, const char**)> get_bundled_headers_info;
  NewerFunction<nvrtcResult(const char*, const char**)> remove_bundled_headers;

  std::string path;

  /// Opens the current toolkit's NVRTC once. Throws ToolkitError where there is none, it lacks a function, or its
  /// builtins library is missing. Thread-safe.
  static const NvrtcLibrary& get();
  /// The same for the library at that path, in a process that opens no other. Throws ToolkitError where it did.
  static const NvrtcLibrary& get(const std::string& path);
  /// Whether get() has opened one in this process.
  static bool is_open() noexcept;

  /// {major, minor}.
  std::pair<int, int> version_number() const;
  /// "NVRTC 13.0".
  std::string title() const;
  /// Compute capabilities as integers (90, 100), ascending.
  std::vector<int> supported_archs() const;
};

struct Toolkit;
/// Throws the ToolkitError for a machine without NVRTC: what was searched, and how to install it. `what_else` goes
/// behind the first clause.
[[noreturn]] void throw_no_nvrtc(const Toolkit& toolkit, const std::string& what_else = {});

}  // namespace kiln
