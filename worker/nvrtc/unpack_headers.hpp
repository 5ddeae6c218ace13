// NVRTC's own headers, from 13.3 on, as files.
#pragma once

#include <string>

namespace kiln {

/// Has this process's NVRTC write them into `folder`/include, where `folder` is there. Throws ToolkitError, with the
/// reason, where it has none or cannot.
void unpack_headers(const std::string& folder);

}  // namespace kiln
