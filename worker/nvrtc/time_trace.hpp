// The trace that NVRTC and nvcc write where `-fdevice-time-trace` asks for it: JSON of Chrome's Trace Event Format.
#pragma once

#include "compile/compiler/compiler_times.hpp"

#include <string_view>

namespace kiln {

/// The phases and headers of a trace. What it does not tell stays empty, whatever the text is.
CompilerTimes read_time_trace(std::string_view text);

}  // namespace kiln
