// Macros that are defined behind a source's leading lines.
#include "cache/key.hpp"
#include "compile/headers/late_defines.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/request/request.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compile_bench.hpp"
#include "pch_bench.hpp"
#include "real_nvcc.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

namespace late_defines_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// Of the body of a kernel `k`, which begins in line 5.
std::string with_body(const std::string& body) {
  return "// A kernel.\n#include <cuda_fp16.h>\n\nextern \"C\" __global__ void k(__half* x, int* line) {\n" + body +
         "\n}\n";
}
const std::string kernel =
    with_body("  x[threadIdx.x * TILE] = __float2half(SCALE(x[0], 2));\n  *line = __LINE__ + sizeof(__FILE__);\n");
const std::vector<Define> macros = {{"TILE", 4}, {"SCALE(a, b)", "((float)(a) * (b))"}};

CompilerJob job(std::vector<std::pair<std::string, std::string>> late) {
  CompilerJob made;
  made.name = "k.cu";
  made.late_defines = std::move(late);
  return made;
}

template <class Failure, class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Failure& error) {
    return error.what();
  }
  FAIL("nothing was thrown");
  return {};
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string refusal(const std::string& source, const CompileOptions& options) {
  return message_of<ArgumentError>(
      [&] { (void)make_request(source, options.with_arch("sm_80"), {}, compiler_elsewhere("a compiler")); });
}

/// nvcc puts a digest of its command line into the names of internal functions, which line information has.
std::string without_module_id(std::string_view code) {
  const std::string mark = "_INTERNAL_";
  std::string text(code);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
    text.replace(at + mark.size(), 8, "00000000");
  return text;
}

/// Both compilers, where there is nvcc.
std::vector<Backend> backends() {
  std::vector<Backend> all = {Backend::nvrtc};
  if (real_nvcc()) all.push_back(Backend::nvcc);
  return all;
}

}  // namespace

TEST_CASE("late macros stand behind the leading lines, and the rest has its lines' numbers") {
  const CompilerJob made = job({{"A", "1"}, {"F(x)", "(x)"}});
  const std::string lines = "#line 1 \"late_defines\"\n#define A 1\n#define F(x) (x)\n";
  CHECK(with_own_lines(made, "// c\n#include <a.h>\nint x;\n") ==
        "// c\n#include <a.h>\n" + lines + "#line 3 \"k.cu\"\nint x;\n");
  CHECK(with_own_lines(made, "int x;\n#include <a.h>\n") == lines + "#line 1 \"k.cu\"\nint x;\n#include <a.h>\n");
  CHECK(with_own_lines(made, "#line 7 \"b\\\".cu\"\n#include <a.h>\n\n") ==
        "#line 7 \"b\\\".cu\"\n#include <a.h>\n" + lines + "#line 8 \"b\\\".cu\"\n\n");
  CHECK(with_own_lines(job({}), "#include <a.h>\nint x;\n") == "#include <a.h>\nint x;\n");
}

TEST_CASE("a word is found outside of comments and literals alone") {
  CHECK(line_of_word("int N;", "N") == 1);
  CHECK(line_of_word("// N\n/* N */ \"N\" 'N' NN N1 xN 1N\n#if N", "N") == 3);
  CHECK(line_of_word("\n\n#define A(x) x##N", "N") == 3);
  CHECK_FALSE(line_of_word("// N\nR\"(N)\" NOT $N", "N"));
  CHECK_FALSE(line_of_word("", "N"));
}

TEST_CASE("late macros are part of what a request is known by") {
  const auto key = [](const std::vector<Define>& late) {
    return make_request(kernel, CompileOptions{}.with_arch("sm_80").with_late_defines(late), {},
                        compiler_elsewhere("a compiler"))
        .key.request;
  };
  CHECK(key({{"A", 1}}) != key({{"A", 2}}));
  CHECK(key({{"A", 1}}) != key({}));
  CHECK(key({{"A", 1}, {"B", 1}}) != key({{"B", 1}, {"A", 1}}));
  CHECK(says(key({{"TILE", 4}}), "TILE=4"));
  CHECK_FALSE(says(key({{"TILE", 4}}), "#define"));  // what a change is explained by
}

