// LinkOptions that let a link drop kernels and variables: what is named stays, and an unknown name is an error.
#include "link_bench.hpp"
#include "toolkit/image/code_info.hpp"

#include <algorithm>

namespace link_kept_test {

using namespace kiln;
using namespace kiln::test;

const char* const source =
    "__constant__ int only_read = 7; __device__ int also_read = 8; __device__ int only_written; __device__ int both = "
    "2;\n"
    "__device__ int nobodys = 4; __constant__ int constant_of_none = 9;\n"
    "extern \"C\" __global__ void alpha(int* p) { *p = only_read + also_read; only_written = *p; both += 1; }\n"
    "extern \"C\" __global__ void beta(int* p) { *p = 3; }\n"
    "namespace math { template <class T, int N> __global__ void scale(T* p) { *p *= N; }\n"
    "template __global__ void scale<float, 4>(float*); template __global__ void scale<float, 5>(float*); }\n";

using Names = std::vector<std::string>;

Names sorted(Names names) {
  std::sort(names.begin(), names.end());
  return names;
}

Names kernels_of(const CodeObject& code) {
  Names names;
  for (const KernelInfo& kernel : code.kernels()) names.push_back(kernel.readable_name);
  return sorted(names);
}

Names globals_of(const CodeObject& code) {
  return sorted((code.target() == Target::ptx ? read_ptx(code.bytes()) : read_cubin(code.bytes())).globals);
}

const Names all_variables = {"also_read", "both", "constant_of_none", "nobodys", "only_read", "only_written"};

struct KeptBench : LinkBench {
  CodeObject link(const LinkOptions& options, Target made = Target::ltoir) const {
    Linker linker(options);
    return linker.add(code(source, made, "main")).link();
  }
  CodeObject kept_kernels(const Names& names) const {
    return link(link_options().with(&LinkOptions::kernels_used, names));
  }
  std::string refusal(const LinkOptions& options, Target made = Target::ltoir) const {
    try {
      link(options, made);
    } catch (const ArgumentError& error) {
      return error.what();
    }
    return "it links";
  }
};

TEST_CASE("link kept: kernels that are named stay, with all variables") {
  const KeptBench bench;
  for (const char* name : {"beta", "::beta"}) {
    const CodeObject linked = bench.kept_kernels({name});
    CHECK(kernels_of(linked) == Names{"beta"});
    CHECK(globals_of(linked) == all_variables);
  }
  const CodeObject two = bench.kept_kernels({"alpha", "_ZN4math5scaleIfLi4EEEvPT_"});
  CHECK(kernels_of(two) == Names{"alpha", "math::scale<float, 4>(float*)"});
}

TEST_CASE("link kept: kernels by the names that Kiln prints, and by those that get_function takes") {
  const KeptBench bench;
  const std::string printed = "math::scale<float, 4>(float*)";
  for (const char* name :
       {"math::scale<float, 4>", "math::scale<float,4>", "math::scale<float, 4>(float*)", "scale<float, 4>"}) {
    CAPTURE(std::string(name));
    CHECK(kernels_of(bench.kept_kernels({name})) == Names{printed});
  }
  CHECK(kernels_of(bench.kept_kernels({"math::scale"})) == Names{printed, "math::scale<float, 5>(float*)"});
}

TEST_CASE("link kept: a name that matches nothing is an error with the available names") {
  const KeptBench bench;
  const LinkOptions options = bench.link_options();
  for (const Target made : {Target::ltoir, Target::ptx}) {
    CAPTURE(static_cast<int>(made));
    const std::string kernel = bench.refusal(options.with(&LinkOptions::kernels_used, {"alph"}), made);
    CHECK(contains(kernel, "LinkOptions::kernels_used names \"alph\", which is no kernel of the inputs"));
    CHECK(contains(kernel, "alpha"));
    CHECK(contains(kernel, "math::scale<float, 4>(float*)"));
    const std::string variable = bench.refusal(options.with(&LinkOptions::variables_used, {"read"}), made);
    CHECK(contains(variable, "LinkOptions::variables_used names \"read\", which is no variable of the inputs"));
    CHECK(contains(variable, "only_read"));
  }
  CHECK(bench.stats().entries == 2);  // the two inputs
}

TEST_CASE("link kept: variables that are named stay, the others go, and no kernel does") {
  const KeptBench bench;
  const CodeObject linked =
      bench.link(bench.link_options().with(&LinkOptions::variables_used, {"only_read", "nobodys"}));
  const Names globals = globals_of(linked);
  for (const char* name : {"only_read", "nobodys"}) CHECK(std::count(globals.begin(), globals.end(), name) == 1);
  CHECK(std::count(globals.begin(), globals.end(), "only_written") == 0);
  CHECK(linked.kernels().size() == 4);
}

TEST_CASE("link kept: unused variables are those that no kernel reads or writes") {
  const KeptBench bench;
  const LinkOptions options = bench.link_options().with(&LinkOptions::optimize_unused_variables, true);
  const Names used = {"also_read", "both", "only_read", "only_written"};
  CHECK(globals_of(bench.link(options)) == used);
  CHECK(globals_of(bench.link(options.with(&LinkOptions::kernels_used, {"beta"}))).empty());
  const Names more = {"also_read", "both", "nobodys", "only_read", "only_written"};
  CHECK(globals_of(bench.link(options.with(&LinkOptions::variables_used, {"nobodys"}))) == more);
  CHECK(globals_of(bench.link(options.with(&LinkOptions::target, Target::ptx))) == used);
}

TEST_CASE("link kept: with other code among the inputs, too") {
  const KeptBench bench;
  const CodeObject other = bench.code(
      "extern __device__ int also_read; extern __constant__ int only_read; __device__ int own = 3;\n"
      "extern \"C\" __global__ void other(int* p) { *p = also_read + only_read + own; }\n",
      Target::ptx, "other");
  const auto link = [&](const LinkOptions& options) {
    Linker linker(options);
    return linker.add(bench.code(source, Target::ltoir, "main")).add(other).link();
  };
  const LinkOptions options = bench.link_options();
  const CodeObject of_kernels = link(options.with(&LinkOptions::kernels_used, {"beta", "other"}));
  CHECK(kernels_of(of_kernels) == Names{"beta", "other"});
  CHECK(globals_of(of_kernels).size() == all_variables.size() + 1);
  const CodeObject of_variables = link(options.with(&LinkOptions::variables_used, {"only_read"}));
  CHECK(of_variables.kernels().size() == 5);
  CHECK(link(options.with(&LinkOptions::optimize_unused_variables, true)).kernels().size() == 5);
}

TEST_CASE("link kept: as text of options they are refused") {
  const KeptBench bench;
  for (const auto& [option, member] :
       {std::pair("-kernels-used=alpha", "kernels_used"), std::pair("-variables-used=both", "variables_used"),
        std::pair("-optimize-unused-variables", "optimize_unused_variables")}) {
    const LinkOptions options = bench.link_options().with(&LinkOptions::options, {option});
    CHECK_THROWS_WITH_AS(Linker{options}, doctest::Contains((std::string("LinkOptions::") + member).c_str()),
                         ArgumentError);
  }
}

}  // namespace link_kept_test
