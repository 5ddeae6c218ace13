// Names nested as deep as nobody writes them: on a small stack, because the readers go down with them.
#include <doctest/doctest.h>

#include "small_stack.hpp"
#include "toolkit/image/code_info.hpp"
#include "toolkit/names/bracket_depth.hpp"
#include "toolkit/names/kernel_name.hpp"
#include "toolkit/names/type_name.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace deep_names_test {

using kiln::test::on_small_stack;
using kiln::test::repeated;

namespace {

std::string nested(int depth) { return repeated("t<", depth) + "unsigned" + repeated(">", depth); }

}  // namespace

TEST_CASE("types and names are made canonical down to a depth, and kept as they are below it") {
  on_small_stack([] {
    CHECK(kiln::canonical_type(nested(3)) == "t<t<t<unsigned int>>>");
    CHECK(kiln::canonical_type(nested(kiln::deepest_name)).find("unsigned int") != std::string::npos);
    for (const int depth : {500, 3000}) {
      CHECK(kiln::canonical_type(nested(depth)) == nested(depth));
      CHECK(kiln::canonical_name(nested(depth)) == nested(depth));
      CHECK(kiln::canonical_template_argument(nested(depth)) == nested(depth));
      CHECK(kiln::names_function(nested(depth), "f") == false);
      CHECK(kiln::names_function(nested(depth), "_Z1fi") == false);
      CHECK(kiln::names_variable(nested(depth), "_ZN1a1bE") == false);
    }
    for (const char* text : {"<", "(", "t<", "::", "t<(", "a*", "[", "{", "&", "'"}) {
      const std::string many = repeated(text, 3000);
      (void)kiln::canonical_type(many);
      (void)kiln::names_function(many, "_Z1fi");
      (void)kiln::parse_demangled(many);
      (void)kiln::parameter_kind(many);
    }
  });
}

TEST_CASE("symbols of files are read or left as they are, however deep") {
  on_small_stack([] {
    for (const int depth : {100, 250, 300, 500, 1000, 10000})
      for (const std::string& symbol :
           {"_Z1f" + repeated("P", depth) + "i", "_Z1f" + repeated("1tI", depth) + "i" + repeated("E", depth),
            "_Z1f" + repeated("PFv", depth) + "i" + repeated("E", depth), "_Z1f" + repeated("A1_", depth) + "i",
            "_Z" + repeated("Z", depth) + "1fv" + repeated("E1x", depth), "_Z1f" + repeated("Dp", depth) + "i",
            "_Z1fIX" + repeated("ng", depth) + "Li1EEEvv", "_Z1fIiEv" + repeated("DTcv", depth) + "i"}) {
        kiln::KernelInfo kernel;
        kernel.name = symbol;
        kernel.parameters.resize(1);
        kiln::add_readable_name(kernel);
        CHECK_FALSE(kernel.readable_name.empty());
        CHECK_FALSE(kiln::names_function("g", symbol));
      }
  });
}

TEST_CASE("PTX with braces as deep") {
  on_small_stack([] {
    const std::string text =
        ".version 8.0\n.target sm_90\n.visible .entry k() {" + repeated("{", 100000) + repeated("}", 100000) + "}\n";
    CHECK(kiln::read_ptx(text).kernels.size() == 1);
  });
}

}  // namespace deep_names_test
