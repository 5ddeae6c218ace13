// CUDA Tile C++ is refused with an error that names it, in every spelling: its kernels must not be dropped silently.
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include "compile_bench.hpp"
#include "real_nvcc.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/nvrtc/host_uses.hpp"
#include "worker/nvrtc/tile_kernels.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tile_kernels_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string ordinary = "__global__ void g(int* p) { *p = 1; }\n";

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const ArgumentError& error) {
    return std::string("argument: ") + error.what();
  } catch (const CompileError& error) {
    return std::string("compile: ") + error.what();
  }
  return "none";
}

bool refuses(const std::string& error) {
  return error.find("does not support") != std::string::npos && error.find("tile kernel") != std::string::npos;
}

/// NVRTC knows the annotation from 13.0 on; before, an unknown name is an error of its own.
bool knows_tile() { return NvrtcLibrary::get().version_number() >= std::pair(13, 0); }

struct Source {
  std::string text;
  CompileOptions options = {};
};

std::vector<Source> sources(const Bench& bench) {
  const std::string tile = "__tile_global__ void k(int* p) {}\n";
  bench.header("inc/tile.h", tile);
  const CompileOptions options = bench.options();
  return {
      {tile + ordinary, options},
      {"template <class T> __tile_global__ void k(T* p) {}\ntemplate __tile_global__ void k(int*);\n" + ordinary,
       options},
      {"extern \"C\" __tile_global__ void k(int* p) {}\n" + ordinary, options},
      {"#define KERNEL __tile_global__\nKERNEL void k(int* p) {}\n" + ordinary, options},
      {"#define GLUE(a, b) a##b\nGLUE(__tile_, global__) void k(int* p) {}\n" + ordinary, options},
      {"KERNEL void k(int* p) {}\n" + ordinary, CompileOptions(options).with_defines({{"KERNEL", "__tile_global__"}})},
      {"__attribute__((tile_global)) void k(int* p) {}\n" + ordinary, options},
      {"__attribute__((noinline, tile_global)) void k(int* p) {}\n" + ordinary, options},
      {"#define TG __attribute__((tile_global))\nTG void k(int* p) {}\n" + ordinary, options},
      {"#define TG tile_global\n__attribute__((TG)) void k(int* p) {}\n" + ordinary, options},
      {"#define TG tile_global\n#define KERNEL(more) more, TG\n__attribute__((KERNEL(noinline))) void k(int* p) {}\n" +
           ordinary,
       options},
      {"__attribute__((TG)) void k(int* p) {}\n" + ordinary,
       CompileOptions(options).with_defines({{"TG", "tile_global"}})},
      {"#include \"tg.h\"\n__attribute__((TG)) void k(int* p) {}\n" + ordinary,
       CompileOptions(options).with_headers({{"tg.h", "#define TG tile_global\n"}})},
      {"__location__(tile_global) void k(int* p) {}\n" + ordinary, options},
      {"#undef __tile_global__\n#define __tile_global__ __annotate__(tile_global)\n" + tile + ordinary, options},
      {"#include <cuda_runtime.h>\n" + tile + ordinary, CompileOptions(options).with_options({"-w"})},
      {"#include <cuda_runtime.h>\n" + tile + ordinary,
       CompileOptions(options).with_options({"-default-device", "-w"})},
      {"#include \"tile.h\"\n" + ordinary, CompileOptions(options).with_headers({{"tile.h", tile}})},
      {"#include <tile.h>\n" + ordinary, CompileOptions(options).with_include_dirs({bench.scratch / "inc"})},
      {tile + ordinary, CompileOptions(options).with_options({"-default-device"})},
      {tile + ordinary, CompileOptions(options).with_options({"-default-device", "-w"})},
  };
}

}  // namespace

TEST_CASE("options of CUDA Tile C++ are refused, for each compiler") {
  const Bench bench;
  for (const Backend backend : {Backend::automatic, Backend::nvrtc, Backend::nvcc})
    for (const std::string option : {"--enable-tile", "-enable-tile", "--tile-only", "-tile-only", "--enable-tile=true",
                                     "-tilecubin", "--tilefatbin"}) {
      CAPTURE(option);
      const std::string error = error_of(
          [&] { compile(ordinary, bench.options().with_backend(backend).with_options({option}).with_caching({})); });
      CHECK(refuses(error));
      CHECK(error.find("argument: the option " + option) == 0);
    }
}

TEST_CASE("NVRTC compiles no source with a tile kernel") {
  if (!knows_tile()) return;
  const Bench bench;
  for (const Source& source : sources(bench)) {
    CAPTURE(source.text);
    const std::string error =
        error_of([&] { compile(source.text, CompileOptions(source.options).with_backend(Backend::nvrtc)); });
    CAPTURE(error);
    CHECK(refuses(error));
    CHECK(refuses(error_of([&] { compile(source.text, source.options); })));
  }
}

TEST_CASE("nvcc compiles no source with a tile kernel" * needs_nvcc()) {
  const Bench bench;
  for (const Source& source : sources(bench)) {
    if (!source.options.options.empty() && source.options.options[0] == "-default-device") continue;
    CAPTURE(source.text);
    const std::string error =
        error_of([&] { compile(source.text, CompileOptions(source.options).with_backend(Backend::nvcc)); });
    CAPTURE(error);
    CHECK(refuses(error));
  }
}

TEST_CASE("names that only look like it compile, and so does a tile kernel that no #if lets through") {
  const Bench bench;
  for (const std::string text :
       {"__global__ void k(int* tile_global) { if ((tile_global[0] + 1) > 2) tile_global[0] = 3; }\n",
        "#if 0\n__tile_global__ void k(int* p) {}\n#endif\n__global__ void g() {}\n",
        "// __attribute__((tile_global))\n__global__ void g() {}\n",
        "#define A tile_global\n#define A noinline\n__attribute__((A)) __device__ void f() {}\n__global__ void g() "
        "{}\n",
        "#ifdef __tile_global__\n__device__ int knows;\n#endif\n__global__ void g() {}\n"})
    CHECK(error_of([&] { compile(text, bench.options()); }) == "none");
}

TEST_CASE("what each release says of a tile kernel is understood") {
  CompilerJob job;
  job.name = "k.cu";
  for (const char* const line :
       {"k.cu(1): warning #20360-D: parsing for Tile constructs is not enabled. Tile annotations (including __tile__ "
        "and "
        "__tile_global__) will be ignored. Please add -enable-tile to the compiler invocation.",
        "k.cu(1): warning #1097-D: unknown attribute \"tile_global\"",
        "k.cu(1): error: identifier \"kiln_has_no_tile_kernels\" is undefined"}) {
    const std::string error = error_of([&] { refuse_tile_kernels(job, std::string(line) + "\n"); });
    CHECK(refuses(error));
    CHECK(error.find("k.cu(1)") != std::string::npos);
  }
  CHECK(error_of([&] { refuse_tile_kernels(job, "k.cu(1): warning #177-D: variable \"x\" was declared\n"); }) ==
        "none");
}

}  // namespace tile_kernels_test
