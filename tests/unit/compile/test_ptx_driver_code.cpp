// Code for a driver that takes PTX only: line information, and the source's text behind the PTX.
#include "compile/request/ptx_driver_code.hpp"

#include "base/escaped_text.hpp"
#include "compile/compiler.hpp"
#include "compile_bench.hpp"
#include "real_nvcc.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ptx_driver_code_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const CompileContext ptx_driver{"sm_80", false};

const std::string source =
    "#include \"twice.h\"\n"
    "// .visible .entry in_a_comment()\n"
    "extern \"C\" __global__ void k(int* p) {\n"
    "  p[threadIdx.x] = twice(p[threadIdx.x]);\n"
    "}\n";
const std::string twice = "// of twice\n__device__ inline int twice(int i) {\n  return 2 * i;\n}\n";

bool has(std::string_view text, const std::string& part) { return text.find(part) != std::string_view::npos; }

std::string here(const std::string& name) { return (std::filesystem::current_path() / name).string(); }

/// A source's text as the emulator reads it.
std::string tail(const std::string& name, std::string text) {
  std::string expected = "//kiln-source " + here(name) + "\n";
  for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
    expected += "//|" + text.substr(0, end + 1);
  return expected;
}

struct PtxBench : Bench {
  CompileOptions options() const {
    return Bench::options().with_arch("").with_name("mine.cu").with_headers({{"twice.h", twice}});
  }
  CodeObject code(const CompileOptions& options, const CompileContext& context = ptx_driver) const {
    return compile_for(source, options, context);
  }
};

void check_texts(const CodeObject& code) {
  CHECK(code.target() == Target::ptx);
  CHECK(code.arch() == "compute_80");
  const std::string_view ptx = code.bytes();
  CHECK(has(ptx, "\t.loc\t"));
  CHECK(has(ptx, "\"" + here("mine.cu") + "\""));
  CHECK(has(ptx, tail("mine.cu", source)));
  CHECK(has(ptx, tail("twice.h", twice)));
  REQUIRE(code.kernels().size() == 1);
  CHECK(code.kernels()[0].name == "k");
  CHECK(code.kernels()[0].parameters.size() == 1);
}

}  // namespace

TEST_CASE("code for a driver that takes PTX only has lines, and the source behind it") {
  const PtxBench bench;
  check_texts(bench.code(bench.options()));
  CHECK(bench.code(bench.options()).from_cache());
  CHECK(bench.stats().compiles == 1);
}

TEST_CASE("lines that #line names and numbers are there under those names") {
  const PtxBench bench;
  const std::string named =
      "__device__ int f(int i) {\n"
      "#line 3 \"what: \\\"it\\\" does\"\n"
      "  return i + clock();\n"
      "#line 2 \"mine.cu\"\n"
      "}\n"
      "extern \"C\" __global__ void k(int* p) {\n"
      "#line 900000000\n"
      "  p[1] = f(p[0]);\n"
      "}\n";
  const CodeObject code = compile_for(named, bench.options(), ptx_driver);
  CHECK(has(code.bytes(), "//kiln-source " + here("what: \\\"it\\\" does") + "\n//|\n//|\n//|  return i + clock();\n"));
  CHECK(has(code.bytes(), tail("mine.cu", "__device__ int f(int i) {\n}\nextern \"C\" __global__ void k(int* p) {\n")));
}

TEST_CASE("code for a GPU has neither, and an entry of its own") {
  const PtxBench bench;
  const Decisions decisions;
  bench.code(bench.options());
  const CodeObject ptx = bench.code(bench.options().with_target(Target::ptx), {"sm_80"});
  CHECK_FALSE(ptx.from_cache());
  CHECK_FALSE(has(ptx.bytes(), ".loc"));
  CHECK_FALSE(has(ptx.bytes(), "//kiln-source"));
  CHECK(bench.code(bench.options(), {"sm_80"}).target() == Target::cubin);
  CHECK(has(decisions.text, "the driver's kind of code changed from PTX to cubin"));
  CHECK(bench.stats().compiles == 3);
}

TEST_CASE("what nvcc makes for such a driver names the caller's folder, not its own" * needs_nvcc()) {
  const PtxBench bench;
  const CodeObject code = bench.code(bench.options().with_backend(Backend::nvcc));
  check_texts(code);
  CHECK_FALSE(has(code.bytes(), "kiln-nvcc"));
}

TEST_CASE("name expressions, workers and an explicit arch change nothing of that") {
  const PtxBench bench;
  check_texts(bench.code(bench.options(), ptx_driver));
  check_texts(bench.code(bench.options().with_name_expressions({"k"})));
  check_texts(bench.code(bench.options().with_arch("sm_80")));
  check_texts(bench.code(bench.options().with_target(Target::ptx)));
}