TEST_CASE("a macro whose name is none is refused by it, before a compiler sees it") {
  for (const char* name : {"", "1A", "A B", "A-B", "(x)", "A "})
    CHECK(says(refusal("int x;", CompileOptions{}.with_defines({{name, 3}})),
               "defines: \"" + std::string(name) + "\" is no name of a macro: a name has letters, digits and _"));
  for (const char* name : {"A", "_1", "SQUARE(x)", "float", "grün", "a$b"})
    CHECK_NOTHROW((void)make_request("int x;", CompileOptions{}.with_arch("sm_80").with_defines({{name, 3}}), {},
                                     compiler_elsewhere("a compiler")));
}

TEST_CASE("a late macro that is no directive of one line is refused by its name") {
  const auto refused = [](const Define& macro) {
    return refusal("int x;", CompileOptions{}.with_late_defines({macro}));
  };
  for (const char* name : {"", "1A", "A B", "A-B", "(x)", "A(x", "A(x)b", "A(x=1)"})
    CHECK(says(refused(Define(name, "1")), "late_defines: \"" + std::string(name) + "\" is no name of a macro"));
  for (const char* name : {"float", "inline", "if", "double(x)"})
    CHECK(says(refused(Define(name, "1")), "late_defines: \"" + std::string(name) + "\" is a keyword of C++"));
  for (const char* name : {"defined", "__LINE__", "__FILE__", "__CUDA_ARCH__", "__CUDACC_RTC__", "__global__",
                           "__launch_bounds__(x)", "__cplusplus", "__VA_ARGS__"})
    CHECK(says(refused(Define(name, "1")), "late_defines: \"" + std::string(name) + "\" is the compiler's own"));
  for (const char* name : {"__TILE__", "_N", "SUM(a, b)", "LOG(...)", "floats", "half"})
    CHECK_NOTHROW((void)make_request("int x;", CompileOptions{}.with_arch("sm_80").with_late_defines({{name, "1"}}), {},
                                     compiler_elsewhere("a compiler")));
  for (const char* value : {"a\nb", "a\r", "a\\", "/*", "R\"(\")", "?\?/"})
    CHECK(says(refused(Define("A", value)), "late_defines: \"A\" would not end with its line"));
  CHECK(says(refused(Define("A", std::string("a\0b", 3))), "\"A\" would not end with its line"));
  for (const char* value : {"", "1", "/* one */ 1", "\"text\"", "'\\\\'", "a // b"})
    CHECK_NOTHROW((void)make_request("int x;", CompileOptions{}.with_arch("sm_80").with_late_defines({{"A", value}}),
                                     {}, compiler_elsewhere("a compiler")));
}

TEST_CASE("a macro that is defined elsewhere, too, is refused") {
  const CompileOptions late = CompileOptions{}.with_late_defines({{"N", 4}});
  CHECK(says(refusal("int x;", late.with_defines({{"N", 4}})), "\"N\" is defined twice, here and in defines: leave"));
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-DN=4"},
                                                  {"-D", "N"},
                                                  {"-UN"},
                                                  {"--define-macro=N(x)=x"},
                                                  {"--undefine-macro", "N"}}) {
    CAPTURE(options.front());
    const std::string text = refusal("int x;", late.with_options(options));
    CHECK_MESSAGE(says(text, "\"N\" is also defined or undefined by the option " + options.front()), text);
  }
  CHECK(says(refusal("int x;", late.with_late_defines({{"N", 4}, {"N(x)", "x"}})),
             "\"N(x)\" is defined twice in late_defines, as N=4 before"));
  CHECK_NOTHROW((void)make_request("int x;", late.with_arch("sm_80").with_defines({{"NN", 4}}), {},
                                   compiler_elsewhere("a compiler")));
}

TEST_CASE("a macro that the leading lines or an in-memory header have as a word is refused") {
  const CompileOptions late = CompileOptions{}.with_late_defines({{"N", 4}});
  CHECK(says(refusal("// N\n#if N\n#include <a.h>\n#endif\nint x = N;", late),
             "\"N\" is a word of \"kernel.cu\", line 2, where the macro would not be defined"));
  CHECK(says(refusal("#include N\nint x;", late), "line 1"));
  CHECK(says(refusal("#define M N\n#include <a.h>\nint x;", late), "line 1"));
  CHECK(says(refusal("#include <a.h>\n", late.with_headers({{"a.h", "\nint N;\n"}})),
             "\"N\" is a word of the in-memory header \"a.h\", line 2"));
  CHECK_NOTHROW((void)make_request("#include <a.h>\n#if N\n#endif\n", late.with_arch("sm_80"), {},
                                   compiler_elsewhere("a compiler")));
}

