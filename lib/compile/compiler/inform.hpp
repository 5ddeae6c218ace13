// What a compile reports.
#pragma once

#include "base/log.hpp"

#include <string>
#include <string_view>

namespace kiln {

/// How a warning ends that NVRTC compiled something in another way than nvcc would.
inline constexpr const char* page_on_differences = "(docs/nvrtc-and-nvcc.md)";

/// Whether a line of a code's log is such a warning, which the process that compiled has printed.
inline bool is_warning_of_difference(std::string_view line) { return line.ends_with(page_on_differences); }

/// At level info: "kernel.cu: what", where `name` is that of the request.
inline void inform(const std::string& name, const std::string& what) {
  if (log_enabled(LogLevel::info)) log_message(LogLevel::info, name + ": " + what);
}

}  // namespace kiln
