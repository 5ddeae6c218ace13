// One symbol in two inputs: nvJitLink only complains of some, and takes one of the two.
#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"
#include "toolkit/libraries/nvjitlink_library.hpp"

namespace link_duplicates_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const char* const other_plug = "namespace ns { __device__ float op(float x) { return x; } }";
const std::string twice = "symbol ns::op(float) (_ZN2ns2opEf) is defined twice, by ";

/// CUDA 12's nvJitLink says nothing at all of a symbol that is in LTO-IR and in other code.
bool tells_of_ltoir() {
  if (NvJitLinkLibrary::get().version_number().first >= 13) return true;
  MESSAGE("not tried: this nvJitLink does not tell");
  return false;
}

}  // namespace

TEST_CASE("link duplicates: a symbol that is there twice is named with both inputs") {
  for (const Target target : {Target::ptx, Target::cubin, Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    const LinkBench bench;
    Linker linker = bench.linker(target, bench.link_options());
    linker.add(bench.code(other_plug, target, "second"), "second");
    check_fails(bench, linker, {twice + "plug.cu and second"});
  }
}

TEST_CASE("link duplicates: weak and static symbols may be there twice") {
  const LinkBench bench;
  for (const Target target : {Target::ptx, Target::cubin, Target::ltoir}) {
    const auto part = [&](const char* name) {
      return bench.code(
          (std::string("inline __device__ int twice(int x) { return x * 3; }\n"
                       "static __device__ int own; template <class T> __device__ T same(T x) { return x; }\n"
                       "extern __shared__ float memory[];\n"
                       "extern \"C\" __global__ void ") +
           name + "(int* p) { memory[0] = 1; own = *p; *p = twice(own) + same(*p) + (int)memory[1]; }")
              .c_str(),
          target, name);
    };
    Linker linker(bench.link_options());
    linker.add(part("one")).add(part("two"));
    CHECK(link_error_of(linker).empty());
  }
}

TEST_CASE("link duplicates: in LTO-IR and in other code") {
  if (!tells_of_ltoir()) return;
  for (const Target target : {Target::ptx, Target::cubin}) {
    CAPTURE(static_cast<int>(target));
    const LinkBench bench;
    Linker linker(bench.link_options());
    linker.add(bench.main_code(Target::cubin)).add(bench.plug_code(Target::ltoir));
    linker.add(bench.code("__device__ int innocent() { return 1; }", Target::ltoir, "innocent"));
    linker.add(bench.code(other_plug, target, "second"));
    check_fails(bench, linker, {twice + "second.cu and plug.cu", "nvJitLink"});
  }
}

TEST_CASE("link duplicates: a kernel in LTO-IR and in other code") {
  if (!tells_of_ltoir()) return;
  const LinkBench bench;
  const char* const kernel = "extern \"C\" __global__ void k(int* p) { *p = 1; }";
  Linker linker(bench.link_options());
  linker.add(bench.code(kernel, Target::ltoir, "one")).add(bench.code(kernel, Target::cubin, "two"));
  check_fails(bench, linker, {"symbol k is defined twice, by two.cu and one.cu"});
}

TEST_CASE("link duplicates: libraries, as nvlink has it" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const LinkBench bench;
  const auto object = [&](const char* name, const char* source) {
    const auto path = bench.scratch / (std::string(name) + ".o");
    const auto text = bench.scratch.write(std::string(name) + ".cu", source);
    const ProgramResult made = run_program(*nvcc, {"-arch=sm_90", "-dc", text.string(), "-o", path.string()});
    REQUIRE_MESSAGE(made.status == 0, made.output);
    return file_bytes(path);
  };
  const std::string one = object("one", plug_source);
  const std::string two = object("two", other_plug);
  Linker linker(bench.link_options());
  linker.add(bench.main_code(Target::cubin)).add_data(library_of({one}), InputType::library, "libone.a");
  CHECK(link_error_of(linker).empty());
  linker.add_data(library_of({two}), InputType::library, "libtwo.a");
  check_fails(bench, linker, {twice + "libone.a and libtwo.a"});

  Linker of_both(bench.link_options());
  of_both.add(bench.main_code(Target::cubin)).add_data(library_of({one, two}), InputType::library, "libboth.a");
  check_fails(bench, of_both, {twice + "libboth.a"});

  Linker of_code(bench.link_options());
  of_code.add(bench.main_code(Target::cubin)).add(bench.plug_code(Target::cubin));
  of_code.add_data(library_of({two}), InputType::library, "libtwo.a");
  check_fails(bench, of_code, {twice + "plug.cu and libtwo.a"});
}

}  // namespace link_duplicates_test