TEST_CASE("late macros make the code that the same macros make by -D") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    const CompileOptions options = bench.options().with_backend(backend).with_name("folder/k.cu");
    for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"-lineinfo"}}) {
      CAPTURE(words.size());
      const CodeObject late = compile(kernel, options.with_options(words).with_late_defines(macros));
      const CodeObject early = compile(kernel, options.with_options(words).with_defines(macros));
      CHECK_FALSE(late.from_cache());
      CHECK_FALSE(early.from_cache());
      CHECK((without_module_id(late.bytes()) == without_module_id(early.bytes())));
    }
  }
}

TEST_CASE("without an include late macros are defined before the source") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    const std::string source =
        "static_assert(TILE == 4 && __LINE__ == 1);\nextern \"C\" __global__ void k(int* x) { *x = TILE; }\n";
    const CompileOptions options = bench.options().with_backend(backend);
    const CodeObject late = compile(source, options.with_late_defines({{"TILE", 4}}));
    CHECK(late.bytes() == compile(source, options.with_defines({{"TILE", 4}})).bytes());
  }
}

TEST_CASE("line numbers, __FILE__ and includes of the rest are the source's own") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    bench.header("src/beside.h", "static_assert(__LINE__ == 1);\n");
    const std::string name = (bench.scratch / "src/k.cu").string();
    const CompileOptions options = bench.options().with_backend(backend).with_name(name).with_late_defines(
        {{"TILE", 4}, {"HEADER", "\"beside.h\""}});
    const std::string rest = "static_assert(__LINE__ == 3 && sizeof(__FILE__) == " + std::to_string(name.size() + 1) +
                             ");\nint f();\n#include HEADER\n";
    CHECK_NOTHROW(compile("// k\n#include <cuda_fp16.h>\n" + rest, options));
    bench.header("src/c.h", "int g();\n");
    CHECK_NOTHROW(compile("// k\n#include \"c.h\"\n" + rest, options.with_no_extern_c(false)));
    CHECK_NOTHROW(compile("#line 2\n#include <cuda_fp16.h>\n" + rest, options));
  }
}

TEST_CASE("an error names the source's own line, and says the late macros") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    const CompileOptions options =
        bench.options().with_backend(backend).with_name("k.cu").with_late_defines({{"TILE", "fault;"}, {"COUNT", 8}});
    const std::string text = message_of<CompileError>([&] { compile(with_body("  *line = TILE"), options); });
    CHECK_MESSAGE(says(text, "k.cu(5)"), text);
    CHECK_MESSAGE(says(text, ">     5 |   *line = TILE"), text);
    CHECK_MESSAGE(says(text, "late_defines: TILE=fault; COUNT=8"), text);
    CHECK_MESSAGE(!says(text, "#define TILE"), text);
  }
}

TEST_CASE("an error of a source that is a file is the compiler's, and not about the source as a header") {
  const Bench bench;
  const std::string source = with_body("  *line = TILE + UNKNOWN;");
  const std::string file = bench.scratch.write("k.cu", source).string();
  const CompileOptions options = bench.options().with_name(file).with_late_defines({{"TILE", 4}});
  const std::string text = message_of<CompileError>([&] { compile(source, options); });
  CHECK_MESSAGE(says(text, "\"UNKNOWN\" is undefined"), text);
}

TEST_CASE("variants are entries of their own, and each is found again") {
  const Bench bench;
  const auto variant = [&](int tile) { return bench.options().with_late_defines({{"TILE", tile}, macros[1]}); };
  for (const int tile : {1, 2}) REQUIRE(in_new_process([&] { return !compile(kernel, variant(tile)).from_cache(); }));
  for (const int tile : {1, 2}) {
    CHECK(in_new_process([&] { return compile(kernel, variant(tile)).from_cache(); }));
    CHECK(compile(kernel, variant(tile)).from_cache());
    CHECK(compile(kernel, variant(tile)).from_cache());  // in memory
  }
  CHECK_FALSE(is_cached(kernel, variant(3)));
}

