// A prepared function knows its arguments' types and its block beforehand, as in PyCUDA: a call then takes a grid and
// the arguments, and converts those that have another type. Host memory may be an argument, too.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

#include "find_device.hpp"

const char* const source = R"(
struct Line { float slope, offset; };
extern "C" __global__ void apply(const float* x, float* y, Line line, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = line.slope * x[i] + line.offset;
})";

struct Line {
  float slope, offset;
};

int main() {
  find_device();
  kiln::SourceModule module(source);

  // Two pointers, a structure of 8 bytes, an int; blocks of 256 threads. Codes that do not fit the kernel's own
  // parameters are refused here, which needs no GPU.
  kiln::PreparedFunction apply = module.get_function("apply").prepare("PP8si", 256);
  try {
    (void)module.get_function("apply").prepare("PPfi", 256);
  } catch (const kiln::ArgumentError& error) {
    std::printf("refused: %s\n", error.what());
  }

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so the kernel was compiled and prepared, and not launched.");
    return 0;
  }

  // In is copied to the device before the kernel runs, Out to the host behind it. The size is a std::size_t, and
  // becomes the kernel's int because it fits.
  const std::vector<float> x(1000, 2);
  std::vector<float> y(x.size());
  const std::size_t grid = (x.size() + 255) / 256;
  apply.prepared_call(grid, kiln::In(x), kiln::Out(y), Line{3, 1}, x.size());
  bool correct = y[0] == 7 && y[999] == 7;

  // On a stream the call does not wait, and x and y are needed until the stream is synchronised.
  kiln::Stream stream;
  apply.prepared_async_call(grid, stream, kiln::In(x), kiln::Out(y), Line{5, 1}, x.size());
  stream.synchronize();
  correct = correct && y[0] == 11 && y[999] == 11;

  // With data that stays on the device, and the time that the kernel took there.
  kiln::DeviceBuffer<float> device_x(x), device_y(x.size());
  const double seconds = apply.prepared_timed_call(grid, device_x, device_y, Line{1, 1}, x.size());
  correct = correct && device_y.to_host()[999] == 3;

  std::printf("the results are %s; the last kernel took %.1f us\n", correct ? "correct" : "WRONG", seconds * 1e6);
  return correct ? 0 : 1;
}
