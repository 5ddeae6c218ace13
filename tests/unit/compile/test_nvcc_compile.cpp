#include "worker/nvcc/nvcc_compile.hpp"

#include "base/environment.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "toolkit/locate/host_compiler.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "environment_guard.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"
#include "small_job.hpp"

namespace nvcc_compile_test {

using namespace kiln;
using kiln::test::EnvironmentGuard;
using kiln::test::job;
using kiln::test::ScratchFolder;

namespace fs = std::filesystem;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class Exception = CompileError>
std::string failure(const std::string& nvcc, const CompilerJob& made) {
  try {
    compile_with_nvcc(nvcc, made);
  } catch (const Exception& error) {
    return error.what();
  }
  FAIL("compiled");
  return {};
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

/// Whether it read a file whose path ends so.
bool has_read(const FileRecord& record, const std::string& end) {
  return std::any_of(record.questions.begin(), record.questions.end(),
                     [&](const FileQuestion& question) { return question.opened && question.path.ends_with(end); });
}

}  // namespace

TEST_CASE("nvcc's error about a misspelt option has the right one" * test::needs_nvcc()) {
  CompilerJob made = job("__global__ void k() {}");
  made.arguments = {"--use_fast_mth"};
  const std::string text = failure(*test::real_nvcc(), made);
  CHECK_MESSAGE(contains(text, "did you mean \"--use_fast_math\"?"), text);
}

TEST_CASE("nvcc's error about a misspelt name expression has the right one" * test::needs_nvcc()) {
  CompilerJob made = job("template <class T> __global__ void scale(T* a) { *a *= 2; }");
  made.name_expressions = {"scle<float>"};
  const std::string text = failure(*test::real_nvcc(), made);
  CHECK_MESSAGE(contains(text, "did you mean \"scale<float>\"?"), text);
}

TEST_CASE("each target is made by nvcc, and nothing is left behind" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const EnvironmentGuard guard({{"TMPDIR", scratch.path().string()}});
  CompilerJob made = job("extern \"C\" __global__ void k(float* a) { a[0] = 1; }");
  CHECK(compile_with_nvcc(*nvcc, made).code.substr(1, 3) == "ELF");
  made.target = Target::fatbin;
  made.arch = "compute_80";
  made.code = "sm_80,sm_90,compute_80";
  const std::string fatbin = compile_with_nvcc(*nvcc, made).code;
  CHECK(code_kind(fatbin) == CodeKind::fatbin);
  CHECK(contains(fatbin, ".entry k("));  // not compressed
  made.code.clear();
  made.target = Target::ptx;
  const CompilerOutput ptx = compile_with_nvcc(*nvcc, made);
  CHECK(contains(ptx.code, ".entry k("));
  CHECK(ptx.options.front() == *nvcc);
  CHECK(ptx.kept_folder.empty());
  made.target = Target::optixir;
  CHECK(compile_with_nvcc(*nvcc, made).code.size() > 100);
  CHECK(entries_in(scratch.path()) == 0);
}

TEST_CASE("the kinds of parameters come with nvcc's machine code, of one architecture and of several" *
          test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  CompilerJob made = job("extern \"C\" __global__ void k(float* p, float x, int n) { p[n] = x; }");
  const std::vector<ParameterKind> expected = {ParameterKind::integer_or_pointer, ParameterKind::floating,
                                               ParameterKind::integer};
  CHECK(compile_with_nvcc(*nvcc, made).parameter_kinds == ParameterKinds{{"k", expected}});
  made.arguments = {"-rdc=true"};
  CHECK(compile_with_nvcc(*nvcc, made).parameter_kinds == ParameterKinds{{"k", expected}});
  made.target = Target::fatbin;
  made.arch.clear();
  made.code = "sm_80,sm_90";
  CHECK(compile_with_nvcc(*nvcc, made).parameter_kinds == ParameterKinds{{"k", expected}});
}

TEST_CASE("link-time code is of the size that NVRTC's is, whatever way it is made" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  CompilerJob made = job("template <class T> __global__ void k(T* a) { a[0] = 1; } template __global__ void k(int*);");
  made.target = Target::ltoir;
  made.arch = "compute_90";
  made.arguments = {"-dlto"};
  const std::string code = compile_with_nvcc(*nvcc, made).code;
  CHECK(code.substr(0, 4) == compile_with_nvrtc(NvrtcLibrary::get(), made).code.substr(0, 4));
  CHECK(code.size() > 1000);
  made.name_expressions = {"k<float>"};
  const CompilerOutput output = compile_with_nvcc(*nvcc, made);
  CHECK(output.code.substr(0, 4) == code.substr(0, 4));
  CHECK(output.lowered_names[0].second == "_Z1kIfEvPT_");
}

TEST_CASE("equal compiles make equal code" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const CompilerJob made = job("static __device__ int s;\n__global__ void k(int* a) { a[0] = s; }");
  CHECK(compile_with_nvcc(*nvcc, made).code == compile_with_nvcc(*nvcc, made).code);
}

TEST_CASE("folders, macros and names of any letters arrive intact" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const std::string folder = (scratch / "a,b 'c' \"d\" $e `f` \\g #h (i) \xc3\xa4").string();
  test::write_file(folder + "/source/beside.h", "#define BESIDE 1\n");
  test::write_file(folder + "/include/inc.h", "#define INC 2\n#include \"deeper.h\"\n");
  test::write_file(folder + "/include/deeper.h", "");
  test::write_file(folder + "/system/sys.h", "#define SYS 3\n");
  test::write_file(folder + "/first.h", "__device__ int from_first;\n");
  CompilerJob made =
      job("#include \"beside.h\"\n#include <inc.h>\n#include <sys.h>\n#include \"mem/util.h\"\n"
          "extern \"C\" __device__ const char name[] = __FILE__;\n"
          "extern \"C\" __device__ const char text[] = TEXT;\n"
          "extern \"C\" __device__ int sum = ADD(BESIDE, INC) + SYS + UTIL + __LINE__;\n"
          "__global__ void k(int* a) { a[0] = from_first; }");
  made.name = folder + "/source/my kernel.cu";
  made.target = Target::ptx;
  made.arguments = {"-I" + folder + "/include", "-isystem",
                    folder + "/system",         "-DTEXT=\"a,b 'c' $e `f` \\\\ \xc3\xa4\"",
                    "-DADD(a,b)=(a + b)",       "--pre-include=" + folder + "/first.h"};
  made.headers = {{"mem/util.h", "#pragma once\n#include \"other.h\"\n"}, {"mem/other.h", "#define UTIL 4\n"}};
  FileRecord record;
  const CompilerOutput output = compile_with_nvcc(*nvcc, made, ProcessRunner::real(), &record);
  CHECK(contains(output.code, "sum = 17;"));
  const auto bytes = [](const std::string& text) {
    std::string list;
    for (const char c : text) list += std::to_string(static_cast<unsigned char>(c)) + ", ";
    return list.substr(0, list.size() - 2);
  };
  CHECK(contains(output.code, "{" + bytes(made.name)));
  CHECK(contains(output.code, "{" + bytes("a,b 'c' $e `f` \\ \xc3\xa4")));
  CHECK(record.gap == "");
  for (const char* header : {"/source/beside.h", "/include/inc.h", "/include/deeper.h", "/system/sys.h", "/first.h"})
    CHECK(has_read(record, folder + header));
  CHECK(has_read(record, "/mem/util.h"));
}

TEST_CASE("headers of the device's pass are recorded, for each architecture, and no others" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  CompilerJob made =
      job("#ifdef __CUDA_ARCH__\n#include \"device.h\"\n#else\n#error only for the device\n#endif\n"
          "#if __CUDA_ARCH__ >= 900\n#include \"ninety.h\"\n#endif\n#if 0\n#include \"never.h\"\n#endif\n"
          "__global__ void k() {}");
  made.headers = {{"device.h", ""}, {"ninety.h", ""}, {"never.h", ""}};
  made.target = Target::fatbin;
  made.arch.clear();
  made.arguments = {"-gencode", "arch=compute_90,code=sm_90", "-gencode=arch=compute_80,code=sm_80"};
  FileRecord record;
  compile_with_nvcc(*nvcc, made, ProcessRunner::real(), &record);
  CHECK(record.gap == "");
  for (const char* header : {"/device.h", "/ninety.h", "/cuda_runtime.h"}) CHECK(has_read(record, header));
  CHECK_FALSE(has_read(record, "/never.h"));
}

TEST_CASE("Clang before nvcc is recorded too" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const std::vector<std::string> clang = host_compiler_files({"clang++", environment("PATH").value_or("")});
  if (clang.empty()) return static_cast<void>(std::puts("skipped: no clang++ on this machine"));
  const ScratchFolder scratch;
  const std::string header = scratch.write("on disk.h", "").string();
  CompilerJob made =
      job("#if __CUDA_ARCH__ == 800\n#include \"mem/ory.h\"\n#endif\n#include <on disk.h>\n#line 1 \"other\"\n");
  made.headers = {{"mem/ory.h", ""}};
  made.arguments = {"-ccbin",
                    "clang++",
                    "--allow-unsupported-compiler",
                    "-I" + scratch.path().string(),
                    "-gencode",
                    "arch=compute_80,code=sm_80",
                    "-gencode",
                    "arch=compute_90,code=sm_90"};
  made.arch.clear();
  made.target = Target::fatbin;
  FileRecord record;
  compile_with_nvcc(*nvcc, made, ProcessRunner::real(), &record);
  CHECK(record.gap == "");
  CHECK(has_read(record, "/mem/ory.h"));
  CHECK(has_read(record, header));
}

TEST_CASE("relative names count from the caller's folder, also beside a source without one" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  scratch.write("beside.h", "#define A 1\n");
  scratch.write("inc/sub.h", "#define B 1\n");
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  CompilerJob made = job("#include \"beside.h\"\n#include <sub.h>\n#if A + B != 2\n#error wrong\n#endif\n");
  made.arguments = {"-Iinc"};
  CHECK_NOTHROW(compile_with_nvcc(*nvcc, made));
  made.arguments.emplace_back("--no-source-include");
  const std::string message = failure(*nvcc, made);
  fs::current_path(before);
  CHECK(contains(message, "beside.h"));
}

TEST_CASE("a diagnostic is shown with its lines, both streams and the command" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const EnvironmentGuard guard({{"TMPDIR", scratch.path().string()}, {"LC_ALL", "de_DE.UTF-8"}});
  CompilerJob made = job("int a;\n__global__ void k() { undeclared = 1; }\n");
  std::string message = failure(*nvcc, made);
  CHECK(message.find("nvcc could not compile \"kernel.cu\": kernel.cu(2): error: identifier \"undeclared\"") == 0);
  CHECK(contains(message, ">     2 | __global__ void k() { undeclared = 1; }"));
  CHECK(contains(message, "command: " + *nvcc));
  CHECK(contains(message, "1 error detected in the compilation of \"kernel.cu\""));
  made.source = "// 1\n\n#include \"absent.h\"\n";
  made.headers = {{"util.h", "\n#error wrong\n"}};
  message = failure(*nvcc, made);
  CHECK(message.find("nvcc could not compile \"kernel.cu\": kernel.cu(3): fatal error: absent.h: No such file") == 0);
  CHECK(contains(message, ">     3 | #include \"absent.h\""));
  made.source = "#include \"util.h\"\n";
  message = failure(*nvcc, made);
  CHECK(message.find("nvcc could not compile \"kernel.cu\": util.h(2): error: #error wrong") == 0);
  made.source = "#include \"folder.h\"\n";
  fs::create_directory(scratch / "folder.h");
  made.arguments = {"-I" + scratch.path().string()};
  CHECK(contains(failure(*nvcc, made), "folder.h"));
  made.arguments = {"--no-such-option"};
  message = failure(*nvcc, made);
  CHECK(contains(message, "Unknown option '--no-such-option'"));
  made.arguments = {"-ccbin=" + (scratch / "absent").string()};
  CHECK(contains(failure(*nvcc, made), "absent"));
  made.arguments = {"-ptx"};
  CHECK(contains(failure(*nvcc, made), "-ptx"));
  fs::remove(scratch / "folder.h");
  CHECK(entries_in(scratch.path()) == 0);
}

TEST_CASE("warnings are the log of a compile that went well" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  CHECK(compile_with_nvcc(*nvcc, job("__global__ void k() {}")).log.empty());
  const std::string log = compile_with_nvcc(*nvcc, job("__global__ void k() { int unused; }")).log;
  CHECK(log.find("kernel.cu(1): warning") == 0);
}

TEST_CASE("a kept folder has the source, the command, the log and what nvcc made on its way" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const EnvironmentGuard guard({{"TMPDIR", scratch.path().string()}});
  CompilerJob made = job("__global__ void k() { int unused; }");
  made.keep = true;
  const fs::path folder = compile_with_nvcc(*nvcc, made).kept_folder;
  CHECK(folder.parent_path() == scratch.path());
  CHECK(contains(test::file_bytes(folder / "source/kernel.cu"), made.source));
  CHECK(contains(test::file_bytes(folder / "command"), *nvcc));
  CHECK(contains(test::file_bytes(folder / "log"), "unused"));
  CHECK(contains(test::file_bytes(folder / "intermediate/kernel.ptx"), ".entry"));
  CHECK((fs::status(folder).permissions() & fs::perms::all) == fs::perms::owner_all);
  made.source = "not C++";
  const std::string message = failure(*nvcc, made);
  CHECK(entries_in(scratch.path()) == 2);
  CHECK(contains(message, "which was kept"));
  CHECK(contains(message, scratch.path().string() + "/kiln-nvcc-"));
}

TEST_CASE("options of the environment are not taken twice" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const EnvironmentGuard guard({{"NVCC_APPEND_FLAGS", "--no-such-option"}, {"NVCC_PREPEND_FLAGS", "-DX=1"}});
  CHECK_NOTHROW(compile_with_nvcc(*nvcc, job("#ifdef X\n#error twice\n#endif\n__global__ void k() {}")));
}

TEST_CASE("PyCUDA's functions" * test::needs_nvcc()) {
  CHECK(get_nvcc_version().major >= 12);
  const std::string text = preprocess_source("#define N 3\nint a[N];\n#line 40\nconst char* f = __FILE__;", {"-DM=2"});
  CHECK(contains(text, "int a[3];"));
  CHECK(contains(text, "f = \"kernel.cu\";"));
  CHECK_FALSE(contains(text, "\n# "));
  CHECK_THROWS_AS(preprocess_source("#error no"), CompileError);
  const CodeObject code =
      compile_plain("__global__ void k() {}", CompileOptions{}.with_options({"-arch=sm_90", "-D", "A"}));
  CHECK(code.backend() == Backend::nvcc);
  CHECK(code.arch() == "sm_90");
  CHECK_THROWS_AS(compile_plain("", CompileOptions{}.with_nvcc({"/absent/nvcc"})), ToolkitError);
  CHECK_THROWS_AS(compile_plain("", CompileOptions{}.with_backend(Backend::nvrtc)), ArgumentError);
}

}  // namespace nvcc_compile_test
