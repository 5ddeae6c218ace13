// Linker with the real nvJitLink: what links, what the code is, and that it is found again.
#include "link_bench.hpp"

#include "compile/link/link.hpp"
#include "environment_guard.hpp"
#include "ir_texts.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace linker_test {

using namespace kiln;
using namespace kiln::test;

namespace {

bool has_kernel(const CodeObject& code, const std::string& name) {
  for (const KernelInfo& kernel : code.kernels())
    if (kernel.name == name) return true;
  return false;
}

}  // namespace

TEST_CASE("linker: PTX, cubins and LTO-IR give a cubin with the kernel") {
  for (const Target target : {Target::ptx, Target::cubin, Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    const LinkBench bench;
    const CodeObject linked = bench.linker(target, bench.link_options()).link();
    CHECK(linked.target() == Target::cubin);
    CHECK(linked.arch() == "sm_90");
    CHECK(linked.backend() == Backend::nvjitlink);
    CHECK_FALSE(linked.from_cache());
    CHECK(has_kernel(linked, "k"));
  }
}

TEST_CASE("linker: inputs of several kinds go together") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add(bench.main_code(Target::ltoir)).add(bench.plug_code(Target::cubin));
  CHECK(has_kernel(linker.link(), "k"));
}

TEST_CASE("linker: link-time optimisation makes PTX") {
  const LinkBench bench;
  const CodeObject linked =
      bench.linker(Target::ltoir, bench.link_options().with(&LinkOptions::target, Target::ptx)).link();
  CHECK(linked.target() == Target::ptx);
  CHECK(linked.arch() == "compute_90");
  CHECK(linked.bytes().find(".entry k") != std::string_view::npos);
  // The call is inlined.
  CHECK(linked.bytes().find("call") == std::string_view::npos);
}

TEST_CASE("linker: may go on after a link, and be moved") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add(bench.code("extern \"C\" __global__ void one() {}", Target::ptx, "one"));
  CHECK_FALSE(has_kernel(linker.link(), "two"));
  linker.add(bench.code("extern \"C\" __global__ void two() {}", Target::ptx, "two"));
  Linker moved = std::move(linker);
  CHECK(has_kernel(moved.link(), "one"));
  CHECK(has_kernel(moved.link(), "two"));
}

TEST_CASE("linker: verbose fills the log, which the cache keeps") {
  const LinkBench bench;
  const auto link = [&] {
    return bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::verbose, true)).link();
  };
  CHECK(contains(link().log(), "registers"));
  REQUIRE(in_new_process([&] { return link().from_cache() && contains(link().log(), "registers"); }));
}

TEST_CASE("linker: code for another device is linked again from the same inputs") {
  const LinkBench bench;
  const auto link = [&](const LinkOptions& options) {
    Linker linker(options);
    return linker.add(bench.code(main_source, Target::ptx, "main", "compute_80"))
        .add(bench.code(plug_source, Target::ptx, "plug", "compute_80"))
        .link();
  };
  const CodeObject linked = link(bench.link_options());
  CHECK(linked.arch() == "sm_80");
  REQUIRE(linked.data()->relink);
  CHECK(linked.data()->relink("sm_90").arch() == "sm_90");
  CHECK(linked.data()->relink("sm_80").from_cache());
  // Also what was found, and never where the architecture was given.
  CHECK(link(bench.link_options()).data()->relink);
  CHECK_FALSE(link(bench.link_options().with(&LinkOptions::arch, "sm_80")).data()->relink);
}

TEST_CASE("linker: KILN_ARCH decides without a device, and several are all linked") {
  const EnvironmentGuard environment({{"KILN_ARCH", "sm_90,sm_90a"}});
  const LinkBench bench;
  CHECK(bench.linker(Target::ptx, bench.link_options()).link().arch() == "sm_90");
  CHECK(bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::arch, "sm_90a")).link().from_cache());
}