TEST_CASE("a header that has the word of a late macro is refused by name and line, and nothing is kept") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    const std::string header =
        bench.header("inc/own.h", "// TILE\n\ninline __device__ int f() { int TILE = 1; return TILE; }\n");
    const CompileOptions options = bench.options()
                                       .with_backend(backend)
                                       .with_include_dirs({bench.scratch / "inc"})
                                       .with_late_defines({{"TILE", 4}});
    const std::string source = "#include \"own.h\"\nextern \"C\" __global__ void k(int* x) { *x = f(); }\n";
    for (const bool cache : {true, false}) {
      const std::string text = message_of<ArgumentError>([&] { compile(source, options.with_cache(cache)); });
      CHECK_MESSAGE(says(text, "late_defines: \"TILE\" is a word of the header " + header + ", line 3"), text);
    }
    CHECK_FALSE(is_cached(source, options));
    CHECK(bench.stats().stores == 0);
    // The toolkit's, too.
    const std::string toolkit = message_of<ArgumentError>([&] {
      compile("#include <cuda_fp16.h>\nint f();\n", options.with_late_defines({{"__half2float", 4}}));
    });
    CHECK_MESSAGE(says(toolkit, "cuda_fp16.h"), toolkit);
  }
}

TEST_CASE("a header that lacks a late macro is named, instead of the error that comes of it") {
  for (const Backend backend : backends()) {
    CAPTURE(static_cast<int>(backend));
    const Bench bench;
    const std::string header = bench.header("inc/own.h", "#ifndef TILE\n#error no TILE\n#endif\n");
    const CompileOptions options = bench.options()
                                       .with_backend(backend)
                                       .with_include_dirs({bench.scratch / "inc"})
                                       .with_late_defines({{"TILE", 4}});
    const std::string text = message_of<ArgumentError>([&] { compile("#include \"own.h\"\nint f();\n", options); });
    CHECK_MESSAGE(says(text, header + ", line 1"), text);
  }
}

TEST_CASE("a header that gets the word of a late macro is noticed") {
  const Bench bench;
  const auto header = bench.header("inc/own.h", "inline __device__ int f() { return 1; }\n");
  const CompileOptions options =
      bench.options().with_include_dirs({bench.scratch / "inc"}).with_late_defines({{"TILE", 4}});
  const std::string source = "#include \"own.h\"\nextern \"C\" __global__ void k(int* x) { *x = f() + TILE; }\n";
  compile(source, options);
  CHECK(compile(source, options).from_cache());
  bench.header("inc/own.h", "inline __device__ int f() { int TILE = 2; return TILE; }\n");
  CHECK_THROWS_AS((void)compile(source, options), ArgumentError);
}

TEST_CASE("one precompiled header serves all variants, and what it was made of is searched for late macros") {
  if (NvrtcLibrary::get().version_number() < std::pair(12, 8)) {
    MESSAGE("not tried: precompiled headers came with NVRTC 12.8");
    return;
  }
  const PchBench bench;
  const auto with = [&](const std::vector<Define>& late) { return bench.options().with_late_defines(late); };
  const std::string source = "#include <value.h>\n__global__ void k(int* o) { *o = twice(1) + TILE; }\n";
  compile(source, with({{"TILE", 1}}));
  CHECK(bench.made() == 1);
  CHECK(bench.used() == 0);
  for (const int tile : {2, 3}) {
    const CodeObject late = compile(source, with({{"TILE", tile}}));
    const CodeObject early = compile(source, bench.options().with_defines({{"TILE", tile}}).with_cache(false));
    CHECK(late.bytes() == early.bytes());
  }
  CHECK(bench.used() == 2);
  CHECK(bench.made() == 1);
  for (const char* text : {"1", "fault;"}) {
    const std::string refused = message_of<ArgumentError>([&] {
      compile(source, with({{"TILE", text}, {"VALUE", 4}}));
    });
    CHECK_MESSAGE(
        says(refused, "\"VALUE\" is a word of the header " + (bench.scratch / "inc/value.h, line 1").string()),
        refused);
  }
  CHECK(bench.used() == 4);
}

TEST_CASE("the clock in a late macro is noticed") {
  const Bench bench;
  const std::string source = "extern \"C\" __global__ void k(char* x) { *x = WHEN[0]; }\n";
  compile(source, bench.options().with_late_defines({{"WHEN", "__TIME__"}}));
  CHECK(bench.stats().stores == 0);
}

}  // namespace late_defines_test
