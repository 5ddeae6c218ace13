#include "worker/nvrtc/unpack_headers.hpp"

#include <kiln/error.hpp>
#include <kiln/nvrtc.hpp>

namespace kiln {

void unpack_headers(const std::string& folder) {
  try {
    nvrtc::install_bundled_headers(folder + "/include");
  } catch (const Error& error) {
    throw ToolkitError("NVRTC's own headers cannot be unpacked into " + folder + ": " + error.what() +
                           "\nSet KILN_CACHE_DIR, or TMPDIR, to a folder that can be written and has 30 MB of room, or "
                           "install the toolkit's headers: pip install nvidia-cuda-runtime nvidia-cuda-cccl",
                       {folder});
  }
}

}  // namespace kiln
