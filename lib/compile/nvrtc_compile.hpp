// One compile by NVRTC.
#pragma once

#include "toolkit/nvrtc_library.hpp"

#include <kiln/compile_options.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln {

struct NvrtcJob {
  std::string source;
  std::string name;
  std::vector<std::string> arguments;  // all but the architecture and Kiln's own
  std::string arch;                    // "sm_90" or "compute_90"
  Target target = Target::cubin;
  std::map<std::string, std::string> headers;
  std::vector<std::string> name_expressions;
  bool trace_headers = false;
};

struct NvrtcOutput {
  std::string code;
  std::string log;
  std::vector<std::pair<std::string, std::string>> lowered_names;  // expression, symbol
  /// The headers that NVRTC opened, as it spells them; nothing where they were not asked for, or this NVRTC does not
  /// tell.
  std::optional<std::vector<std::string>> headers;
  std::vector<std::string> options;  // as NVRTC took them
};

/// Compiles on a thread of its own (large_stack.hpp). An option of Kiln's own that this NVRTC does not know is left
/// out. Throws CompileError, or ToolkitError where NVRTC itself is at fault.
NvrtcOutput compile_with_nvrtc(const NvrtcLibrary& nvrtc, const NvrtcJob& job);

/// "NVRTC 13.0"
std::string nvrtc_title(const NvrtcLibrary& nvrtc);

}  // namespace kiln
