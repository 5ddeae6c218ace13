// How long NVRTC took, where a job asks for it.
#pragma once

#include "compile/compiler/compiler_job.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/folders/work_folder.hpp"
#include "worker/nvrtc/nvrtc_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The times of one compile. For a job that asks for none, nothing is done. What cannot be measured is left out, and
/// fails no compile.
class NvrtcTimes {
 public:
  explicit NvrtcTimes(const CompilerJob& job);

  /// With the option that has NVRTC write the times of its phases: one that changes no code, and does not keep a
  /// precompiled header from being used. None of the options that anybody is shown.
  std::vector<std::string> with_option(std::vector<std::string> options) const;
  /// Whether NVRTC refused that option, which is left out from now on.
  bool is_refused(nvrtcResult result, const std::string& log);
  /// After the compile: its phases; and of a second one, of the front end alone, the headers. Only that one is traced,
  /// because NVRTC makes other code of unoptimised functions (-G, -Ofc) where it writes a trace.
  std::optional<CompilerTimes> take(const NvrtcLibrary& nvrtc, const NvrtcText& text,
                                    const std::vector<std::string>& options) const;

 private:
  void trace_headers(const NvrtcLibrary& nvrtc, const NvrtcText& text, const std::vector<std::string>& options,
                     CompilerTimes& times) const;

  const CompilerJob& job_;
  std::optional<WorkFolder> folder_;
  bool asks_ = false;
};

}  // namespace kiln
