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

TEST_CASE("nothing is suggested for known options, strange ones, and those that the compiler did not refuse") {
  CHECK(suggestion("--fmad=flase").empty());
  CHECK(suggestion("--use_fast_math").empty());
  CHECK(suggestion("--something-quite-new").empty());
  CHECK(misspelt_option({"--use_fast_mth"}, "kernel.cu(1): error: expected a declaration").empty());
  CHECK(misspelt_option({}, "nvrtc: error").empty());
}

}  // namespace misspelt_option_test
