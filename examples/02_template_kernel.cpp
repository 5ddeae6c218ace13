// Kernels may be templates in namespaces. An instance is compiled when it is first asked for, and kept like all code.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

const char* const source = R"(
namespace math {
template <class T, int factor>
__global__ void scale(T* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
})";

int main() {
  find_device();
  kiln::SourceModule module(source);

  // Name the instance as C++ does; the spacing does not matter. With the types of its parameters the function is
  // checked here, once, and converts its arguments at each call as a C++ function does.
  auto scale = module.get_function<void(double*, int)>("math::scale<double, 3>");
  std::printf("the instance's symbol is %s\n", scale.name().c_str());
  for (const kiln::Parameter& parameter : scale.parameters())
    std::printf("  parameter at byte %zu, %zu bytes: %s\n", parameter.offset, parameter.size, parameter.type.c_str());

  // An instance is the name of a kernel, so the program may put the name together from what it knows at run time.
  const int factor = 5;
  const std::string name = kiln::instance("math::scale", kiln::type<float>, factor);  // "math::scale<float, 5>"
  auto times_factor = module.get_function<void(float*, int)>(name);

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so both instances were compiled and not launched.");
    return 0;
  }

  kiln::DeviceBuffer<double> doubles(std::vector<double>(1000, 7.0));
  kiln::DeviceBuffer<float> floats(std::vector<float>(1000, 7.0F));
  kiln::Stream stream;
  scale({4, 256, 0, stream}, doubles, 1000);
  times_factor({4, 256, 0, stream}, floats, 1000L);  // a long becomes the int that the kernel takes
  stream.synchronize();

  const bool right =
      doubles.to_host() == std::vector<double>(1000, 21.0) && floats.to_host() == std::vector<float>(1000, 35.0F);
  std::puts(right ? "launched both: the results are right" : "wrong results");
  return right ? 0 : 1;
}
