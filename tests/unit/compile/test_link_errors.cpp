// What cannot be linked: each names what is at fault, and nothing is kept.
#include "compile/link/link.hpp"
#include "compile/nvjitlink/link_symbols.hpp"
#include "link_bench.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"

#include <doctest/doctest.h>

namespace link_errors_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("link errors: a missing symbol is named, with the input that wants it") {
  for (const Target target : {Target::ptx, Target::cubin, Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    const LinkBench bench;
    Linker linker(bench.link_options());
    linker.add(bench.main_code(target), "main_part");
    // nvJitLink would name the last one.
    linker.add(bench.code("__device__ int innocent() { return 1; }", target, "other"), "other_part");
    check_fails(bench, linker,
                {"undefined symbol ns::op(float) (_ZN2ns2opEf), wanted by main_part:", "nvJitLink",
                 "options: -arch=sm_90", "inputs: main_part other_part", "error log:"});
  }
}

TEST_CASE("link errors: what is missing is reported without the linker's log, which nvJitLink 12 leaves empty") {
  const LinkBench bench;
  const auto missing = [&](const std::vector<CodeObject>& parts) {
    LinkJob job;
    for (const CodeObject& part : parts) job.add(part);
    return missing_symbols(job.inputs, "sm_90");
  };
  const char* const weak_source =
      "namespace ns { template <class T> __device__ __noinline__ T op(T x) { return x; }\n"
      "template __device__ float op(float); }\n";
  const char* const user_source =
      "#include <cassert>\nnamespace ns { template <class T> __device__ T op(T x); }\n"
      "extern \"C\" __global__ void k(float* p) {\n"
      "  assert(p); printf(\"%p\", malloc(1)); *p = ns::op(*p);\n}\n";
  for (const Target target : {Target::ptx, Target::cubin}) {
    CAPTURE(static_cast<int>(target));
    CHECK(missing({bench.main_code(target)}) == std::vector<std::string>{"_ZN2ns2opEf"});
    CHECK(missing({bench.main_code(target), bench.plug_code(target)}).empty());
    const CodeObject user = bench.code(user_source, target, "user");
    CHECK(missing({user}) == std::vector<std::string>{"_ZN2ns2opIfEET_S1_"});
    CHECK(missing({user, bench.code(weak_source, target, "weak")}).empty());
  }
  CHECK(missing({bench.main_code(), bench.plug_code(Target::ltoir)}).empty());
}

TEST_CASE("link errors: what linked PTX still wants, but for what every device has") {
  const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  CHECK(missing_symbols_of_ptx(head + ".extern .func (.param .b32 r) _Z3lawf\n(\n.param .b32 x\n);\n"
                                      ".extern .global .align 4 .f32 offset;\n"
                                      ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                                      ".extern .func (.param .b32 r) __cudaCDP2Malloc (.param .b64 p, .param .b64 s);\n"
                                      ".extern .shared .align 16 .b8 dynamic[];\n"
                                      ".visible .entry k() { ret; }\n") ==
        std::vector<std::string>{"_Z3lawf", "offset"});
  CHECK(missing_symbols_of_ptx(head + ".visible .entry k() { ret; }\n").empty());
}

TEST_CASE("link errors: a missing variable") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add(bench.code("extern __device__ int there; __global__ void k(int* p) { *p = there; }", Target::ptx, "main"));
  check_fails(bench, linker, {"undefined symbol there, wanted by main.cu"});
}

TEST_CASE("link errors: damaged PTX, unknown architectures and options") {
  const LinkBench bench;
  std::string text(bench.plug_code().bytes());
  text.replace(text.find("ret;"), 4, "rot;");
  Linker linker(bench.link_options());
  linker.add(bench.main_code()).add_data(text, InputType::ptx, "spoilt");
  check_fails(bench, linker, {"refuses spoilt, which is PTX", "error log:"});
  check_fails(bench, bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::arch, "sm_99")),
              {"does not know the architecture sm_99"});
  check_fails(bench, bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::options, {"-bogus"})),
              {"does not know or take one of the options", "unrecognized option: -bogus"});
  check_fails(bench, bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::options, {"-splt-compile=2"})),
              {"There is no option \"-splt-compile\": did you mean \"-split-compile\"?"});
  CHECK_THROWS_WITH_AS(Linker(bench.link_options().with(&LinkOptions::arch, "nativ")),
                       doctest::Contains("did you mean \"native\"?"), ArgumentError);
  check_fails(bench, bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::ptxas_options, {"--bogus"})),
              {"Unknown option"});
}

TEST_CASE("link errors: native without a device, as a compile has it") {
  const LinkBench bench;
  for (const char* word : {"native", "native-a", "native-f"}) {
    const Linker linker = bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::arch, word));
    CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("needs a device"), ArgumentError);
  }
}

