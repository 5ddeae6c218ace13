// NVVM IR through the cache, with the real libnvvm: what is made, what is kept, and what errors say.
#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>
#include <kiln/linker.hpp>

#include "bitcode_bytes.hpp"
#include "compile/compiler.hpp"
#include "compile/nvvm/nvvm_ir.hpp"
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "ir_texts.hpp"
#include "run_program.hpp"
#include "toolkit/locate/component_finder.hpp"
#include "worker/nvvm/nvvm_archs.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

namespace nvvm_compile_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct IrBench : Bench {
  CompileOptions options() const { return Bench::options().with(&CompileOptions::language, Language::nvvm_ir); }
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether this process has opened that library.
bool is_mapped(std::string_view library) {
  std::ifstream maps("/proc/self/maps");
  return has(std::string(std::istreambuf_iterator<char>(maps), {}), library);
}

/// What the compile says when it fails; nothing may be kept then.
std::string refusal(const IrBench& bench, const std::string& ir, const CompileOptions& options) {
  const auto before = bench.stats().stores;
  std::string text;
  try {
    compile(ir, options);
  } catch (const Error& error) {
    text = error.what();
  }
  CHECK(bench.stats().stores == before);
  return text;
}
std::string refusal(const IrBench& bench, const std::string& ir) { return refusal(bench, ir, bench.options()); }
std::string option_refusal(const IrBench& bench, std::vector<std::string> options) {
  return refusal(bench, number_ir, bench.options().with_options(std::move(options)));
}

/// libnvvm of CUDA 12.8 and newer.
bool has_newer_dialect() { return nvvm_archs().back() >= 100; }
std::string sm(int number) { return "sm_" + std::to_string(number); }

std::string ptx_of(const IrBench& bench, const std::string& ir, std::vector<std::string> options) {
  return std::string(compile(ir, bench.options().with_target(Target::ptx).with_options(std::move(options))).bytes());
}

}  // namespace

TEST_CASE("NVVM IR becomes a cubin, PTX or LTO-IR") {
  const IrBench bench;
  const CodeObject cubin = compile(number_ir, bench.options());
  CHECK(cubin.backend() == Backend::nvvm);
  CHECK(cubin.target() == Target::cubin);
  CHECK(cubin.arch() == "sm_80");
  REQUIRE(cubin.kernels().size() == 1);
  CHECK(cubin.kernels()[0].name == "number");
  REQUIRE(cubin.kernels()[0].parameters.size() == 1);
  CHECK(cubin.kernels()[0].parameters[0].kind == ParameterKind::integer_or_pointer);

  const CodeObject ptx = compile(number_ir, bench.options().with_target(Target::ptx));
  CHECK(ptx.target() == Target::ptx);
  CHECK(ptx.arch() == "compute_80");
  CHECK(has(ptx.bytes(), ".target sm_80"));
  REQUIRE(ptx.kernels().size() == 1);
  CHECK(ptx.bytes().back() != '\0');

  const CodeObject ltoir = compile(number_ir, bench.options().with_target(Target::ltoir));
  CHECK(ltoir.bytes().substr(0, 4) == "\xED\x43\x4E\x7F");
  CHECK(bench.stats().compiles == 3);
  CHECK(bench.stats().stores == 3);
}

