// Inputs for another architecture, or of another version: each is named, and nothing is kept.
#include "ir_texts.hpp"
#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

namespace link_versions_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("link versions: an input for another architecture") {
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
      {Target::ltoir, "compute_90a", "sm_90", "plug.cu is for lto_90a, and the link for sm_90"},
      {Target::ltoir, "compute_90a", "sm_100", "plug.cu is for lto_90a, and the link for sm_100"},
      {Target::ltoir, "compute_120a", "sm_121", "plug.cu is for lto_120a, and the link for sm_121"},
      {Target::ltoir, "compute_100f", "sm_121", "plug.cu is for lto_100f, and the link for sm_121"},
      {Target::ptx, "compute_100f", "sm_121", "plug.cu is for compute_100f, and the link for sm_121"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const bool is_newest = row.of_link >= std::string_view("sm_1") && row.of_link < std::string_view("sm_2");
    if (is_newest && NvrtcLibrary::get().supported_archs().back() < 121) continue;  // CUDA 12.6's NVRTC
    Linker linker(bench.link_options().with(&LinkOptions::arch, row.of_link));
    linker.add(bench.code(main_source, row.target, "main", row.target == Target::cubin ? row.of_link : "compute_80"));
    linker.add(bench.code(plug_source, row.target, "plug", row.of_input));
    check_fails(bench, linker, {row.what});
    // The next link of another thread comes through, too.
    CHECK(link_error_of(bench.linker(row.target, bench.link_options().with(&LinkOptions::arch, "sm_90"))).empty());
  }
}

TEST_CASE("link versions: an object for another architecture" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const LinkBench bench;
  const auto source = bench.scratch.write("plug.cu", plug_source);
  const auto object = bench.scratch / "plug.o";
  const ProgramResult made =
      run_program(*nvcc, {"-gencode", "arch=compute_80,code=sm_80", "-dc", source.string(), "-o", object.string()});
  REQUIRE_MESSAGE(made.status == 0, made.output);
  Linker linker(bench.link_options());
  linker.add(bench.main_code(Target::cubin)).add_file(object);
  check_fails(bench, linker, {object.string() + " is for sm_80, and the link for sm_90"});
  Linker of_library(bench.link_options());
  of_library.add(bench.main_code(Target::cubin));
  of_library.add_data(library_of({file_bytes(object)}), InputType::library, "libplug.a");
  check_fails(bench, of_library, {"libplug.a is for sm_80, and the link for sm_90"});
  CHECK(link_error_of(bench.linker(Target::cubin, bench.link_options())).empty());
}

TEST_CASE("link versions: LTO-IR and PTX of a newer toolkit") {
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

TEST_CASE("link versions: LTO-IR that names no architecture") {
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

TEST_CASE("link versions: IR of another version among the inputs") {
  const LinkBench bench;
  Linker linker(bench.link_options().with(&LinkOptions::arch, "sm_90"));
  linker.add_data(replaced(number_ir, "!{i32 2, i32 0}", "!{i32 1, i32 0}"), InputType::detect, "old.ll");
  linker.add(bench.plug_code(Target::ltoir));
  const auto before = bench.stats();
  CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("old.ll"), CompileError);
  CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("reads NVVM IR 2.0"), CompileError);
  CHECK(bench.stats().stores == before.stores);
}

}  // namespace link_versions_test
