// What a worker is asked: the jobs, as values.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/nvvm/nvvm_request.hpp"
#include "compile/request/request.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

enum class JobKind : std::uint8_t {
  make_code,
  run_nvvm,
  link,
  preprocess,
  nvcc_version,
  nvjitlink_version,
  unpack_headers
};

/// The library that a job needs: the very file that the key means, which may have been replaced since.
struct JobLibrary {
  enum class Kind : std::uint8_t { none, nvrtc, nvvm, nvjitlink };
  Kind kind = Kind::none;
  std::string path;
  std::string builtins;  // NVRTC's second part
  std::string identity;  // of both, as nvrtc_identity() and library_identity() have it
};

/// What every job begins with.
struct JobHead {
  JobKind kind = JobKind::make_code;
  JobLibrary library;
  std::vector<std::string> environment;  // all of this process's variables
  std::string temporary_files;           // where what is kept belongs
};

/// Where precompiled headers are, as the host's environment and cache have it.
struct PchPlace {
  std::string folder;  // empty: none are used
  std::uint64_t size_limit = 0;
  std::string temporary_files = {};
  bool has_crashed = false;  // a worker died of this job: what it may have used is to be dropped
};

/// make_code(); the answer is MadeCode.
struct MakeCodeJob {
  Request request;
  bool keep = false;
  PchPlace pch = {};
};

/// run_nvvm(); the answer is NvvmCode.
struct NvvmJob {
  std::string ir;
  IrRequest request;
  std::string libdevice;  // its file; empty where none is needed
};

/// compile_with_nvcc(); the answer is the output's code.
struct PreprocessJob {
  std::string nvcc;
  CompilerJob job;
};

/// version_of_nvcc(); the answer is NvccVersion.
struct NvccVersionJob {
  std::string nvcc;
};

/// NvJitLinkLibrary::version_number(); the answer is a Version.
struct NvJitLinkVersionJob {};

/// unpack_headers(); the answer is the folder.
struct UnpackHeadersJob {
  std::string folder;
};

// A link is a LinkTask (wire_link.hpp), and its answer a LinkResult.

}  // namespace kiln
