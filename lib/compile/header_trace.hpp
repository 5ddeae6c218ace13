// The exact list of headers that NVRTC opened, from the time trace that it can write.
#pragma once

#include "base/owned_descriptor.hpp"
#include "base/temporary_folder.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// NVRTC's own header, as a trace names it.
inline constexpr std::string_view nvrtc_builtin_header = "__nv_nvrtc_builtin_header.h";

/// A place for NVRTC to write its time trace to: memory, by a link in a private folder, because NVRTC aborts the
/// process where it cannot write the trace's folder, and crashes on a full disk. For one compile.
class HeaderTrace {
 public:
  HeaderTrace();
  HeaderTrace(const HeaderTrace&) = delete;
  HeaderTrace& operator=(const HeaderTrace&) = delete;

  /// Whether the place could be made; where it could not, compile without a trace.
  bool usable() const noexcept { return !link_.empty(); }
  /// The option to hand to NVRTC, which adds ".json" to the name itself.
  std::string option() const;
  /// The headers, after the compile; nothing where the trace is missing, not understood, or lists no headers.
  std::optional<std::vector<std::string>> headers() const;

 private:
  OwnedDescriptor memory_;
  TemporaryFolder folder_;
  std::string link_;
};

/// The details of all "Processing Header File" events of a trace, in order, each once; nothing for text of another
/// form.
std::optional<std::vector<std::string>> parse_header_trace(std::string_view json);

}  // namespace kiln
