// Sources with texture and surface references, by the real compilers.
#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include "compile/headers/source_scan.hpp"
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "real_nvcc.hpp"
#include "worker/nvrtc/reference_headers.hpp"

#include <doctest/doctest.h>

namespace reference_headers_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string plain = "texture<float, 2, cudaReadModeElementType> tex;\n";
const std::string kernel = "extern \"C\" __global__ void k(float* out) { out[0] = tex2D(tex, 1, 2); }\n";

std::vector<Backend> backends_here() {
  if (real_nvcc()) return {Backend::nvrtc, Backend::nvcc};
  return {Backend::nvrtc};
}

/// What PTX declares of a variable, from its name on; empty where there is none.
std::string declared(const CodeObject& code, const std::string& name) {
  const std::string text(code.bytes());
  const std::size_t at = text.find(" " + name + "[");
  return at == text.npos ? std::string() : text.substr(at + 1, text.find(';', at) - at - 1);
}

/// Headers are found beside the cache.
CompileOptions with_folder(const Bench& bench) { return bench.options().with_include_dirs({bench.scratch.path()}); }

const char* const tex_in_ptx =
    "tex[24] = {0, 0, 0, 0, 0, 0, 0, 0, 107, 105, 108, 110, 114, 101, 102, 1, 1, 2, 32, 1, 0, 0, 0, 1}";

}  // namespace

TEST_CASE("a scan distinguishes declarations of references from other uses of the words") {
  for (const char* const text :
       {"texture<float, 2> tex;", "  static texture < float > a, b;", "extern texture<float> a;",
        "// texture\n#include <x.h>\n#define N 3\ntexture<int> t;", "extern \"C\" {\ntexture<float> t;\n}",
        "int a; /* c */ texture /* d */ <float> t;", "struct A { int x; }; texture<float> t;"}) {
    CAPTURE(text);
    CHECK(scan_source(text).declares_texture);
    CHECK_FALSE(scan_source(text).declares_surface);
  }
  for (const char* const text :
       {"", "// texture<float, 2> tex;", "const char* s = \"; texture<float> t;\";", "if (texture < limit) {}",
        "int texture; int f() { return texture<3; }", "template <class T> struct texture {}; texture<int> t;",
        "#define texture mine\n; texture<int> t;", "using texture = int; ; texture<3;", "ns::texture<float> t;",
        "my_texture<float> t;", "#define DECLARE texture<float> t;"}) {
    CAPTURE(text);
    CHECK_FALSE(scan_source(text).declares_texture);
  }
  CHECK(scan_source("surface<void, 2> surf;").declares_surface);
  CHECK_FALSE(scan_source("surface<void, 2> surf;").declares_texture);
}

TEST_CASE("declarations are annotated where the words stand for something else too, and nothing else is") {
  CHECK_FALSE(scan_source("texture<float> t; // texture\nf(texture<float, 1> where);").uses_reference_words);
  for (const char* const text : {"texture<float> t; int texture;", "typedef texture<float> type; type t;",
                                 "surface<void, 2> s; void f(int surface);"})
    CHECK(scan_source(text).uses_reference_words);
  CHECK(scan_source("typedef texture<float> type; type t;").declares_texture);
  CHECK(annotate_references("texture<float> t; int texture; /* ; */ static texture<int>u;") ==
        "__constant__ texture<float> t; int texture; /* ; */ static __constant__ texture<int>u;");
  CHECK(annotate_references("typedef texture<float, 2> type;\ntype t; void f(type a) { type * b; }") ==
        "typedef texture<float, 2> type;\n__constant__ type t; void f(type a) { type * b; }");
  const std::string spliced = "#define READ(t) \\\n  tex1D(t, 1)\ntexture<float> t;";
  CHECK(annotate_references(spliced) == "#define READ(t) \\\n  tex1D(t, 1)\n__constant__ texture<float> t;");
  CHECK(annotate_references("int n;") == "int n;");
}

TEST_CASE("the words may stand for something else too, and a typedef for a reference") {
  const std::string beside =
      "struct material { int texture; };\n"
      "extern \"C\" __global__ void k(float* out) { float texture = tex2D(tex, 1, 2); int surface = 0; "
      "out[surface] = texture; }\n";
  for (const Backend backend : backends_here())
    for (const std::string& declaration : {plain, std::string("typedef texture<float, 2> type;\ntype tex;\n")}) {
      CAPTURE(static_cast<int>(backend));
      const Bench bench;
      const CompileOptions options = bench.options().with_target(Target::ptx).with_backend(backend);
      CHECK(in_new_process([&] {
        const CodeObject code = compile(declaration + beside, options);
        return !code.from_cache() && declared(code, "tex") == tex_in_ptx;
      }));
      CHECK(in_new_process([&] { return compile(declaration + beside, options).from_cache(); }));
    }
}

