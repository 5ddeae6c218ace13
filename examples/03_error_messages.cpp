// What Kiln says when something is wrong: the place in your own text, and the way out.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

#include "find_device.hpp"

const char* const broken = R"(__global__ void halve(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value[i] / 2;  // no such name
})";

const char* const mended = R"(__global__ void halve(float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] / 2;
})";

int main() {
  find_device();
  // A source that does not compile: the constructor throws. The text holds the lines around the mistake, what the
  // compiler said, and the options that it was given.
  try {
    kiln::SourceModule module(broken, kiln::CompileOptions{}.with_name("halve.cu"));
    return 1;
  } catch (const kiln::CompileError& error) {
    std::printf("--- a mistake in the source ---\n%s\n", error.what());
  }

  kiln::SourceModule module(mended, kiln::CompileOptions{}.with_name("halve.cu"));

  // A kernel that is not there: the message lists those that are.
  try {
    module.get_function("halves");
    return 1;
  } catch (const kiln::ArgumentError& error) {
    std::printf("--- a mistake in a name ---\n%s\n", error.what());
  }

  // Parameter types that do not fit, found before anything is launched.
  try {
    module.get_function<void(float*, long long)>("halve");
    return 1;
  } catch (const kiln::ArgumentError& error) {
    std::printf("--- a mistake in a type ---\n%s\n", error.what());
  }

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the mended kernel was compiled and not launched.");
    return 0;
  }
  kiln::DeviceBuffer<float> values(std::vector<float>(100, 8.0F));
  module.get_function("halve")({1, 128}, values, 100);
  const bool right = values.to_host() == std::vector<float>(100, 4.0F);
  std::puts(right ? "launched the mended kernel: the result is right" : "wrong result");
  return right ? 0 : 1;
}