TEST_CASE("NVVM IR: architectures as for CUDA C++") {
  const IrBench bench;
  CHECK(compile(number_ir, bench.options().with_arch("compute_90")).target() == Target::ptx);
  CHECK(compile(number_ir, bench.options().with_arch("90")).arch() == "sm_90");
  CHECK(
      has(compile(number_ir, bench.options().with_arch("sm_90a").with_target(Target::ptx)).bytes(), ".target sm_90a"));
  CHECK(compile(number_ir, bench.options().with_arch("sm_90a")).arch() == "sm_90a");
  if (has_newer_dialect()) {
    CHECK(has(compile(opaque_ir, bench.options().with_arch("sm_100f").with_target(Target::ptx)).bytes(), "sm_100f"));
    CHECK(compile(number_ir, bench.options().with_arch("sm_100")).arch() == "sm_100");
  }
  CHECK(compile(number_ir, bench.options().with_arch("").with_target(Target::ptx)).arch() ==
        "compute_" + std::to_string(nvvm_archs().front()));
  CHECK(compile(number_ir, bench.options().with_arch("").with_options({"-arch=compute_86"})).arch() == "compute_86");
  const EnvironmentGuard guard({{"KILN_ARCH", "sm_89"}});
  CHECK(compile(number_ir, bench.options().with_arch("")).arch() == "sm_89");
  CompileContext device;
  device.device_arch = "sm_90";
  CHECK(compile_for(number_ir, bench.options().with_arch(""), device).arch() == "sm_90");
  device.device_arch = "sm_199";  // newer than libnvvm: the driver compiles the PTX
  const CodeObject newer = compile_for(number_ir, bench.options().with_arch(""), device);
  CHECK(newer.target() == Target::ptx);
  CHECK(newer.arch() == "compute_" + std::to_string(nvvm_archs().back()));
  device = {};
  device.loads_cubin = false;
  CHECK(compile_for(number_ir, bench.options(), device).target() == Target::ptx);
}

// Run by the next case in a process that has opened no library: a child of fork would have this one's.
TEST_CASE("NVVM IR: a warm start" * doctest::skip()) {
  const CompileOptions options = CompileOptions{}
                                     .with_arch("sm_80")
                                     .with(&CompileOptions::language, Language::nvvm_ir)
                                     .with_caching({std::getenv("KILN_TEST_WARM_CACHE")});
  REQUIRE_FALSE(is_mapped("libnvvm.so"));
  CHECK(find_code_for(sine_ir, options, {}).has_value());
  const CodeObject code = compile(sine_ir, options);
  CHECK(code.from_cache());
  CHECK(code.backend() == Backend::nvvm);
  CHECK(code.kernels().size() == 1);
  CHECK_FALSE(find_code_for(number_ir, options, {}).has_value());
  CHECK_FALSE(is_mapped("libnvvm.so"));
  CHECK_FALSE(is_mapped("libnvJitLink.so"));
}

TEST_CASE("NVVM IR: what one process made, the next finds, and opens neither libnvvm nor nvJitLink") {
  const IrBench bench;
  compile(sine_ir, bench.options());
  nvvm_archs();
  CHECK(is_mapped("libnvvm.so"));  // so that it would be seen below
  const EnvironmentGuard guard({{"KILN_TEST_WARM_CACHE", (bench.scratch / "cache").string()}});
  const ProgramResult warm =
      run_program(std::filesystem::read_symlink("/proc/self/exe"), {"--no-skip", "--test-case=NVVM IR: a warm start"});
  CHECK_MESSAGE(warm.status == 0, warm.output);
  CHECK_MESSAGE(has(warm.output, "1 passed"), warm.output);
  CHECK(bench.stats().compiles == 1);
  CHECK(bench.stats().misses == 1);
  CHECK(bench.stats().hits == 1);
}

TEST_CASE("NVVM IR: an entry bears the name of its module") {
  const IrBench bench;
  compile(number_ir, bench.options().with_name("sub/numbers.ll"));
  const auto entries = Cache(bench.scratch / "cache").entries();
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].name == "numbers.ll");
}

TEST_CASE("NVVM IR: each part of the key makes another entry, and nothing else does") {
  const IrBench bench;
  const CompileOptions ptx = bench.options().with_target(Target::ptx);
  compile(number_ir, ptx);
  for (const CompileOptions& same :
       {ptx.with_name("other.ll"), ptx.with_arch("80"), ptx.with(&CompileOptions::timeout, std::chrono::hours(1)), ptx})
    CHECK(compile(number_ir, same).from_cache());
  CHECK(bench.stats().compiles == 1);
  compile(number_ir, ptx.with_options({"--ftz=true"}));
  CHECK(compile(number_ir, ptx.with_options({"-ftz=0", "-ftz=1"})).from_cache());
  CHECK(bench.stats().compiles == 2);
  compile(number_ir, ptx.with_arch("sm_86"));
  compile(number_ir, bench.options());
  compile(number_ir + "; a comment\n", ptx);
  CHECK(bench.stats().compiles == 5);
  CHECK_FALSE(compile(number_ir, ptx.with_cache(false)).from_cache());
  CHECK(bench.stats().compiles == 5);
}

