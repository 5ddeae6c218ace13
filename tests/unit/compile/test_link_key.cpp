// What tells one link from another: all that reaches the code, and nothing else.
#include "link_bench.hpp"

namespace link_key_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("link key: the key has inputs, options and architecture, not names") {
  const LinkBench bench;
  const CodeObject main = bench.main_code();
  const CodeObject plug = bench.plug_code();
  const auto link = [&](const LinkOptions& options, const char* name, const CodeObject& second) {
    Linker linker(options);
    linker.add(main, name).add(second);
    return linker.link();
  };
  const LinkOptions options = bench.link_options();
  CHECK_FALSE(link(options, "one", plug).from_cache());
  CHECK(link(options, "other", plug).from_cache());
  CHECK(link(options.with(&LinkOptions::arch, "sm_90"), "one", plug).from_cache());
  CHECK(link(options.with(&LinkOptions::arch, "90"), "one", plug).from_cache());
  CHECK_FALSE(link(options.with(&LinkOptions::arch, "sm_90a"), "one", plug).from_cache());
  CHECK_FALSE(link(options.with(&LinkOptions::max_registers, 32), "one", plug).from_cache());
  CHECK_FALSE(link(options.with(&LinkOptions::ptxas_options, {"-O1"}), "one", plug).from_cache());
  CHECK(link(options.with(&LinkOptions::optimization, 1), "one", plug).from_cache());  // which is spelled so
  const CodeObject other =
      bench.code("namespace ns { __device__ float op(float x) { return x; } }", Target::ptx, "plug");
  CHECK_FALSE(link(options, "one", other).from_cache());
}

TEST_CASE("link key: the order of inputs is part of the key, and so is each option") {
  const LinkBench bench;
  const CodeObject main = bench.main_code(Target::ltoir);
  const CodeObject plug = bench.code((std::string("__device__ int v;\n") + plug_source).c_str(), Target::ltoir, "plug");
  const auto link = [&](const LinkOptions& options, bool plug_first = false) {
    Linker linker(options);
    linker.add(plug_first ? plug : main).add(plug_first ? main : plug);
    return linker.link();
  };
  const LinkOptions o = bench.link_options();
  CHECK_FALSE(link(o).from_cache());
  CHECK_FALSE(link(o, true).from_cache());
  const LinkOptions others[] = {o.with(&LinkOptions::target, Target::ptx),
                                o.with(&LinkOptions::debug, true),
                                o.with(&LinkOptions::lineinfo, true),
                                o.with(&LinkOptions::ftz, true),
                                o.with(&LinkOptions::ftz, false),
                                o.with(&LinkOptions::prec_div, false),
                                o.with(&LinkOptions::prec_sqrt, false),
                                o.with(&LinkOptions::fma, false),
                                o.with(&LinkOptions::kernels_used, {"k"}),
                                o.with(&LinkOptions::variables_used, {"v"}),
                                o.with(&LinkOptions::optimize_unused_variables, true),
                                o.with(&LinkOptions::split_compile, 1),
                                o.with(&LinkOptions::optimization, 0),
                                o.with(&LinkOptions::options, {"-jump-table-density=50"}),
                                o.with(&LinkOptions::verbose, true)};
  for (const LinkOptions& other : others) {
    CHECK_FALSE(link(other).from_cache());
    CHECK(link(other).from_cache());
  }
}

TEST_CASE("link key: a file that changed under its name is another input") {
  const LinkBench bench;
  const auto path = bench.scratch / "plug.cubin";
  const auto link = [&](const char* source) {
    write_file(path, bench.code(source, Target::cubin, "plug").bytes());
    Linker linker(bench.link_options());
    linker.add(bench.main_code(Target::cubin)).add_file(path);
    return linker.link();
  };
  const std::string one(link(plug_source).bytes());
  const CodeObject other = link("namespace ns { __device__ float op(float x) { return x * x * x; } }");
  CHECK_FALSE(other.from_cache());
  CHECK(other.bytes() != one);
  CHECK(link(plug_source).bytes() == one);
}

TEST_CASE("link key: changing only the plug-in compiles only the plug-in") {
  const LinkBench bench;
  const auto link = [&](const char* plug) {
    const CodeObject main = bench.main_code(Target::ltoir);
    const CodeObject plug_in = bench.code(plug, Target::ltoir, "plug");
    Linker linker(bench.link_options());
    const CodeObject linked = linker.add(main).add(plug_in).link();
    return std::vector<bool>{main.from_cache(), plug_in.from_cache(), linked.from_cache()};
  };
  CHECK(link(plug_source) == std::vector<bool>{false, false, false});
  CHECK(link("namespace ns { __device__ float op(float x) { return x * x; } }") ==
        std::vector<bool>{true, false, false});
  CHECK(link(plug_source) == std::vector<bool>{true, true, true});
}

}  // namespace link_key_test
