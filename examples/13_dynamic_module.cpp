// A module put together from parts. First from text, as programs do that generate code: a template, values for its
// names, and functions. Then by the linker: two sources, each compiled by itself, of which one calls the other.
#include <kiln/kiln.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "find_device.hpp"

// What a user of a simulation might give: a law of force, by its formula.
struct Law {
  std::string name;
  std::string formula;
};

kiln::DynamicModule generate(const std::vector<Law>& laws, const std::string& type) {
  kiln::DynamicModule module(R"(
extern "C" __global__ void forces(const real* r, real* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = $sum;
}
)");
  module.add_to_preamble("typedef " + type + " real;\n");
  std::string sum = "0";
  for (const Law& law : laws) {
    module.add_function({"real", law.name, "real r", "return " + law.formula + ";"});
    sum += " + " + law.name + "(r[i])";
  }
  module.substitute({{"sum", sum}});
  return module;
}

const char* const step_source = R"(
extern __device__ float boundary(float x);  // in another source

extern "C" __global__ void step(float* x, float dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = boundary(x[i] + dx);
}
)";
const char* const periodic_source = "__device__ float boundary(float x) { return x - floorf(x); }\n";

bool check(const char* what, const std::vector<float>& given, const std::vector<float>& expected) {
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i] < expected[i] - 1e-4F || given[i] > expected[i] + 1e-4F) {
      std::printf("%s: element %zu is %g, it should be %g\n", what, i, given[i], expected[i]);
      return false;
    }
  std::printf("%s: all values are right\n", what);
  return true;
}

int main() {
  find_device();
  kiln::DynamicModule forces = generate({{"spring", "2 * r"}, {"drag", "r * r / 4"}}, kiln::type_name<float>());
  forces.compile();
  std::printf("the generated source:\n%s\n", forces.source().c_str());

  // Only what changed is compiled again: another boundary costs one small compile and a link.
  kiln::DynamicModule stepping;
  stepping.add_source(step_source, {}, "step.cu").add_source(periodic_source, {}, "periodic.cu").link();

  if (kiln::Device::count() == 0) {
    std::puts("There is no GPU here, so both modules were made and nothing was launched.");
    return 0;
  }

  const std::vector<float> r = {0, 1, 2, 3};
  std::vector<float> force(r.size());
  const int n = static_cast<int>(r.size());
  forces.get_function("forces")({1, 32}, kiln::In(r), kiln::Out(force), n);

  std::vector<float> x = {0.1F, 0.5F, 0.8F, 0.9F};
  stepping.get_function("step")({1, 32}, kiln::InOut(x), 0.4F, n);
  const bool right = check("forces", force, {0, 2.25F, 5, 8.25F}) && check("steps", x, {0.5F, 0.9F, 0.2F, 0.3F});
  return right ? 0 : 1;
}
