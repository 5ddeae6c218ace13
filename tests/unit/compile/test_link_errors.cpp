// What cannot be linked: each names what is at fault, and nothing is kept.
#include "link_bench.hpp"

#include <doctest/doctest.h>

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

TEST_CASE("link errors: a missing variable") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add(bench.code("extern __device__ int there; __global__ void k(int* p) { *p = there; }", Target::ptx, "main"));
  check_fails(bench, linker, {"undefined symbol there, wanted by main.cu"});
}

TEST_CASE("link errors: an input for another architecture") {
  const LinkBench bench;
  struct Row {
    Target target;
    const char* of_input;
    const char* of_link;
    const char* what;
  };
  const Row rows[] = {
      {Target::cubin, "sm_80", "sm_90", "plug.cu is for sm_80, and the link for sm_90"},
      {Target::cubin, "sm_90", "sm_80", "plug.cu is for sm_90, and the link for sm_80"},
      {Target::cubin, "sm_120a", "sm_121", "plug.cu is for sm_120a, and the link for sm_121"},
      {Target::ptx, "compute_90", "sm_80", "plug.cu is for compute_90, and the link for sm_80"},
      {Target::ptx, "compute_90a", "sm_90", "plug.cu is for compute_90a, and the link for sm_90"},
      {Target::ltoir, "compute_90", "sm_80", "plug.cu is for lto_90, and the link for sm_80"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Linker linker(bench.link_options().with(&LinkOptions::arch, row.of_link));
    linker.add(bench.code(main_source, row.target, "main", row.target == Target::cubin ? row.of_link : "compute_80"));
    linker.add(bench.code(plug_source, row.target, "plug", row.of_input));
    check_fails(bench, linker, {row.what});
    // The next link of another thread comes through, too.
    CHECK(link_error_of(bench.linker(row.target, bench.link_options().with(&LinkOptions::arch, "sm_90"))).empty());
  }
}

TEST_CASE("link errors: LTO-IR and PTX of a newer toolkit") {
  const LinkBench bench;
  std::string newer(bench.plug_code(Target::ltoir).bytes());
  ++newer[7];  // the minor version of the IR
  Linker linker(bench.link_options());
  linker.add(bench.main_code(Target::ltoir)).add_data(newer, InputType::ltoir, "newer");
  check_fails(bench, linker, {"newer is LTO-IR of a newer toolkit than nvJitLink", "NVVM IR 2."});

  std::string text(bench.plug_code().bytes());
  text.replace(text.find(".version"), 12, ".version 99.9");
  // The rule sees that before any linker does.
  Linker of_text(bench.link_options().with(&LinkOptions::backend, Backend::nvjitlink));
  of_text.add(bench.main_code()).add_data(text, InputType::ptx, "newer");
  try {
    of_text.link();
    FAIL("it links");
  } catch (const ToolkitError& error) {
    CHECK_MESSAGE(contains(error.what(), "newer is PTX 99.9"), error.what());
  }
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
  check_fails(bench, bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::ptxas_options, {"--bogus"})),
              {"Unknown option"});
}

TEST_CASE("link errors: the message handler is told of a failure, and the error has both logs") {
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
    CHECK(contains(error.error_log(), "Undefined reference"));
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

TEST_CASE("link errors: LTO-IR that tells no architecture") {
  const LinkBench bench;
  std::string header("\xed\x43\x4e\x7f", 4);
  header.resize(40, '\0');
  Linker linker(bench.link_options());
  linker.add_data(header, InputType::ltoir, "hollow");
  CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("set LinkOptions::arch"), ArgumentError);
  Linker of_90(bench.link_options().with(&LinkOptions::arch, "sm_90"));
  of_90.add_data(header, InputType::ltoir, "hollow");
  check_fails(bench, of_90, {"hollow is LTO-IR"});
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