TEST_CASE("NVVM IR: bitcode") {
  const IrBench bench;
  CHECK(compile(typed_bitcode(), bench.options()).kernels().at(0).name == "f");
  if (has_newer_dialect()) {
    CHECK(compile(typed_bitcode(), bench.options().with_arch("sm_100")).kernels().size() == 1);
    CHECK(compile(opaque_bitcode(), bench.options().with_arch("sm_100")).kernels().size() == 1);
  }
  const std::string newer = refusal(bench, opaque_bitcode());
  CHECK_MESSAGE(has(newer, "written by LLVM 14.0.6"), newer);
  CHECK_MESSAGE(has(newer, "reads the IR of LLVM 7"), newer);
  CHECK(has(newer, "\"kernel.bc\""));
  const std::string cut = refusal(bench, typed_bitcode().substr(0, 900));
  CHECK_MESSAGE(has(cut, "libnvvm"), cut);
  // A damaged file may say anything; it must not take the process with it.
  for (std::size_t at = 4; at < 300; at += 7) {
    std::string damaged = typed_bitcode();
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    CHECK(in_new_process([&] {
      (void)libdevice_functions(damaged);
      (void)read_ir(damaged);
      return true;
    }));
  }
}

TEST_CASE("NVVM IR: libdevice is added where the IR declares its functions") {
  const IrBench bench;
  const std::string sine = ptx_of(bench, sine_ir, {});
  CHECK_FALSE(has(sine, "__nv_sinf"));
  CHECK(has(sine, "fma.rn.f32"));
  CHECK(has(ptx_of(bench, sine_ir, {"--use_fast_math"}), "fma.rn.ftz.f32"));
  CHECK(compile(sine_ir, bench.options().with_target(Target::ltoir)).bytes().size() > 100);
  // One that the IR defines itself is its own.
  const std::string own =
      replaced(sine_ir, "declare float @__nv_sinf(float)", "define float @__nv_sinf(float %x) {\n  ret float %x\n}");
  CHECK_FALSE(has(ptx_of(bench, own, {}), "fma.rn.f32"));
}

TEST_CASE("NVVM IR: link-time optimisation leaves the kernels in, of text and bitcode in either dialect") {
  const IrBench bench;
  const auto kernels = [&](const std::string& ir, const std::string& arch) {
    const CodeObject code = compile(ir, bench.options().with_arch(arch).with_target(Target::ltoir));
    return Linker(LinkOptions{}.with(&LinkOptions::cache, false)).add(code).link().kernels();
  };
  const std::string two =
      replaced(number_ir, "!nvvm.annotations = !{!0}",
               "define ptx_kernel void @\"oth$er\"(i32 %x) {\n  ret void\n}\n!nvvm.annotations = !{!0}");
  // libnvvm of CUDA 12.6 does not know that convention, whatever it makes.
  const std::size_t known = compile(two, bench.options().with_arch("sm_90")).kernels().size();
  CHECK(known == (has_newer_dialect() ? 2 : 1));
  CHECK(kernels(two, "sm_90").size() == known);
  CHECK(kernels(typed_bitcode(), "sm_90").size() == 1);
  if (has_newer_dialect()) {
    CHECK(kernels(opaque_ir, "sm_100").size() == 1);
    CHECK(kernels(opaque_bitcode(), "sm_100").size() == 1);
  }
  // A module of functions alone has nothing to keep.
  const std::string function = replaced(number_ir, "!nvvm.annotations = !{!0}", "");
  CHECK(kernels(function, "sm_90").empty());
}

