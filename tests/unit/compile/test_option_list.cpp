#include "compile/options/option_list.hpp"

#include <doctest/doctest.h>
#include <kiln/error.hpp>

namespace option_list_test {

using namespace kiln;

TEST_CASE("include folders are found in every spelling, and made absolute") {
  const OptionList list = read_options({"-Ia", "-I", "b c", "-I=/d/", "--include-path=e", "--include-path", "f"}, "/w");
  CHECK(list.include_dirs == std::vector<std::string>{"/w/a", "/w/b c", "/d", "/w/e", "/w/f"});
  CHECK(list.arguments == std::vector<std::string>{"-I/w/a", "-I/w/b c", "-I/d", "-I/w/e", "-I/w/f"});
}

TEST_CASE("an architecture among the options is taken out") {
  for (const auto& options : std::vector<std::vector<std::string>>{
           {"-arch=sm_80", "-lineinfo"}, {"-arch", "sm_80", "-lineinfo"}, {"--gpu-architecture=sm_80", "-lineinfo"}}) {
    const OptionList list = read_options(options, "/w");
    CHECK(list.arch == "sm_80");
    CHECK(list.arguments == std::vector<std::string>{"-lineinfo"});
    CHECK(list.embeds_working_folder);
  }
}

TEST_CASE("options with side effects are named") {
  CHECK(read_options({"-O3", "--create-pch=x"}, "/w").side_effect == "--create-pch=x");
  CHECK(read_options({"-fdevice-time-trace=x"}, "/w").side_effect == "-fdevice-time-trace=x");
  CHECK(read_options({"-use_fast_math", "--std=c++17", "-prec-div=false"}, "/w").side_effect.empty());
  for (const char* value :
       {"-MD,-MF,file", "-O2,-save-temps", "-fdump-tree-all", "--coverage", "-Wp,-MD,file", "-Wa,-al=file",
        "-fprofile-arcs", "-aux-info,file", "-gsplit-dwarf", "-ofile", "-Wall -MD -MF file"})
    CHECK(read_options({"-Xcompiler", value}, "/w").side_effect == std::string("-Xcompiler ") + value);
  for (const char* value : {"-Wall,-Wextra", "-fPIC", "-O3,-march=native", "-fopenmp", "-DX=-MD", "-g"})
    CHECK(read_options({"-Xcompiler", value}, "/w").side_effect.empty());
  CHECK_FALSE(read_options({"-Xptxas", "-v,-o=file"}, "/w").side_effect.empty());
  CHECK_FALSE(read_options({"-Xptxas", "-v -o file"}, "/w").side_effect.empty());
  CHECK(read_options({"-Xptxas", "-v,-O3,-opt-level"}, "/w").side_effect.empty());
  CHECK_FALSE(read_options({"--forward-unknown-opts", "-fdump-tree-all"}, "/w").side_effect.empty());
  CHECK(read_options({"-default-device", "-dopt=on", "-fmad=false"}, "/w").side_effect.empty());
  for (const char* option : {"-o=x", "-odir=x", "--output-file=x"})
    CHECK(read_options({option}, "/w").asks_for == option);
}

TEST_CASE("NVRTC's own headers, which would go before the program's, are not for an option") {
  for (const char* option : {"--use-bundled-headers=/h", "-use-bundled-headers=/h", "--use-bundled-headers"})
    CHECK_THROWS_WITH_AS(read_options({option}, "/w"), doctest::Contains("include_dirs"), ArgumentError);
}

TEST_CASE("forced includes are noted and kept") {
  const OptionList list = read_options({"-include", "x.h", "--pre-include=y.h"}, "/w");
  CHECK(list.forced == std::vector<std::string>{"x.h", "y.h"});
  CHECK(list.arguments == std::vector<std::string>{"--pre-include=x.h", "--pre-include=y.h"});
}

TEST_CASE("a value that stands apart is no option of its own, and the words are kept as given") {
  const std::vector<std::string> options = {"-D", "-G", "-Xptxas", "-c", "-std", "c++17"};
  const OptionList list = read_options(options, "/w");
  CHECK(list.arguments == options);
  CHECK(list.path_independent == options);
  CHECK(list.asks_for.empty());
  CHECK_FALSE(list.embeds_working_folder);
}

TEST_CASE("blanks around an option do not hide it") {
  const OptionList list = read_options({" -I a", "\t-arch sm_80 ", " -ptx"}, "/w");
  CHECK(list.include_dirs == std::vector<std::string>{"/w/a"});
  CHECK(list.arch == "sm_80");
  CHECK(list.asks_for == "-ptx");
}

TEST_CASE("default options split at blanks outside quotes") {
  CHECK(split_options("  -a  -DX='b c' \"-I/my dir\"\t-z\n") ==
        std::vector<std::string>{"-a", "-DX=b c", "-I/my dir", "-z"});
  CHECK(split_options("").empty());
  CHECK(split_options("-D ''") == std::vector<std::string>{"-D", ""});
}

}  // namespace option_list_test
