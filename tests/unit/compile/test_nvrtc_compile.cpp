#include "worker/nvrtc/nvrtc_compile.hpp"

#include "toolkit/image/elf_view.hpp"
#include "toolkit/locate/toolkit.hpp"

#include <elf.h>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string_view>

#include "small_job.hpp"

namespace nvrtc_compile_test {

using namespace kiln;
using kiln::test::job;

namespace {

/// An older NVRTC: the real one, which refuses the options that `refused` lists, as it refuses what it does not know.
std::vector<std::string_view> refused;
std::string last_refused;
nvrtcResult compile_without(nvrtcProgram program, int count, const char* const* options) {
  last_refused.clear();
  for (int i = 0; i < count; ++i)
    for (const std::string_view name : refused)
      if (std::string_view(options[i]).substr(0, name.size()) == name) {
        last_refused = "nvrtc: error: unrecognized option " + std::string(options[i]) + " found";
        return NVRTC_ERROR_INVALID_OPTION;
      }
  return NvrtcLibrary::get().compile_program(program, count, options);
}
nvrtcResult log_size_without(nvrtcProgram program, std::size_t* size) {
  if (last_refused.empty()) return NvrtcLibrary::get().get_program_log_size(program, size);
  *size = last_refused.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult log_without(nvrtcProgram program, char* log) {
  if (last_refused.empty()) return NvrtcLibrary::get().get_program_log(program, log);
  last_refused.copy(log, last_refused.size());
  log[last_refused.size()] = '\0';
  return NVRTC_SUCCESS;
}
NvrtcLibrary older_nvrtc(std::vector<std::string_view> without) {
  refused = std::move(without);
  NvrtcLibrary library = NvrtcLibrary::get();
  library.compile_program = compile_without;
  library.get_program_log_size = log_size_without;
  library.get_program_log = log_without;
  return library;
}

}  // namespace

TEST_CASE("an NVRTC that does not know how to tell times compiles without them") {
  const NvrtcLibrary older = older_nvrtc({"--time", "-fdevice-time-trace", "-fdevice-syntax-only"});
  CompilerJob made = job("#include \"x.h\"\nextern \"C\" __global__ void k() {}");
  made.headers = {{"x.h", "\n"}};
  made.timing = true;
  const CompilerOutput output = compile_with_nvrtc(older, made);
  CHECK_FALSE(output.code.empty());
  REQUIRE(output.times.has_value());
  CHECK_FALSE(output.times->front_end.has_value());
  CHECK_FALSE(output.times->headers.has_value());
}

TEST_CASE("each target is made") {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  CompilerJob made = job("extern \"C\" __global__ void k(float* a) { a[0] = 1; }");
  CHECK(compile_with_nvrtc(nvrtc, made).code.substr(1, 3) == "ELF");
  made.target = Target::ptx;
  made.arch = "compute_80";
  CHECK(compile_with_nvrtc(nvrtc, made).code.find(".entry k(") != std::string::npos);
  made.target = Target::ltoir;
  CHECK(compile_with_nvrtc(nvrtc, made).code.size() > 100);
}

TEST_CASE("the kinds of parameters come with machine code") {
  CompilerJob made = job("extern \"C\" __global__ void k(float* p, float x, int n) { p[n] = x; }");
  const std::vector<ParameterKind> expected = {ParameterKind::integer_or_pointer, ParameterKind::floating,
                                               ParameterKind::integer};
  CHECK(compile_with_nvrtc(NvrtcLibrary::get(), made).parameter_kinds == ParameterKinds{{"k", expected}});
  made.arguments = {"-rdc=true", "-G"};
  CHECK(compile_with_nvrtc(NvrtcLibrary::get(), made).parameter_kinds == ParameterKinds{{"k", expected}});
}

TEST_CASE("a cubin has no constants of libraries but those that it uses or that are wanted") {
  const NvrtcLibrary& nvrtc = NvrtcLibrary::get();
  CompilerJob made = job(R"(#include <cuda/std/type_traits>
__device__ int mine;
extern "C" __global__ void k(int* a, int n) {
  const int* const choice[] = {&cuda::std::integral_constant<int, 31>::value, &mine};
  a[0] = *choice[n & 1];
})");
  for (const std::string& folder : current_toolkit().include_dirs) made.arguments.push_back("-I" + folder);
  made.keep_ptx = true;
  made.name_expressions = {"&cuda::std::integral_constant<int, 123>::value", "&mine"};
  const CompilerOutput output = compile_with_nvrtc(nvrtc, made);
  REQUIRE(output.ptx.has_value());
  const auto declared = [&](const std::string& name) { return output.ptx->find(name) != std::string::npos; };
  CHECK(declared("17integral_constantIbLb1EE5valueE"));  // NVRTC leaves it there
  std::vector<std::string> variables;
  const ElfView elf(output.code);
  for (std::size_t i = 0; i < elf.symbol_count(); ++i)
    if (elf.symbol(i).type == STT_OBJECT && elf.symbol(i).section != 0) variables.emplace_back(elf.symbol(i).name);
  CHECK(variables.size() == 3);
  CHECK(std::count(variables.begin(), variables.end(), "mine") == 1);
  CHECK(std::count(variables.begin(), variables.end(), output.lowered_names.at(0).second) == 1);
}

TEST_CASE("a kind of code that an option rules out is an error, not empty code") {
  CompilerJob made = job("__global__ void k() {}");
  made.arguments = {"-dlto"};
  CHECK_THROWS_AS(compile_with_nvrtc(NvrtcLibrary::get(), made), CompileError);
}

TEST_CASE("options of Kiln's own that an older NVRTC does not know are left out") {
  const NvrtcLibrary older = older_nvrtc({"--no-cache", "--modify-stack-limit"});
  CompilerJob made = job("#include \"a.h\"\n__global__ void k() {}");
  made.headers = {{"a.h", ""}};
  const CompilerOutput output = compile_with_nvrtc(older, made);
  CHECK(output.code.substr(1, 3) == "ELF");
  CHECK(output.options == std::vector<std::string>{"-arch=sm_90"});
}

TEST_CASE("an option of the user's that NVRTC does not know is the user's error") {
  CompilerJob made = job("__global__ void k() {}");
  made.arguments = {"--no-such-option"};
  try {
    compile_with_nvrtc(NvrtcLibrary::get(), made);
    FAIL("accepted");
  } catch (const CompileError& error) {
    CHECK(std::string(error.what()).find("--no-such-option") != std::string::npos);
    CHECK(error.options().front() == "--no-such-option");
  }
  made.arguments = {"--use_fast_mth"};
  CHECK_THROWS_WITH_AS(compile_with_nvrtc(NvrtcLibrary::get(), made),
                       doctest::Contains("did you mean \"--use_fast_math\"?"), CompileError);
}

TEST_CASE("a misspelt name expression is answered with the kernel that was meant") {
  CompilerJob made =
      job("namespace math { template <class T> __global__ void scale(T* a) { *a *= 2; } }\n"
          "__global__ void plain(float* a) { *a = 1; }");
  const auto hint = [&made](const std::string& expression) {
    made.name_expressions = {"math::scale<double>", expression};
    try {
      compile_with_nvrtc(NvrtcLibrary::get(), made);
    } catch (const CompileError& error) {
      const std::string text = error.what();
      const std::size_t at = text.find("did you mean ");
      return at == std::string::npos ? std::string("none") : text.substr(at, text.find('\n', at) - at);
    }
    return std::string("compiled");
  };
  for (const char* wrong : {"scale<float>", "math::scle<float>", "mth::scale<float>"})
    CHECK(hint(wrong) == "did you mean \"math::scale<float>\"?");
  CHECK(hint("plian") == "did you mean \"plain\"?");
  CHECK(hint("math::scale<flaot>") == "none");
}

TEST_CASE("instances get their symbols") {
  CompilerJob made = job("namespace n { template <class T, int N> __global__ void scale(T* a) { a[0] *= N; } }");
  made.name_expressions = {"n::scale<float,4>"};
  const CompilerOutput output = compile_with_nvrtc(NvrtcLibrary::get(), made);
  REQUIRE(output.lowered_names.size() == 1);
  CHECK(output.lowered_names[0].second == "_ZN1n5scaleIfLi4EEEvPT_");
  made.name_expressions = {"n::missing<float>"};
  CHECK_THROWS_AS(compile_with_nvrtc(NvrtcLibrary::get(), made), CompileError);
}

TEST_CASE("NVRTC that cannot load its builtins is the toolkit's fault") {
  NvrtcLibrary broken = NvrtcLibrary::get();
  broken.compile_program = [](nvrtcProgram, int, const char* const*) { return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE; };
  CHECK_THROWS_AS(compile_with_nvrtc(broken, job("__global__ void k() {}")), ToolkitError);
}

TEST_CASE("a compile that is due before it begins does not begin, and one that NVRTC asks about ends there") {
  static const CancelSource* source = nullptr;
  const CancelSource before;
  const CancelSource during;
  before.cancel();
  CompilerJob made = job("__global__ void k() {}");
  made.stop.cancel = before.token();
  CHECK_THROWS_AS(compile_with_nvrtc(NvrtcLibrary::get(), made), CompileStopped);
  if (!NvrtcLibrary::get().set_flow_callback) return;
  source = &during;
  NvrtcLibrary library = NvrtcLibrary::get();
  library.compile_program = [](nvrtcProgram program, int count, const char* const* options) {
    source->cancel();
    return NvrtcLibrary::get().compile_program(program, count, options);
  };
  made.stop.cancel = during.token();
  CHECK_THROWS_AS(compile_with_nvrtc(library, made), CompileStopped);
  made.stop = {};
  CHECK(compile_with_nvrtc(NvrtcLibrary::get(), made).code.substr(1, 3) == "ELF");
}

}  // namespace nvrtc_compile_test
