// Code that the driver refuses: whose it is, of which versions, and the way out. The fake driver gives the results.
#include "fake_cuda.hpp"
#include "fatbin_bytes.hpp"
#include "message_of.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <cstdlib>
#include <string>
#include <utility>

namespace refused_code_test {

using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const source = "extern \"C\" __global__ void refused(int* out) { *out = 1; }";
const char* const newer_ptx = ".version 8.7\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n";

kiln::CompileOptions in(const ScratchFolder& cache) { return kiln::CompileOptions{}.with_caching({cache.path()}); }

std::string nvrtc_title() {
  const auto [major, minor] = kiln::nvrtc::version();
  return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

/// The driver's version for a scope.
struct OldDriver {
  OldDriver() { fake_cuda::set_driver_version(12040); }
  ~OldDriver() { fake_cuda::set_driver_version(13000); }
};

template <class Kind>
std::string refusal(int result, const kiln::CompileOptions& options) {
  fake_cuda::fail("cuLibraryLoadData", result);
  std::string message = message_of<Kind>([&] { (void)kiln::SourceModule(source, options); });
  fake_cuda::reset();
  return message;
}

}  // namespace

TEST_CASE("a refused load names both versions with their libraries, and the way out of each result") {
  const OldDriver old;
  for (const auto& [result, way_out] : {std::pair{200, "update the driver"},
                                        {218, "ptxas"},
                                        {221, "libnvidia-ptxjitcompiler.so.1"},
                                        {222, "update the driver"},
                                        {223, "CUDA_DISABLE_PTX_JIT"}}) {
    const ScratchFolder cache;
    const std::string message = refusal<kiln::DriverError>(result, in(cache).with_target(kiln::Target::ptx));
    CHECK_MESSAGE(contains(message, "its driver is of CUDA 12.4 (" + fake_cuda::library_path() + ")"), message);
    CHECK_MESSAGE(contains(message, "made by " + nvrtc_title() + " (/"), message);
    CHECK_MESSAGE(contains(message, "/libnvrtc.so"), message);
    CHECK_MESSAGE(contains(message, way_out), message);
  }
  const ScratchFolder cache;
  const std::string message = refusal<kiln::NoKernelImageError>(209, in(cache));
  CHECK_MESSAGE(contains(message, "made by " + nvrtc_title()), message);
  CHECK_MESSAGE(contains(message, "its driver is of CUDA 12.4"), message);
  CHECK_MESSAGE(contains(message, "leave CompileOptions::arch unset"), message);
}

TEST_CASE("the variable that switches the driver's compiler off is named with its value") {
  const ScratchFolder cache;
  setenv("CUDA_DISABLE_JIT", "1", 1);
  const std::string message = refusal<kiln::DriverError>(223, in(cache).with_target(kiln::Target::ptx));
  unsetenv("CUDA_DISABLE_JIT");
  CHECK_MESSAGE(contains(message, "CUDA_DISABLE_JIT=1 is set"), message);
  CHECK_MESSAGE(!contains(message, "CUDA_DISABLE_PTX_JIT"), message);
}

TEST_CASE("code of a file is of a toolkit, whose version the code says") {
  const ScratchFolder cache;
  const kiln::CodeObject code = kiln::compile(source, in(cache).with_arch("sm_90"));
  fake_cuda::fail("cuLibraryLoadData", 200);
  const std::string message =
      message_of<kiln::DriverError>([&] { (void)kiln::Module::from_bytes(std::string(code.bytes())); });
  const std::string version = nvrtc_title().substr(6);
  CHECK_MESSAGE(contains(message, "made by a toolkit of CUDA " + version + ";"), message);
}

TEST_CASE("a fatbin with PTX for a newer architecture alone is one that the device cannot run, by either result") {
  const std::string fatbin = kiln::test::fatbin_of({{1, 100, newer_ptx}});
  for (const int result : {209, 218}) {
    fake_cuda::fail("cuLibraryLoadData", result);
    try {
      (void)kiln::Module::from_bytes(fatbin);
      FAIL("loaded");
    } catch (const kiln::NoKernelImageError& error) {
      CHECK(error.code_arch() == "compute_100");
      CHECK(error.device_arch() == "sm_90");
      CHECK_MESSAGE(contains(error.what(), "a toolkit of CUDA 12.8"), error.what());
    }
  }
  // Where one image is for the device it is the PTX that is wrong.
  fake_cuda::fail("cuLibraryLoadData", 218);
  const std::string both = kiln::test::fatbin_of({{1, 100, newer_ptx}, {1, 80, newer_ptx}});
  const std::string message = message_of<kiln::DriverError>([&] { (void)kiln::Module::from_bytes(both); });
  CHECK_MESSAGE(contains(message, "compute_100,compute_80"), message);
}

}  // namespace refused_code_test
