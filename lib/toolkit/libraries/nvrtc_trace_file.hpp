// Whether NVRTC can write its time trace: it ends the process where it cannot open the file (LLVM's abort), or crashes
// where the disk is full.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// Whether there is room for a trace on that folder's disk and within the process's limit on files.
bool has_room_for_trace(const std::string& folder);

/// Looks at the file of each -fdevice-time-trace among the options. Throws ArgumentError where one cannot be written;
/// changes no file.
void require_writable_traces(const std::vector<std::string>& options);

}  // namespace kiln
