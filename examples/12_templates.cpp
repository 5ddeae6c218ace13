// Sources made from templates: values and types put in by name, loops and conditions, and errors that name the
// template's own line.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

// As Python's string.Template has it: $name, ${name}, and $$ for the character.
const char* const scale_template = R"(
__global__ void scale($type* values) {
  int i = blockIdx.x * $block + threadIdx.x;
  if (i < $n) values[i] *= $factor;
})";

// With loops and conditions. A tag alone on its line leaves no line behind.
const char* const polynomial_template = R"(
__global__ void polynomial(const {@ type @}* x, {@ type @}* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  {@# trace @}
  if (i == 0) printf("the polynomial has degree {@ degree @}\n");
  {@/ trace @}
  {@ type @} sum = 0;
  {@# coefficients @}
  sum = sum * x[i] + {@ . @};  // coefficient {@ loop.index @}
  {@/ coefficients @}
  y[i] = sum;
})";

template <class T>
std::vector<T> scaled(int n, T factor) {
  const std::string source =
      kiln::substitute(scale_template, {{"type", kiln::type_name<T>()}, {"n", n}, {"block", 256}, {"factor", factor}});
  kiln::SourceModule module(source);
  if (kiln::Device::count() == 0) return {};
  kiln::DeviceBuffer<T> values(std::vector<T>(static_cast<std::size_t>(n), T(2)));
  module.get_function("scale")({static_cast<unsigned>(n + 255) / 256, 256}, values);
  return values.to_host();
}

int main() {
  find_device();
  const std::vector<float> floats = scaled(1000, 1.5F);  // the source says 1.5f
  const std::vector<double> doubles = scaled(500, 0.1);  // and 0.1

  // 2 x^2 + 3 x + 5: the loop is written out, so the compiler sees three lines with constants.
  kiln::TemplateObject data = {
      {"type", kiln::type_name<float>()}, {"trace", false}, {"coefficients", std::vector<float>{2, 3, 5}}};
  const std::string source = kiln::render_template(polynomial_template, data);
  std::printf("--- what was generated ---%s\n", source.c_str());
  kiln::SourceModule module(source, kiln::CompileOptions{}.with_name("polynomial.cu"));

  // A name that is not among the data is told before anything is compiled.
  data["trace"] = true;
  try {
    kiln::render_template(polynomial_template, data);
    return 1;
  } catch (const kiln::ArgumentError& error) {
    std::printf("\n--- a name without a value ---\n%s\n", error.what());
  }

  // What the compiler refuses in generated code is told with the template's line, also in a loop.
  data["trace"] = false;
  data["coefficients"] = kiln::TemplateList{2, "tree", 5};
  try {
    kiln::compile(kiln::render_template(polynomial_template, data), kiln::CompileOptions{}.with_name("polynomial.cu"));
    return 1;
  } catch (const kiln::CompileError& error) {
    std::printf("\n--- a mistake in generated code: line 10 of the template ---\n%s\n", error.what());
  }

  if (kiln::Device::count() == 0) {
    std::puts("\nThere is no GPU here, so the kernels were compiled and not launched.");
    return 0;
  }
  kiln::DeviceBuffer<float> x(std::vector<float>(1000, 2.0F)), y(1000);
  module.get_function("polynomial")({4, 256}, x, y, 1000);
  const bool right = floats == std::vector<float>(1000, 3.0F) && doubles == std::vector<double>(500, 0.2) &&
                     y.to_host() == std::vector<float>(1000, 19.0F);
  std::puts(right ? "\nlaunched all: the results are right" : "\nwrong results");
  return right ? 0 : 1;
}
