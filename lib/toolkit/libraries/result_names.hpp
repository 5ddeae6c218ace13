// The results of NVIDIA's compiler libraries by name, whatever the version that is installed knows of them.
#pragma once

#include <string>

namespace kiln {

/// "NVRTC_ERROR_COMPILATION"; "nvrtcResult 99" for one that is not known here.
std::string nvrtc_result_name(int result);
/// "NVVM_ERROR_INVALID_IR", "nvvmResult 99".
std::string nvvm_result_name(int result);
/// "NVJITLINK_ERROR_MISSING_ARCH", "nvJitLinkResult 99".
std::string nvjitlink_result_name(int result);

}  // namespace kiln