TEST_CASE("linker: the suffix of the inputs' architecture is kept") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add(bench.code(main_source, Target::ptx, "main", "compute_90a")).add(bench.plug_code());
  CHECK(linker.link().arch() == "sm_90a");
  LinkJob job{bench.link_options(), {}};
  job.add(bench.code(main_source, Target::cubin, "main", "sm_90a"));
  job.add(bench.plug_code());
  CHECK(link_for(job, "sm_90").arch() == "sm_90a");
}

TEST_CASE("linker: options reach nvJitLink") {
  const LinkBench bench;
  const auto linked = [&](const LinkOptions& options) { return bench.linker(Target::ltoir, options).link(); };
  const LinkOptions all = bench.link_options()
                              .with(&LinkOptions::optimization, 3)
                              .with(&LinkOptions::max_registers, 64)
                              .with(&LinkOptions::lineinfo, true)
                              .with(&LinkOptions::ftz, true)
                              .with(&LinkOptions::prec_div, false)
                              .with(&LinkOptions::prec_sqrt, false)
                              .with(&LinkOptions::fma, false)
                              .with(&LinkOptions::kernels_used, {"k"})
                              .with(&LinkOptions::split_compile, 1)
                              .with(&LinkOptions::ptxas_options, {"-O2"})
                              .with(&LinkOptions::options, {"-jump-table-density=50"});
  CHECK(has_kernel(linked(all), "k"));
  CHECK(has_kernel(linked(bench.link_options().with(&LinkOptions::debug, true)), "k"));
  // Without fused multiplication and addition.
  const LinkOptions ptx = bench.link_options().with(&LinkOptions::target, Target::ptx);
  CHECK(contains(std::string(linked(ptx).bytes()), "fma"));
  CHECK_FALSE(contains(std::string(linked(ptx.with(&LinkOptions::fma, false)).bytes()), "fma"));
}

TEST_CASE("linker: NVVM IR is compiled first, to LTO-IR or PTX") {
  for (const std::optional<bool> lto : {std::optional<bool>(), std::optional<bool>(false)}) {
    const LinkBench bench;
    const auto link = [&] {
      Linker linker(bench.link_options().with(&LinkOptions::lto, lto).with(&LinkOptions::arch, "sm_90"));
      linker.add_data(number_ir, InputType::detect, "number.ll")
          .add(bench.plug_code(lto ? Target::ptx : Target::ltoir));
      return linker.link();
    };
    const CodeObject linked = link();
    CHECK(has_kernel(linked, "number"));
    CHECK(linked.backend() == Backend::nvjitlink);
    CHECK(bench.stats().compiles == 3);
    CHECK(link().from_cache());
    CHECK(bench.stats().compiles == 3);
  }
}

TEST_CASE("linker: NVVM IR alone names no architecture") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  linker.add_data(number_ir);
  CHECK_THROWS_WITH_AS(linker.link(), doctest::Contains("set LinkOptions::arch"), ArgumentError);
}

TEST_CASE("linker: a link is listed by its name") {
  const LinkBench bench;
  bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::name, "physics")).link();
  bool is_listed = false;
  for (const CacheEntry& entry : Cache(bench.scratch / "cache").entries()) is_listed |= entry.name == "physics";
  CHECK(is_listed);
}

TEST_CASE("linker: hundreds of inputs, and names of all letters") {
  const LinkBench bench;
  Linker linker(bench.link_options());
  std::string calls;
  std::string declarations;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "f" + std::to_string(i);
    declarations += "__device__ int " + name + "(int);\n";
    calls += "x = " + name + "(x); ";
    linker.add_data(".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b32 r) _Z" +
                        std::to_string(name.size()) + name +
                        "i(.param .b32 p)\n{ .reg .b32 %a; ld.param.b32 %a, [p]; st.param.b32 [r], %a; ret; }\n",
                    InputType::detect, "br\u00fccke \" " + std::to_string(i));
  }
  linker.add(bench.code((declarations + "__global__ void k(int* p) { int x = *p; " + calls + "*p = x; }").c_str(),
                        Target::ptx, "main"));
  CHECK(linker.link().kernels().size() == 1);
  CHECK(linker.link().from_cache());
}

}  // namespace linker_test
