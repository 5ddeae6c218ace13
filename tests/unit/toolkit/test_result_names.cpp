#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/libraries/nvvm_library.hpp"
#include "toolkit/libraries/result_names.hpp"

#include <doctest/doctest.h>
#include <kiln/nvrtc.hpp>
#include <kiln/nvvm.hpp>

#include <string>

namespace result_names_test {

using kiln::nvjitlink_result_name;
using kiln::nvrtc_result_name;
using kiln::nvvm_result_name;

TEST_CASE("results have the names that the libraries give them") {
  const kiln::NvrtcLibrary& nvrtc = kiln::NvrtcLibrary::get();
  const kiln::NvvmLibrary& nvvm = kiln::NvvmLibrary::get();
  int known = 0;
  for (int result = 0; result < 32; ++result) {
    const std::string from_nvrtc = nvrtc.get_error_string(static_cast<nvrtcResult>(result));
    if (from_nvrtc.find("unknown") == std::string::npos) {
      CHECK(nvrtc_result_name(result) == from_nvrtc);
      ++known;
    }
    // libnvvm calls one that it does not know by a text of its own.
    const std::string from_nvvm = nvvm.get_error_string(result);
    if (from_nvvm.find("not found") == std::string::npos) {
      CHECK(nvvm_result_name(result) == from_nvvm);
      ++known;
    }
  }
  CHECK(known >= 13 + 10);
  CHECK(kiln::nvrtc::error_string(18) == "NVRTC_ERROR_BUSY");
  CHECK(kiln::nvrtc::error_string(99) == "nvrtcResult 99");
  CHECK(kiln::nvvm::error_string(10) == "NVVM_ERROR_CANCELLED");
  CHECK(kiln::nvvm::error_string(99) == "nvvmResult 99");
}

TEST_CASE("results of newer libraries, and of none") {
  CHECK(nvrtc_result_name(18) == "NVRTC_ERROR_BUSY");
  CHECK(nvjitlink_result_name(0) == "NVJITLINK_SUCCESS");
  CHECK(nvjitlink_result_name(18) == "NVJITLINK_ERROR_LTO_NOT_ENABLED");
  CHECK(nvrtc_result_name(19) == "nvrtcResult 19");
  CHECK(nvvm_result_name(-1) == "nvvmResult -1");
  CHECK(nvjitlink_result_name(19) == "nvJitLinkResult 19");
}

}  // namespace result_names_test
