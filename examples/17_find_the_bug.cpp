// Finds a bug on the emulator: a kernel that writes out of bounds. A GPU would overwrite what lies there and go on, or
// say that some kernel used an illegal address. The emulator stops at the write and tells kernel, thread, memory and
// the source line. This program asks for it by name; one of yours runs on it with KILN_DRIVER=emulator.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

// Moves every value to the next place; the first becomes 0.
const char* const wrong = R"(
__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) out[0] = 0;
  if (i < n)
    out[i + 1] = in[i];  // the last value has no next place
})";

std::string mended() {
  std::string text = wrong;
  return text.replace(text.find("i < n"), 5, "i < n - 1");
}

/// Whether the kernel's results are right. Throws DriverError where the kernel is stopped.
bool runs(const std::string& source) {
  const int size = 1000;
  const kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("shift.cu"));
  const kiln::DeviceBuffer<float> in(std::vector<float>(size, 1.0F)), out(size);
  module.get_function("shift")({4, 256}, in, out, size);
  std::vector<float> expected(size, 1.0F);
  expected[0] = 0;
  return out.to_host() == expected;
}

int main() {
  kiln::use_driver("emulator");
  if (kiln::Device::count() == 0) {
    std::puts("Kiln's PTX emulator is not installed here: nothing was run.");
    return 0;
  }
  std::puts("This runs on Kiln's PTX emulator, on the CPU, whether or not there is a GPU.");

  // First, because a kernel that was stopped leaves its process without a usable device, as on a GPU.
  const bool right = runs(mended());
  std::puts(right ? "the mended kernel's results are right" : "the mended kernel's results are WRONG");
  try {
    runs(wrong);
    std::puts("the bug was NOT found");
    return 1;
  } catch (const kiln::DriverError& error) {
    // The emulator's report stands above this; KILN_LOG=off would leave it out.
    std::printf("the wrong kernel was stopped: %s\n", error.what());
  }
  return right ? 0 : 1;
}