TEST_CASE("NVVM IR: options in libnvvm's spelling, and those of CUDA C++ that it has") {
  const IrBench bench;
  const std::string fused = replaced(replaced(sine_ir, "call float @__nv_sinf(float %v)", "fdiv float %v, 3.0"),
                                     "declare float @__nv_sinf(float)", "");
  const std::string usual = ptx_of(bench, fused, {});
  CHECK(has(usual, "div.rn.f32"));
  for (const char* option : {"-prec-div=0", "--prec-div=false", "-use_fast_math"})
    CHECK_MESSAGE(has(ptx_of(bench, fused, {option}), "div.full"), option);
  for (const char* option : {"-ftz=1", "--ftz=true", "-ftz=true"})
    CHECK_MESSAGE(has(ptx_of(bench, fused, {option}), ".ftz"), option);
  CHECK(ptx_of(bench, number_ir, {"-opt=0"}) != ptx_of(bench, number_ir, {"-opt=3"}));
  for (const char* option : {"-g", "-fmad=false", "-prec-sqrt=0", "-jump-table-density=50", "-generate-line-info"})
    CHECK_MESSAGE(has(ptx_of(bench, number_ir, {option}), ".entry number"), option);
  // The defaults of the environment are for CUDA C++.
  const EnvironmentGuard guard({{"KILN_DEFAULT_OPTIONS", "-DX=1 -lineinfo"}});
  CHECK(has(ptx_of(bench, number_ir, {"-fma=0"}), ".entry number"));
}

TEST_CASE("NVVM IR: each old spelling of an option is refused with what replaced it") {
  const IrBench bench;
  for (const char* option : {"-optimize", "-O3", "-O0", "--optimize=3"}) {
    const std::string text = option_refusal(bench, {option});
    CHECK_MESSAGE(has(text, "-opt=3"), option);
    CHECK_MESSAGE(has(text, option), text);
  }
  for (const char* option : {"-o=out.ptx", "-o", "-gen-lto", "-dlto", "-ptx", "-target=ptx"})
    CHECK_MESSAGE(has(option_refusal(bench, {option}), "CompileOptions::target"), option);
  for (const char* option : {"-maxrregcount=32", "-Xptxas=-v"})
    CHECK_MESSAGE(has(option_refusal(bench, {option}), "LinkOptions"), option);
  for (const char* option : {"-DN=4", "-I/tmp", "-std=c++17"})
    CHECK_MESSAGE(has(option_refusal(bench, {option}), "knows no macros"), option);
  CHECK(has(option_refusal(bench, {"-lineinfo"}), "debug metadata"));
  CHECK(has(option_refusal(bench, {"-G"}), "-g"));
  const std::string unknown = option_refusal(bench, {"-no-such-option"});
  CHECK_MESSAGE(has(unknown, "libnvvm's options are"), unknown);
  CHECK(has(unknown, "-no-such-option is an unsupported option"));
  const std::string misspelt = option_refusal(bench, {"-jump-table-densty=50"});
  CHECK_MESSAGE(has(misspelt, "did you mean \"-jump-table-density\"?"), misspelt);
  const std::string value = option_refusal(bench, {"-opt=4"});
  CHECK(has(value, "-opt=0|3"));
}

TEST_CASE("NVVM IR: members that say nothing about it are refused by name") {
  const IrBench bench;
  const CompileOptions o = bench.options();
  const std::pair<const char*, CompileOptions> cases[] = {
      {"include_dirs", o.with_include_dirs({"/tmp"})},
      {"defines", o.with_defines({"N=4"})},
      {"headers", o.with_headers({{"a.h", ""}})},
      {"name_expressions", o.with_name_expressions({"f<int>"})},
      {"no_extern_c", o.with_no_extern_c(true)},
      {"nvcc.code", o.with_nvcc({.code = "sm_80"})},
      {"nvcc.path", o.with_nvcc({"nvcc"})},
      {"keep", o.with(&CompileOptions::keep, true)},
      {"backend", o.with_backend(Backend::nvcc)},
      {"backend", o.with_backend(Backend::nvrtc)},
  };
  for (const auto& [member, options] : cases) {
    const std::string named = std::string("CompileOptions::") + member;
    CHECK_THROWS_AS(compile(number_ir, options), ArgumentError);
    CAPTURE(named);  // a structured binding cannot be captured
    CHECK(has(refusal(bench, number_ir, options), named));
  }
  CHECK(has(refusal(bench, number_ir, o.with_target(Target::fatbin)), "cubin, ptx or ltoir"));
  CHECK(has(refusal(bench, number_ir, o.with_target(Target::optixir)), "cubin, ptx or ltoir"));
  CHECK(compile(number_ir, o.with_backend(Backend::nvvm)).backend() == Backend::nvvm);
  CHECK_THROWS_AS(compile_plain(number_ir, o), ArgumentError);
}