TEST_CASE("link errors: the message handler gets a failure, and the error has both logs") {
  const LinkBench bench;
  std::vector<std::string> told;
  Linker linker(bench.link_options().with(&LinkOptions::message_handler,
                                          [&](bool success, const std::string&, const std::string& error_log) {
                                            told.push_back((success ? "success " : "failure ") + error_log);
                                          }));
  linker.add(bench.main_code());
  try {
    linker.link();
    FAIL("it links");
  } catch (const LinkError& error) {
    // nvJitLink 12 writes what it is to standard error.
    CHECK(contains(error.error_log(),
                   NvJitLinkLibrary::get().version_number().first >= 13 ? "Undefined reference" : "ERROR"));
    CHECK(contains(error.what(), "undefined symbol ns::op(float)"));
    CHECK(error.options().front() == "-arch=sm_90");
    REQUIRE(told.size() == 1);
    CHECK(told[0] == "failure " + error.error_log());
  }
  linker.add(bench.plug_code()).link();
  REQUIRE(told.size() == 2);
  CHECK(contains(told[1], "success "));
}

TEST_CASE("link errors: options that make no sense, and inputs that cannot be") {
  const LinkBench bench;
  const LinkOptions options = bench.link_options();
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::target, Target::fatbin)), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::optimization, 4)), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::max_registers, 0)), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::backend, Backend::nvcc)), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::arch, "sm_x")), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::arch, "compute_90")), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::options, {"bogus"})), ArgumentError);
  CHECK_THROWS_AS(Linker(options.with(&LinkOptions::target, Target::ptx).with(&LinkOptions::lto, false)),
                  ArgumentError);
  Linker linker(options);
  CHECK_THROWS_AS(linker.link(), ArgumentError);
  CHECK_THROWS_AS(linker.add(compile(plug_source, bench.options().with_target(Target::optixir))), ArgumentError);
  CHECK_THROWS_AS(linker.add(compile(plug_source, bench.options())), ArgumentError);
  CHECK_THROWS_AS(linker.add_data(main_source), ArgumentError);
  CHECK_THROWS_AS(linker.add_file(bench.scratch / "no_such_file"), Error);
  CHECK_THROWS_AS(linker.add_file(bench.scratch.write("text.o", "hello\n"), InputType::object), ArgumentError);
  CHECK_THROWS_AS(linker.add_file(bench.scratch.write("empty.a", "!<arch>\n")), ArgumentError);
  CHECK_THROWS_AS(linker.add_stdlib("no_such_library"), ToolkitError);
  CHECK_THROWS_AS(linker.add_stdlib("../cudadevrt"), ArgumentError);
  // None of them is in it.
  CHECK_THROWS_AS(linker.link(), ArgumentError);
}

TEST_CASE("link errors: link-time optimisation of what is not for it") {
  const LinkBench bench;
  check_fails(bench, bench.linker(Target::cubin, bench.link_options().with(&LinkOptions::lto, true)),
              {"no input is LTO-IR", "Target::ltoir"});
}

TEST_CASE("link errors: options that LinkOptions has members for") {
  const LinkBench bench;
  const auto refusal = [&](const char* option) {
    try {
      Linker(bench.link_options().with(&LinkOptions::options, {option}));
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
    return std::string("it was taken");
  };
  CHECK(contains(refusal("-arch=sm_80"), "LinkOptions::arch"));
  CHECK(contains(refusal("-lto"), "LinkOptions::lto"));
  CHECK(contains(refusal("-ptx"), "LinkOptions::target"));
}

TEST_CASE("link errors: a linker that was moved from") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  const Linker other = std::move(linker);
  CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("moved from"), ArgumentError);
  CHECK_THROWS_AS(linker.add(bench.plug_code()), ArgumentError);
  CHECK_THROWS_AS(linker.add_data(plug_source), ArgumentError);
  CHECK_THROWS_AS(linker.add_file("a.o"), ArgumentError);
  CHECK_THROWS_AS(linker.add_stdlib("cudadevrt"), ArgumentError);
}

TEST_CASE("link errors: files that cannot be inputs are named, and the cache is as it was") {
  const LinkBench bench;
  const auto refusal = [&](const std::filesystem::path& path, InputType type = InputType::detect) {
    try {
      Linker(bench.link_options()).add_file(path, type);
    } catch (const Error& error) {
      CHECK_MESSAGE(contains(error.what(), path.string()), error.what());
      return std::string(error.what());
    }
    return std::string("it was taken");
  };
  CHECK(contains(refusal(bench.scratch.write("text.o", "hello\n"), InputType::object), "neither PTX nor NVVM IR"));
  CHECK(contains(refusal(bench.scratch.write("empty.a", "!<arch>\n")), "without members"));
  CHECK(contains(refusal(bench.scratch.write("nothing.cubin", "")), "is empty"));
  CHECK(contains(refusal(bench.scratch / "none.ptx"), "none.ptx"));
  CHECK_FALSE(std::filesystem::exists(bench.scratch / "cache"));
}

}  // namespace link_errors_test
