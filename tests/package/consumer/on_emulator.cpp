// Runs a kernel on the device that the installed emulator is; where there is no compiler, names the device.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::printf("device 0 is \"%s\"\n", kiln::Device(0).name().c_str());
  std::vector<int> out(3);
  try {
    const kiln::SourceModule module(
        "extern \"C\" __global__ void fill(int* out) { out[threadIdx.x] = 40 + threadIdx.x; }",
        kiln::CompileOptions{}.with_cache(false));
    module.get_function("fill")({1, 3}, kiln::Out(out));
  } catch (const kiln::ToolkitError& error) {
    std::printf("no compiler here: %s\n", error.what());
    return 0;
  }
  std::printf("a kernel wrote %d %d %d\n", out[0], out[1], out[2]);
  return out == std::vector<int>{40, 41, 42} ? 0 : 1;
}
