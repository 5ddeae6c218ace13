#include "toolkit/libraries/result_names.hpp"

#include <cstddef>

namespace kiln {
namespace {

// By their numbers, which begin at 0 and leave none out.
constexpr const char* nvrtc_names[] = {
    "NVRTC_SUCCESS",
    "NVRTC_ERROR_OUT_OF_MEMORY",
    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM",
    "NVRTC_ERROR_INVALID_OPTION",
    "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    "NVRTC_ERROR_PCH_CREATE",
    "NVRTC_ERROR_CANCELLED",
    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    "NVRTC_ERROR_BUSY",
};

constexpr const char* nvvm_names[] = {
    "NVVM_SUCCESS",
    "NVVM_ERROR_OUT_OF_MEMORY",
    "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
    "NVVM_ERROR_IR_VERSION_MISMATCH",
    "NVVM_ERROR_INVALID_INPUT",
    "NVVM_ERROR_INVALID_PROGRAM",
    "NVVM_ERROR_INVALID_IR",
    "NVVM_ERROR_INVALID_OPTION",
    "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
    "NVVM_ERROR_COMPILATION",
    "NVVM_ERROR_CANCELLED",
};

constexpr const char* nvjitlink_names[] = {
    "NVJITLINK_SUCCESS",
    "NVJITLINK_ERROR_UNRECOGNIZED_OPTION",
    "NVJITLINK_ERROR_MISSING_ARCH",
    "NVJITLINK_ERROR_INVALID_INPUT",
    "NVJITLINK_ERROR_PTX_COMPILE",
    "NVJITLINK_ERROR_NVVM_COMPILE",
    "NVJITLINK_ERROR_INTERNAL",
    "NVJITLINK_ERROR_THREADPOOL",
    "NVJITLINK_ERROR_UNRECOGNIZED_INPUT",
    "NVJITLINK_ERROR_FINALIZE",
    "NVJITLINK_ERROR_NULL_INPUT",
    "NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS",
    "NVJITLINK_ERROR_INCORRECT_INPUT_TYPE",
    "NVJITLINK_ERROR_ARCH_MISMATCH",
    "NVJITLINK_ERROR_OUTDATED_LIBRARY",
    "NVJITLINK_ERROR_MISSING_FATBIN",
    "NVJITLINK_ERROR_UNRECOGNIZED_ARCH",
    "NVJITLINK_ERROR_UNSUPPORTED_ARCH",
    "NVJITLINK_ERROR_LTO_NOT_ENABLED",
};

template <std::size_t count>
std::string name_in(const char* const (&names)[count], int result, const char* type) {
  const auto index = static_cast<std::size_t>(result);  // a negative one is beyond the end, too
  return index < count ? names[index] : type + (' ' + std::to_string(result));
}

}  // namespace

std::string nvrtc_result_name(int result) { return name_in(nvrtc_names, result, "nvrtcResult"); }
std::string nvvm_result_name(int result) { return name_in(nvvm_names, result, "nvvmResult"); }
std::string nvjitlink_result_name(int result) { return name_in(nvjitlink_names, result, "nvJitLinkResult"); }

}  // namespace kiln