TEST_CASE("NVVM IR: architectures that libnvvm lacks") {
  const IrBench bench;
  const int lowest = nvvm_archs().front();
  const std::string known = "it knows " + sm(lowest);
  for (const std::string& arch : {sm(lowest - 5), "compute_" + std::to_string(lowest - 5), std::string("sm_30")}) {
    const std::string text = refusal(bench, number_ir, bench.options().with_arch(arch));
    CHECK_MESSAGE(has(text, "does not know the architecture"), text);
    CHECK_MESSAGE(has(text, known), text);
  }
  CHECK(has(refusal(bench, number_ir, bench.options().with_arch("").with_options({"-arch=compute_30"})), known));
  CHECK(has(refusal(bench, number_ir, bench.options().with_arch("sm_90f")), "begin with sm_100"));
}

TEST_CASE("NVVM IR: what is wrong with the text is said in words, with its line") {
  const IrBench bench;
  const std::string syntax = refusal(bench, replaced(number_ir, "store i32", "stoer i32"));
  CHECK_MESSAGE(has(syntax, "could not compile \"kernel.ll\": kernel.ll(8): parse expected instruction opcode"),
                syntax);
  CHECK_MESSAGE(has(syntax, ">     8 |   stoer i32 %t, i32* %p, align 4"), syntax);
  CHECK(has(syntax, "options: -arch=compute_80"));

  const std::string opaque = refusal(bench, opaque_ir);
  CHECK_MESSAGE(has(opaque, "line 4 has ptr"), opaque);
  CHECK_MESSAGE(has(opaque, "LLVM 7"), opaque);
  const std::string old_element =
      refusal(bench, replaced(number_ir, "getelementptr i32, i32* %out", "getelementptr i32* %out"));
  CHECK_MESSAGE(has(old_element, "Since LLVM 3.7"), old_element);
  const std::string old_metadata =
      refusal(bench, replaced(number_ir, "!0 = !{void (i32*)* @number, !\"kernel\"",
                              "!0 = metadata !{void (i32*)* @number, metadata !\"kernel\""));
  CHECK_MESSAGE(has(old_metadata, "before LLVM 3.6"), old_metadata);

  for (const std::string& version :
       {std::string("!{i32 1, i32 0}"), std::string("!{i32 1, i32 11}"), std::string("!{i32 3, i32 0}")}) {
    const std::string text = refusal(bench, replaced(number_ir, "!{i32 2, i32 0}", version));
    CHECK_MESSAGE(has(text, "this libnvvm reads NVVM IR 2.0"), text);
  }
  CHECK(has(refusal(bench, replaced(number_ir, "!{i32 2, i32 0}", "!{i32 1, i32 0}")), "says 1.0"));
  CHECK(has(refusal(bench, replaced(number_ir, ir_version, "")), "!nvvmir.version"));

  CHECK(has(refusal(bench, replaced(number_ir, ir_layout, "")), "no target datalayout"));
  CHECK(has(refusal(bench, replaced(number_ir, ir_triple, "")), "no target triple"));
  if (has_newer_dialect())  // older verifiers take it
    CHECK(has(refusal(bench, replaced(number_ir, "i128:128:128-", "")), "target datalayout = \"e-p:64:64:64-i1"));
  CHECK(has(refusal(bench, replaced(number_ir, "e-p:64:64:64", "E-p:64:64:64")), "64-bit code"));
  CHECK(has(refusal(bench, replaced(number_ir, "p:64:64:64", "p:32:32:32")), "64-bit code"));
  CHECK(has(refusal(bench, replaced(number_ir, "e-p:64", "foo-p:64")), "is none"));
  for (const char* triple : {"x86_64-pc-linux-gnu", "nvptx64-unknown-unknown", "nvptx-nvidia-cuda"}) {
    const std::string text = refusal(bench, replaced(number_ir, "nvptx64-nvidia-cuda", triple));
    CHECK_MESSAGE(has(text, "target triple = \"nvptx64-nvidia-cuda\""), text);
    CHECK_MESSAGE(has(text, triple), text);
  }
}

