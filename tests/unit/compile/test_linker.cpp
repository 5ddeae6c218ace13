// Linker with the real nvJitLink: what links, what the code is, and that it is found again.
#include "link_bench.hpp"

#include "compile/link.hpp"
#include "toolkit/nvjitlink_library.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

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

TEST_CASE("linker: the same link is made once, and found in another process without nvJitLink") {
  const LinkBench bench;
  // The compiles are made in a child, so that this process opens no compiler.
  const auto link = [&] { return bench.linker(Target::ltoir, bench.link_options()).link(); };
  REQUIRE(in_new_process([&] { return !link().from_cache() && NvJitLinkLibrary::is_open(); }));
  CHECK(bench.stats().compiles == 3);
  CHECK(in_new_process([&] { return link().from_cache() && !NvJitLinkLibrary::is_open(); }));
  CHECK(bench.stats().compiles == 3);
  CHECK(bench.stats().misses == 3);
}
