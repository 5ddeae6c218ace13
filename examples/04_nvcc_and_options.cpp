// Which compiler is asked, and one spelling of options for both.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>

#include "find_device.hpp"

// A header that NVRTC lacks, a type that nvcc's own headers declare, and a helper whose __device__ was forgotten.
const char* const legacy = R"(#include <stdint.h>
int twice(int x) { return 2 * x; }
__global__ void fill(uint* values) { values[threadIdx.x] = (uint32_t)twice(OFFSET + threadIdx.x); }
)";

// Needs a host compiler's header, which only nvcc can give it.
const char* const for_the_host = R"(#include <vector>
std::vector<int> not_for_the_gpu;
__global__ void fill(unsigned* values) { values[threadIdx.x] = 2 * (OFFSET + threadIdx.x); }
)";

const char* name_of(kiln::Backend backend) { return backend == kiln::Backend::nvcc ? "nvcc" : "NVRTC"; }

bool gives_right_values(const kiln::CodeObject& code) {
  kiln::DeviceBuffer<unsigned> values(32);
  kiln::Module(code).get_function("fill")({1, 32}, values);
  const auto result = values.to_host();
  for (unsigned i = 0; i < 32; ++i)
    if (result[i] != 2 * (100 + i)) return false;
  return true;
}

int main() {
  find_device();
  const bool has_gpu = kiln::Device::count() > 0;
  // nvcc's and NVRTC's spellings may be mixed; each compiler is told what it understands.
  auto options = kiln::CompileOptions{}
                     .with_options({"--use_fast_math", "-lineinfo", "-Xptxas", "-O3"})
                     .with_defines({{"OFFSET", 100}});
  if (has_gpu) options = options.with_arch(kiln::Device::current().arch());

  const kiln::CodeObject code = kiln::compile(legacy, options);
  std::printf("an old source: compiled by %s for %s\n", name_of(code.backend()), code.arch().c_str());
  if (has_gpu && !gives_right_values(code)) return 1;

  try {
    const kiln::NvccVersion version = kiln::get_nvcc_version();
    std::printf("nvcc %d.%d is here\n", version.major, version.minor);
  } catch (const kiln::ToolkitError& error) {
    std::printf("no nvcc on this machine, so the rest is left out:\n%s\n", error.what());
    return 0;
  }
  const kiln::CodeObject host = kiln::compile(for_the_host, options);
  std::printf("with <vector>: compiled by %s for %s\n", name_of(host.backend()), host.arch().c_str());
  if (has_gpu && !gives_right_values(host)) return 1;

  // One file for several architectures, and PTX for those to come.
  const kiln::CodeObject fat = kiln::compile(
      for_the_host,
      options.with_arch("").with_target(kiln::Target::fatbin).with_nvcc({.code = "sm_80,sm_90,compute_90"}));
  std::printf("a fatbin of %zu bytes by %s for %s\n", fat.bytes().size(), name_of(fat.backend()), fat.arch().c_str());

  // A compile that takes too long is ended, and nothing of it is kept.
  try {
    using namespace std::chrono_literals;
    kiln::compile(for_the_host, options.with_cache(false).with(&kiln::CompileOptions::timeout, 1ms));
    return 1;
  } catch (const kiln::CompileStopped& error) {
    std::printf("%s\n", error.what());
  }
  if (!has_gpu) std::puts("There is no GPU here, so nothing was launched.");
}