TEST_CASE("refusals of both compilers ask for the headers") {
  for (const char* const log : {"k.cu(1): error: texture is not a template\n  texture<float> t;\n",
                                "k.cu(1): error: identifier \"texture\" is undefined\n"}) {
    CHECK(diagnose(log).textures);
    CHECK(diagnose_nvcc(log).textures);
    CHECK_FALSE(diagnose_nvcc(log).surfaces);
  }
  CHECK(diagnose_nvcc("k.cu(1): error: surface is not a template\n").surfaces);
  CHECK_FALSE(diagnose_nvcc("k.cu(1): error: my_texture is not a template\n").textures);
  CHECK_FALSE(diagnose_nvcc("k.cu(1): warning: texture is not a template\n").textures);
}

TEST_CASE("the variable holds what the host must know, as reference_variable.hpp reads it") {
  for (const Backend backend : backends_here()) {
    const Bench bench;
    const CompileOptions options = bench.options().with_target(Target::ptx).with_backend(backend);
    CHECK(declared(compile(plain + kernel, options), "tex") == tex_in_ptx);
    CHECK(declared(compile(plain + kernel, options.with_no_extern_c(true)), "tex") == tex_in_ptx);
    const CodeObject own_block = compile("extern \"C\" {\n" + plain + kernel + "}", options);
    CHECK(declared(own_block, "tex") == tex_in_ptx);
    const CodeObject modes = compile(
        "static texture<uchar4, cudaTextureType2DLayered, cudaReadModeNormalizedFloat> tex(1, cudaFilterModeLinear, "
        "cudaAddressModeMirror);\nsurface<void, 3> surf;\n"
        "extern \"C\" __global__ void k(float* o) { *o = tex2DLayered(tex, 1, 2, 3).y; surf3Dwrite(*o, surf, 1, 2, 3); "
        "}",
        options);
    CHECK(declared(modes, "tex") ==
          "tex[24] = {0, 0, 0, 0, 0, 0, 0, 0, 107, 105, 108, 110, 114, 101, 102, 1, 1, 242, 1, 4, 1, 1, 1, 2}");
    CHECK(declared(modes, "surf") == "surf[24] = {0, 0, 0, 0, 0, 0, 0, 0, 107, 105, 108, 110, 114, 101, 102, 1, 2, 3}");
  }
}

TEST_CASE("a reference in a header, and one among parameters, take another attempt, and a warm start none") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("t.h", plain);
    const CompileOptions options = with_folder(bench).with_target(Target::ptx).with_backend(backend);
    const std::string in_header = "#include \"t.h\"\n" + kernel;
    const std::string parameter =
        plain +
        "template <int d> __device__ float at(texture<float, d> t) { return tex2D(t, 1, 2); }\n"
        "extern \"C\" __global__ void k(float* out) { out[0] = at(tex); }\n";
    for (const std::string& source : {in_header, parameter, plain + kernel}) {
      CHECK(in_new_process([&] {
        const CodeObject code = compile(source, options);
        return !code.from_cache() && declared(code, "tex") == tex_in_ptx;
      }));
      CHECK(in_new_process([&] {
        const CodeObject code = compile(source, options);
        return code.from_cache() && declared(code, "tex") == tex_in_ptx;
      }));
    }
    // An edited header is noticed as always.
    bench.header("t.h", "texture<int, 2> tex;\n");
    CHECK(in_new_process([&] { return !compile(in_header, options).from_cache(); }));
  }
}

TEST_CASE("a source with a class template of that name compiles as it is") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("own.h", "template <class T> struct texture { T value; };\n");
    const CompileOptions options = with_folder(bench).with_target(Target::ptx).with_backend(backend);
    const std::string source =
        "#include \"own.h\"\nextern \"C\" __global__ void k(int* o) { int surface = 1; texture<int> t = {surface}; *o "
        "= "
        "t.value; }\n";
    CHECK_NOTHROW(compile(source, options));
  }
}

TEST_CASE("a faulty source with references is reported as it is, not for the lack of them") {
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    try {
      compile(plain + "__global__ void k(float* o) { *o = nonsense; }", bench.options().with_backend(backend));
      FAIL("compiled");
    } catch (const CompileError& error) {
      const std::string text = error.what();
      CHECK_MESSAGE(text.find("nonsense") != text.npos, text);
      CHECK_MESSAGE(text.find("not a template") == text.npos, text);
    }
  }
}

}  // namespace reference_headers_test
