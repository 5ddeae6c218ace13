// Asks for code of each kind, for the architecture that KILN_ARCH names: what KILN_RECORD is to list. Prints how many
// of the requests were not in the cache.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

int main() {
  int compiled = 0;
  const auto count = [&compiled](const kiln::CodeObject& code) {
    if (!code.from_cache()) ++compiled;
    return code;
  };
  count(kiln::compile("template <class T> __global__ void twice(T* p) { *p *= FACTOR; }",
                      kiln::CompileOptions{}.with_defines({{"FACTOR", 2}}).with_name_expressions({"twice<float>"})));
  const kiln::CompileOptions parts =
      kiln::CompileOptions{}.with_options({"-rdc=true"}).with_target(kiln::Target::ltoir);
  const kiln::CodeObject main_part =
      count(kiln::compile("__device__ float op(float); extern \"C\" __global__ void k(float* p) { *p = op(*p); }",
                          parts.with_name("main.cu")));
  const kiln::CodeObject other_part =
      count(kiln::compile("__device__ float op(float x) { return x + 1; }", parts.with_name("op.cu")));
  kiln::LinkOptions options;
  options.name = "program";
  options.ftz = true;
  count(kiln::Linker(options).add(main_part).add(other_part).add_stdlib("cudadevrt").link());
  // Of a source that the cache has, a link's input is its key alone.
  for (const int registers : {32, 64}) {
    kiln::DynamicModule module(kiln::LinkOptions{}.with(&kiln::LinkOptions::max_registers, registers));
    module.add_source("__device__ int f() { return 1; } extern \"C\" __global__ void d(int* p) { *p = f(); }").link();
    count(module.code());
  }
  std::printf("%d\n", compiled);
}
