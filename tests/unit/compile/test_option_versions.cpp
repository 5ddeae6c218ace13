#include "worker/nvrtc/option_versions.hpp"

#include "worker/nvrtc/nvrtc_compile.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

namespace option_versions_test {

using namespace kiln;

TEST_CASE("what an NVRTC cannot know is reported with the version that knows it") {
  const auto told = [](const std::string& option, int major, int minor) {
    return options_of_newer_nvrtc({option}, {major, minor});
  };
  CHECK(told("--pch", 12, 6).find("--pch needs NVRTC 12.8 or newer") == 0);
  CHECK(told("-fdevice-time-trace=/tmp/t", 12, 4).find("needs NVRTC 12.5") != std::string::npos);
  CHECK(told("-Ofast-compile=max", 12, 0).find("needs NVRTC 12.5") != std::string::npos);
  CHECK(told("--std=c++23", 13, 0).find("needs NVRTC 13.3") != std::string::npos);
  CHECK(told("-arch=sm_100f", 12, 8).find("needs NVRTC 12.9") != std::string::npos);
  for (const char* known : {"--pch", "-arch=sm_90a", "--std=c++20", "-split-compile=2", "--no-such-option", "", "-"})
    CHECK(told(known, 12, 8) == "");
  CHECK(told("-arch=sm_100f", 13, 0) == "");
  CHECK(options_of_newer_nvrtc({"--pch", "-I/x", "--no-cache"}, {12, 0}).find("\n--no-cache needs NVRTC 12.9") !=
        std::string::npos);
}

TEST_CASE("NVRTC refuses what it is said not to know, and the error names the version") {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  for (const char* option :
       {"--minimal", "--jump-table-density=10", "--Ofast-compile=0", "--Ofast-compile=mid",
        "--device-stack-protector=true", "--pch-messages=false", "--frandom-seed=a", "--std=c++23", "--enable-tile"}) {
    CAPTURE(option);
    CompilerJob job;
    job.source = "__global__ void k() {}";
    job.name = "kernel.cu";
    job.arch = "sm_80";
    job.arguments = {option};
    const bool known = options_of_newer_nvrtc(job.arguments, nvrtc.version_number()).empty();
    std::string refusal;
    try {
      compile_with_nvrtc(nvrtc, job);
    } catch (const CompileError& error) {
      refusal = error.what();
    }
    CHECK(refusal.empty() == known);
    CHECK((refusal.find(std::string(option) + " needs NVRTC 1") != std::string::npos) == !known);
  }
}

}  // namespace option_versions_test
