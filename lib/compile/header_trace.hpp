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

/// A private folder with one link in it, t.json, to a descriptor of whichever process follows it, because NVRTC aborts
/// the process where it cannot write the trace's folder, and crashes on a full disk. Removed when destroyed.
class TraceFolder {
 public:
  explicit TraceFolder(int descriptor);

  /// Empty where it could not be made.
  const std::string& path() const noexcept { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

/// A place for NVRTC to write its time trace to: memory. For one compile.
class HeaderTrace {
 public:
  HeaderTrace();
  /// In a TraceFolder of another process, whose link leads to that descriptor of this one, a file in memory. Owns
  /// neither.
  HeaderTrace(const std::string& folder, int descriptor);
  HeaderTrace(const HeaderTrace&) = delete;
  HeaderTrace& operator=(const HeaderTrace&) = delete;

  /// Whether the place could be made; where it could not, compile without a trace.
  bool usable() const noexcept { return !link_.empty(); }
  /// The option to hand to NVRTC, which adds ".json" to the name itself.
  std::string option() const;
  /// The headers, after the compile; nothing where the trace is missing, not understood, or lists no headers.
  std::optional<std::vector<std::string>> headers() const;

 private:
  void use(const std::string& folder);

  OwnedDescriptor memory_;
  std::optional<TraceFolder> folder_;
  std::string link_;
};

/// The details of all "Processing Header File" events of a trace, in order, each once; nothing for text of another
/// form.
std::optional<std::vector<std::string>> parse_header_trace(std::string_view json);

}  // namespace kiln
