#include "compile/options/misspelt_option.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

TEST_CASE("a value that its option does not take is named, with those that it takes") {
  const auto by_nvrtc = [](const std::vector<std::string>& options, const std::string& said) {
    return misspelt_option(options, "nvrtc: error: " + said);
  };
  constexpr const char* standards = "write c++03, c++11, c++14, c++17 or c++20 (c++23 from CUDA 13.3 on).";
  CHECK(by_nvrtc({"-arch=sm_90", "-std=c++33"}, "invalid value for --std(-std)") ==
        "\"c++33\" is no value of the option --std: " + std::string(standards));
  CHECK(by_nvrtc({"-std=c++17", "--std", "gnu++17"}, "invalid value for --std(-std)") ==
        "\"gnu++17\" is no value of the option --std: " + std::string(standards));
  CHECK(misspelt_option({"-std=c++33"}, "nvcc fatal   : Value 'c++33' is not defined for option 'std'") ==
        "\"c++33\" is no value of the option --std: " + std::string(standards));
  CHECK(by_nvrtc({"--fmad=maybe"}, "--fmad (-fmad) expects true or false") ==
        "\"maybe\" is no value of the option --fmad: write true or false.");
  CHECK(by_nvrtc({"-Ofc=bad"}, "invalid argument for option --Ofast-compile (-Ofc): bad") ==
        "\"bad\" is no value of the option --Ofast-compile: write 0, min, mid or max.");
  CHECK(by_nvrtc({"-maxrregcount=abc"}, "--maxrregcount (-maxrregcount) expects an integer value") ==
        "\"abc\" is no value of the option --maxrregcount.");
  CHECK(misspelt_option({"-maxrregcount=abc"}, "nvcc fatal   : 'abc': expected a number") ==
        "\"abc\" is no value of the option --maxrregcount.");
  CHECK(misspelt_option({"--default-stream=foo"},
                        "nvcc fatal   : Value 'foo' is not defined for option "
                        "'default-stream'") ==
        "\"foo\" is no value of the option --default-stream: write legacy, null or per-thread.");
  CHECK(by_nvrtc({"-std=c++23"}, "invalid value for --std(-std)").empty());  // Newer compilers take it.
  CHECK(misspelt_option({"-std=c++33"}, "k.cu(1): error: expected a declaration").empty());
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