TEST_CASE("NVVM IR: LLVM's own layouts are taken below sm_100; above, or the error names the layout to write") {
  const IrBench bench;
  for (const char* layout :
       {"e-i64:64-i128:128-v16:16-v32:32-n16:32:64", "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
        "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"}) {
    CAPTURE(layout);
    const std::string line = "target datalayout = \"" + std::string(layout) + "\"\n";
    if (has_newer_dialect()) CHECK(has(ptx_of(bench, replaced(number_ir, ir_layout, line), {}), ".entry number"));
    if (nvvm_archs().back() < 100) continue;
    try {
      const CompileOptions options = bench.options().with_arch(sm(nvvm_archs().back())).with_target(Target::ptx);
      CHECK(has(compile(replaced(opaque_ir, ir_layout, line), options).bytes(), ".entry number"));
    } catch (const CompileError& error) {  // of CUDA 13.4 and newer
      CHECK_MESSAGE(has(error.what(), "takes no layout but NVVM's own"), error.what());
      CHECK_MESSAGE(has(error.what(), ir_layout.substr(0, ir_layout.size() - 1)), error.what());
    }
  }
}

TEST_CASE("NVVM IR: what crashes libnvvm's compiler is refused before it, for every dialect") {
  const IrBench bench;
  for (const int arch : {90, nvvm_archs().back()}) {
    const CompileOptions options = bench.options().with_arch(sm(arch));
    for (const std::string& ir :
         {replaced(number_ir, "ret void", "br label %entry"), replaced(number_ir, "nvptx64-nvidia-cuda", "x86_64"),
          replaced(number_ir, ir_layout, ""), replaced(number_ir, "e-p:64", "foo-p:64")})
      CHECK(in_new_process([&] {
        try {
          compile(replaced(ir, "i32* %out) {", "i32* %out) {\nentry:"), options);
        } catch (const CompileError&) {
          return true;
        }
        return false;
      }));
  }
}

TEST_CASE("NVVM IR: other kinds of code are reported as what they are") {
  const IrBench bench;
  CHECK(has(refusal(bench, ""), "empty"));
  CHECK(has(refusal(bench, "hello world"), "no LLVM IR"));
  CHECK(has(refusal(bench, "__global__ void k() {}"), "CUDA C++"));
  CHECK(has(refusal(bench, std::string(compile(number_ir, bench.options()).bytes())), "a cubin"));
  CHECK(has(refusal(bench, ptx_of(bench, number_ir, {})), "PTX"));
  CHECK(has(refusal(bench, std::string(compile(number_ir, bench.options().with_target(Target::ltoir)).bytes())),
            "LTO-IR"));
  CHECK(has(refusal(bench, number_ir + '\0'), "zero byte"));
}

TEST_CASE("NVVM IR: a function that is nowhere is an error of the cubin, not of the PTX") {
  const IrBench bench;
  const std::string ir =
      replaced(number_ir, "ret void", "call void @helper()\n  ret void") + "declare void @helper()\n";
  CHECK(has(ptx_of(bench, ir, {}), ".extern .func helper"));
  const std::string text = refusal(bench, ir);
  CHECK_MESSAGE(has(text, "helper"), text);
  CHECK_MESSAGE(has(text, "\"kernel.ll\""), text);
}

TEST_CASE("NVVM IR: threads, batches, stops") {
  const IrBench bench;
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      // Two of each: one compiles, the other takes its code.
      const std::string ir = replaced(sine_ir, "@sine", "@sine" + std::to_string(i / 2));
      const CodeObject code = compile(ir, bench.options().with_arch(i % 4 < 2 ? "sm_80" : sm(nvvm_archs().back())));
      good += code.kernels().at(0).name == "sine" + std::to_string(i / 2);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 8);
  CHECK(bench.stats().compiles == 4);

  const auto results = compile_all({{number_ir, bench.options()}, {number_ir, bench.options()}, {"", bench.options()}});
  CHECK(results.size() == 3);
  CHECK(bench.stats().compiles == 5);

  CancelSource cancelled;
  cancelled.cancel();
  CHECK_THROWS_AS(compile(opaque_ir, bench.options().with(&CompileOptions::cancel, cancelled.token())), CompileStopped);
  CHECK(bench.stats().compiles == 5);
}

}  // namespace nvvm_compile_test
