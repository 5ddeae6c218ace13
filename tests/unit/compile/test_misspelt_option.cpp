#include "compile/options/misspelt_option.hpp"

#include <doctest/doctest.h>

namespace misspelt_option_test {

using kiln::misspelt_option;

namespace {

/// As a compiler refuses it.
std::string suggestion(const std::string& option) {
  return misspelt_option({"-arch=sm_90", option}, "nvrtc: error: unrecognized option " + option + " found");
}

}  // namespace

TEST_CASE("an option that is much like a known one is named with it") {
  CHECK(suggestion("--use_fast_mth") == "There is no option \"--use_fast_mth\": did you mean \"--use_fast_math\"?");
  CHECK(suggestion("--use-fast-math") == "There is no option \"--use-fast-math\": did you mean \"--use_fast_math\"?");
  CHECK(suggestion("-maxrregcont=32") == "There is no option \"-maxrregcont\": did you mean \"-maxrregcount\"?");
  CHECK(suggestion("--gpu-architecure=sm_80") ==
        "There is no option \"--gpu-architecure\": did you mean \"--gpu-architecture\"?");
  CHECK(suggestion("-fmda=false") == "There is no option \"-fmda\": did you mean \"-fmad\"?");
}

TEST_CASE("libnvvm's and nvJitLink's options, of which each has its own") {
  CHECK(
      kiln::misspelt_nvvm_option({"-arch=compute_90", "-otp=0"}, "libnvvm : error: -otp=0 is an unsupported option") ==
      "There is no option \"-otp\": did you mean \"-opt\"?");
  CHECK(kiln::misspelt_nvvm_option({"-opt=4"}, "libnvvm : error: -opt=4 is an unsupported option").empty());
  CHECK(kiln::misspelt_nvjitlink_option({"-kernel-used=k"}, "error: unrecognized option: -kernel-used=k") ==
        "There is no option \"-kernel-used\": did you mean \"-kernels-used\"?");
  CHECK(kiln::misspelt_nvjitlink_option({"-bogus"}, "error: unrecognized option: -bogus").empty());
}

TEST_CASE("nothing is suggested for known options, strange ones, and those that the compiler did not refuse") {
  CHECK(suggestion("--fmad=flase").empty());
  CHECK(suggestion("--use_fast_math").empty());
  CHECK(suggestion("--something-quite-new").empty());
  CHECK(misspelt_option({"--use_fast_mth"}, "kernel.cu(1): error: expected a declaration").empty());
  CHECK(misspelt_option({}, "nvrtc: error").empty());
}

}  // namespace misspelt_option_test
