// The input and the output of one run of a compiler.
#pragma once

#include "base/stop.hpp"
#include "compile/compiler/compiler_times.hpp"
#include "toolkit/image/parameter_kinds.hpp"

#include <kiln/compile_options.hpp>
#include <kiln/error.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

struct CompilerJob {
  std::string source;
  // Around the source: extern "C" { and a #line that keeps its numbers. Diagnostics show the source alone.
  std::string prologue;
  std::string epilogue;
  std::string name;
  std::string line_file = {};  // the file that line information names, if not `name`: a copy of the source
  std::vector<std::pair<std::string, std::string>> late_defines = {};  // put into the source (late_defines.hpp)
  std::vector<std::string> arguments;             // all but the architecture and Kiln's own, as the user spelled them
  std::vector<std::string> users_arguments = {};  // those of them that messages show
  std::string arch;                               // "sm_90" or "compute_90"
  std::string code;                               // nvcc's -code, such as "sm_90,compute_90"; empty where arch says all
  Target target = Target::cubin;
  std::map<std::string, std::string> headers;
  std::string header_folder = {};  // where the user's headers are files; empty where NVRTC gets all by their names
  std::vector<std::string> name_expressions;
  bool keep = false;      // the compiler's working folder
  bool keep_ptx = false;  // on the way to a cubin
  bool timing = false;    // CompilerOutput::times
  /// For nvcc: the arguments are its own spelling, and reach it as they are; an empty arch asks for none.
  bool verbatim = false;
  bool preprocess_only = false;  // by nvcc
  Stop stop;
};

/// NVRTC refused a source that nvcc may compile, or would compile it to another program. A value, on which
/// CompilerSelection acts.
struct NvccNeeded {
  std::string reason;  // such as "NVRTC has no header <vector>"
  std::optional<CompileError>
      refusal;             // NVRTC's error; empty if it did not refuse, or an earlier compile got the error
  bool nvrtc_can = false;  // without nvcc, NVRTC compiles it with a warning
  bool is_guess = false;   // nvcc may refuse it, too: then NVRTC's error is what counts
};

struct CompilerOutput {
  std::string code;
  std::string log;
  std::vector<std::pair<std::string, std::string>> lowered_names;  // expression, symbol
  std::vector<std::string> options;                                // as the compiler took them
  std::optional<std::string> ptx;                                  // on the way to a cubin, where the job keeps it
  ParameterKinds parameter_kinds;         // of the PTX on the way to machine code, where there was any
  std::optional<CompilerTimes> times;     // where the job asks for them
  std::string kept_folder;                // where the job's working folder was kept
  std::optional<NvccNeeded> nvcc_needed;  // by NVRTC, instead of all the others
};

}  // namespace kiln
