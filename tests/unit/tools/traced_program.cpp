// Does what its arguments name, so that `kiln trace` has something to show.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr const char* source = R"(
__global__ void scale(float* values, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
template <class T> __global__ void clear(T* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = 0;
})";

void compile() { (void)kiln::compile(source, {.arch = "sm_80", .name = "scale.cu"}); }

void fail() {
  try {
    (void)kiln::compile("__global__ void bad() { nothing }", {.arch = "sm_80", .name = "bad.cu"});
    std::exit(1);
  } catch (const kiln::CompileError&) {
  }
}

void link_two() {
  kiln::Linker linker({.arch = "sm_80", .name = "both"});
  const auto part = [](const char* text, const char* name) {
    return kiln::compile(text, {.options = {"-rdc=true"}, .arch = "sm_80", .name = name});
  };
  linker.add(part("extern __device__ int two(); __global__ void k(int* p) { *p = two(); }", "k.cu"));
  linker.add(part("__device__ int two() { return 2; }", "two.cu"));
  (void)linker.link();
}

void launch() {
  kiln::SourceModule module(source, {.name = "scale.cu"});
  kiln::Function scale = module.get_function("scale");
  kiln::DeviceBuffer<float> values(std::vector<float>(1000, 2.0F));
  for (int i = 0; i < 3; ++i) scale({4, 256}, values, 1.5F, 1000);
  kiln::LaunchConfig cooperative{4, 256};
  cooperative.attributes.cooperative = true;  // by cuLaunchKernelEx
  scale(cooperative, values, 1.5F, 1000);
  module.get_function("clear<float>")({4, 256}, values, 1000);
  kiln::LaunchPlan plan;
  plan.add(scale, {4, 256}, values, 1.5F, 1000);
  plan.add(scale, {4, 256}, values, 2.0F, 1000);
  const kiln::Stream stream;
  plan(stream);
  kiln::synchronize();
}

[[noreturn]] void crash() {
  compile();
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>> ways = {
      {"compile", compile}, {"fail", fail}, {"link", link_two}, {"launch", launch}, {"crash", crash}};
  for (int i = 1; i < argc; ++i) ways.at(argv[i])();
  std::puts("done");
}