TEST_CASE("another folder is served, with its own paths") {
  std::vector<Backend> backends = {Backend::nvrtc};
  if (real_nvcc()) backends.push_back(Backend::nvcc);
  for (const Backend backend : backends) {
    CAPTURE(static_cast<int>(backend));
    const PtxBench bench;
    for (const char* tree : {"A \xc3\xa4", "B"}) {
      bench.header(std::string(tree) + "/inc/beside.h", "__device__ int beside(int i) { return clock() + i; }\n");
      bench.header(std::string(tree) + "/quoted.h", "__device__ int quoted(int i) { return clock() - i; }\n");
    }
    const std::string text =
        "#include \"quoted.h\"\n#include <beside.h>\nextern \"C\" __global__ void k(int* p) { p[0] = "
        "beside(quoted(p[1])); }\n";
    for (const std::string name : {"", "sub/mine.cu", "/elsewhere/k.cu"}) {
      CAPTURE(name);
      const auto code_in = [&](const std::string& tree) {
        const std::filesystem::path before = std::filesystem::current_path();
        std::filesystem::current_path(bench.scratch / tree);
        const CompileOptions options =
            bench.Bench::options().with_arch("").with_backend(backend).with_name(name).with_include_dirs(
                {bench.scratch / tree, bench.scratch / tree / "inc"});
        const CodeObject code = compile_for(text, options, ptx_driver);
        std::filesystem::current_path(before);
        return code;
      };
      const Decisions decisions;
      const CodeObject first = code_in("A \xc3\xa4");
      const CodeObject second = code_in("B");
      INFO(decisions.text);
      CHECK_FALSE(first.from_cache());
      CHECK(second.from_cache());
      const auto path = [&](const std::string& file) { return ptx_escaped((bench.scratch / file).string()); };
      // A source without a name is no file in the working folder.
      const std::string source_path = name.empty() ? "kernel.cu" : name[0] == '/' ? name : path("B/" + name);
      CHECK(has(second.bytes(), "\"" + source_path + "\""));
      CHECK(has(second.bytes(), "//kiln-source " + source_path + "\n"));
      CHECK(has(second.bytes(), "\"" + path("B/inc/beside.h") + "\""));
      CHECK_FALSE(has(second.bytes(), "A \\303\\244"));
      CHECK_FALSE(has(second.bytes(), "$(kiln"));
      CHECK(in_new_process([&] { return code_in("A \xc3\xa4").bytes() == first.bytes(); }));
    }
    CHECK(bench.stats().compiles == 3);
  }
}

TEST_CASE("paths are taken out of line information and put back") {
  HeaderSearchPaths search;
  search.working_folder = "/w";
  search.source_dir = "/w/\"s\"";
  search.roots.paths = {"/w/inc", "/toolkit"};
  search.own_roots = 1;
  const std::string ptx =
      ".file 1 \"/w/\\\"s\\\"/k.cu\"\n\t.file\t2 \"/w/inc/x.h\", 1, 2\n.file 3 \"/toolkit/t.h\"\n.file 4 "
      "\"/other/\\303\\244.h\"\n"
      "ld.global.f32 %f1, [\"/w/inc\"];\n//kiln-source /w/y.h\n//|.file 1 \"/w/no\"";
  const std::string path_independent = without_absolute_paths(ptx, search);
  CHECK(has(path_independent, "\"$(kiln 1)/k.cu\""));
  CHECK(has(path_independent, "\"$(kiln 2)/x.h\", 1, 2\n"));
  CHECK(has(path_independent, "//kiln-source $(kiln 0)/y.h\n"));
  CHECK(has(path_independent, "\"/toolkit/t.h\""));
  CHECK(with_absolute_paths(path_independent, search) == ptx);
  CHECK(with_absolute_paths(".file 1 \"$(kiln 9)/x\"\n", search) == ".file 1 \"$(kiln 9)/x\"\n");
}

TEST_CASE("nvcc alone with the user's options stays so, and intermediate code has no lines") {
  CHECK_FALSE(is_for_ptx_driver(CompileContext{"sm_80", false, true}, Target::ptx));
  CHECK_FALSE(is_for_ptx_driver(ptx_driver, Target::ltoir));
  CHECK_FALSE(is_for_ptx_driver(CompileContext{"sm_80"}, Target::ptx));
  CHECK(is_for_ptx_driver(ptx_driver, Target::cubin));
}

TEST_CASE("line information is asked for once") {
  OptionList own;
  add_line_information(own);
  CHECK(own.arguments == std::vector<std::string>{"-lineinfo"});
  CHECK(own.path_independent == own.arguments);
  CHECK(own.embeds_working_folder);
  OptionList given = read_options({"-G"}, "/");
  add_line_information(given);
  CHECK(given.arguments == std::vector<std::string>{"-G"});
}

TEST_CASE("only files that the PTX names, and that are in memory, stand behind it") {
  CompilerJob job;
  job.name = "a.cu";
  job.source = "one\r\ntwo";
  job.headers = {{"sub/b.h", std::string("b\0rest", 6)}, {"c.h", "c\n"}};
  const std::string ptx = "\t.file\t1 \"/w/sub/b.h\"\n\t.file 2 \"/w/a.cu\"\n.file 3 \"/usr/c.h\"";
  CHECK(with_source_text(ptx + std::string(1, '\0'), job, "/w") ==
        ptx + "\n//kiln-source /w/sub/b.h\n//|b\n//kiln-source /w/a.cu\n//|one\n//|two\n");
  CHECK(with_source_text("no files", job, "/w") == "no files");
  job.name = "kernel.cu";  // without a name
  CHECK(with_source_text(".file 1 \"/w/kernel.cu\"\n.file 2 \"/x/kernel.cu\"\n", job, "/w") ==
        ".file 1 \"kernel.cu\"\n.file 2 \"/x/kernel.cu\"\n//kiln-source kernel.cu\n//|one\n//|two\n");
}

}  // namespace ptx_driver_code_test
