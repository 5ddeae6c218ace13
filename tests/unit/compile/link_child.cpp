// A fresh process for the tests of linking: links the pieces with a cache folder, and says what it took. Usage:
// link_child CACHE-FOLDER
#include <kiln/compile.hpp>
#include <kiln/linker.hpp>

#include "toolkit/locate/component_finder.hpp"

#include <cstdio>
#include <fstream>
#include <string>

namespace {

bool is_mapped(const std::string& library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != std::string::npos) return true;
  return false;
}

}  // namespace

int main(int, char** argv) {
  const auto compile = [&](const char* source) {
    return kiln::compile(source, kiln::CompileOptions{}
                                     .with_arch("sm_90")
                                     .with_target(kiln::Target::ltoir)
                                     .with_options({"-rdc=true"})
                                     .with_caching({argv[1]}));
  };
  kiln::Linker linker({.caching = {argv[1]}});
  linker.add(
      compile("__device__ float op(float);\n"
              "extern \"C\" __global__ void k(float* p) { *p = op(*p); }\n"));
  linker.add(compile("__device__ float op(float x) { return 2 * x + 1; }\n"));
  // NVIDIA's wheels of CUDA 12.6 lack it.
  if (kiln::find_device_library("cudadevrt")) linker.add_stdlib("cudadevrt");
  const kiln::CodeObject linked = linker.link();
  std::printf("%s, nvJitLink is %s, NVRTC is %s\n", linked.from_cache() ? "found" : "linked",
              is_mapped("libnvJitLink") ? "mapped" : "not mapped", is_mapped("libnvrtc") ? "mapped" : "not mapped");
}
