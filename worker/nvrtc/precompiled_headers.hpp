// What a compile by NVRTC may use instead of the headers that a source begins with.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/nvrtc/nvrtc_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// kiln-worker's, which keeps them between processes; another process compiles without. For the attempts of one
/// request, in turn.
class PrecompiledHeaders {
 public:
  virtual ~PrecompiledHeaders() = default;

  /// The option with which NVRTC is to take the program's leading lines from a file; nothing where there is no such
  /// file. `options` are all others. Called before the program is made.
  virtual std::optional<std::string> option_for(const NvrtcLibrary& nvrtc, const CompilerJob& job,
                                                const NvrtcText& text, const std::vector<std::string>& options) = 0;

  /// After a compile with that option: whether its outcome is that of a compile without. Takes what NVRTC says about
  /// the file out of the log. Where not, the program is to be compiled again without.
  virtual bool accept(nvrtcResult result, std::string& log) = 0;
};

}  // namespace kiln
