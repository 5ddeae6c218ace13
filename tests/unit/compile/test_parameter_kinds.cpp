// Kinds of parameters that machine code does not tell: kept with the code, whatever way that took.
#include "ir_texts.hpp"
#include "link_bench.hpp"

#include "compile/code/code_data.hpp"

#include <doctest/doctest.h>

namespace parameter_kinds_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr ParameterKind floating = ParameterKind::floating, integer = ParameterKind::integer,
                        either = ParameterKind::integer_or_pointer;

const char* const source = "extern \"C\" __global__ void k(float* p, float x, int n) { p[n] = x; }";

std::vector<ParameterKind> kinds(const CodeObject& code) {
  std::vector<ParameterKind> list;
  for (const KernelInfo& kernel : code.kernels())
    if (kernel.name == "k")
      for (const Parameter& parameter : kernel.parameters) list.push_back(parameter.kind);
  return list;
}

const std::vector<ParameterKind> expected = {either, floating, integer};

}  // namespace

TEST_CASE("parameter kinds: compiled, and found in the cache by another process") {
  const Bench bench;
  CHECK(kinds(compile(source, bench.options())) == expected);
  CHECK(in_new_process([&] {
    const CodeObject code = compile(source, bench.options());
    return code.from_cache() && kinds(code) == expected;
  }));
}

TEST_CASE("parameter kinds: linked from PTX and from machine code, and found again") {
  const LinkBench bench;
  for (const Target target : {Target::ptx, Target::cubin}) {
    CAPTURE(static_cast<int>(target));
    const auto link = [&] {
      return Linker(bench.link_options()).add(bench.code(source, target, "k")).add(bench.plug_code(target)).link();
    };
    CHECK(kinds(link()) == expected);
    CHECK(in_new_process([&] {
      const CodeObject code = link();
      return code.from_cache() && kinds(code) == expected;
    }));
  }
}

TEST_CASE("parameter kinds: linked from PTX that the program gives") {
  const LinkBench bench;
  const CodeObject ptx = bench.code(source, Target::ptx, "k");
  CHECK(kinds(Linker(bench.link_options()).add_data(ptx.bytes(), InputType::ptx, "k.ptx").link()) == expected);
}

TEST_CASE("parameter kinds: equal machine code of unequal sources is two links") {
  const LinkBench bench;
  const auto link = [&](const char* text) {
    const CodeObject code =
        compile(text, bench.options().with_arch("sm_90").with_options({"-rdc=true"}).with_cache(false));
    return kinds(Linker(bench.link_options()).add(code).link());
  };
  CHECK(link("extern \"C\" __global__ void k(float x) {}") == std::vector{floating});
  CHECK(link("extern \"C\" __global__ void k(int x) {}") == std::vector{integer});
}

}  // namespace parameter_kinds_test
