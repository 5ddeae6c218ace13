// What the writer and the reader of captures share.
#pragma once

namespace kiln {

/// Of capture.json; docs/tuning.md has the form. Readers refuse newer ones.
inline constexpr int capture_version = 1;

inline constexpr const char* capture_file = "capture.json";

}  // namespace kiln
