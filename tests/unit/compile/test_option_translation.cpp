#include "compile/options/option_list.hpp"

#include "compile/options/known_options.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"
#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"
#include "worker/nvrtc/option_versions.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "loop_step.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"
#include "small_job.hpp"

namespace option_translation_test {

using namespace kiln;

using List = std::vector<std::string>;

namespace {

/// A value that each option of the table takes.
const std::map<std::string_view, std::string> values = {
    {"--include-path", "/tmp"},
    {"--define-macro", "A=1"},
    {"--undefine-macro", "A"},
    {"--system-include", "/tmp"},
    {"--std", "c++17"},
    {"--maxrregcount", "32"},
    {"--ptxas-options", "-v,-O1"},
    {"--dopt", "on"},
    {"--diag-error", "20"},
    {"--diag-suppress", "177,20"},
    {"--diag-warn", "177"},
    {"--optimization-info", "inline"},
    {"--jump-table-density", "50"},
    {"--split-compile", "1"},
    {"--Ofast-compile", "min"},
    {"--frandom-seed", "1"},
    {"--optimize", "2"},
    {"--machine", "64"},
    {"--x", "cu"},
    {"--compiler-bindir", "gcc"},
    {"--default-stream", "legacy"},
    {"--library", "cudadevrt"},
    {"--library-path", "/tmp"},
    {"--linker-options", "-s"},
    {"--archive-options", "-s"},
    {"--nvlink-options", "-v"},
    {"--cudart", "none"},
    {"--cudadevrt", "none"},
    {"--compress-mode", "none"},
    {"--threads", "2"},
    {"--ftemplate-depth", "300"},
    {"--compiler-options", "-fPIC"},
    {"--entries", "_Z1kPi"},
    {"--Werror", "all-warnings"},
    {"--ftemplate-backtrace-limit", "3"},
    {"--sanitize", "memcheck"},
    {"--split-compile-extended", "1"},
    {"--target-directory", "x86_64-linux"},
};

/// Of these the result is a file, or they need one or another kind of code.
bool is_tried_elsewhere(std::string_view name) {
  for (const std::string_view other : {"--pre-include",
                                       "--gpu-architecture",
                                       "--time",
                                       "--fdevice-time-trace",
                                       "--dlink-time-opt",
                                       "--lto",
                                       "--pch",
                                       "--create-pch",
                                       "--use-pch",
                                       "--pch-dir",
                                       "--pch-verbose",
                                       "--pch-messages",
                                       "--keep",
                                       "--save-temps",
                                       "--keep-dir",
                                       "--generate-code",
                                       "--gpu-code",
                                       "--libdevice-directory",
                                       "--options-file",
                                       "--apply-controls",  // of CUDA 13.3 and newer
                                       "--dont-use-profile",
                                       "--device-float128",
                                       "--source-in-ptx"})
    if (name == other) return true;
  return false;
}

/// The option in each of its spellings.
std::vector<List> spellings(const KnownOption& option) {
  if (option.value == KnownOption::Value::none)
    return {{std::string(option.long_name)}, {std::string(option.short_name)}};
  const auto found = values.find(option.long_name);
  const std::string value = found == values.end() ? "true" : found->second;
  std::vector<List> all;
  for (const std::string_view name : {option.long_name, option.short_name}) {
    all.push_back({std::string(name), value});
    all.push_back({std::string(name) + "=" + value});
  }
  if (option.value != KnownOption::Value::one) all.push_back({std::string(option.short_name) + value});
  return all;
}

CompilerJob job(List arguments) {
  CompilerJob made = kiln::test::job("__global__ void __launch_bounds__(64) k(int* a) { a[0] = 1; }");
  made.arguments = std::move(arguments);
  return made;
}

}  // namespace

TEST_CASE("-Ofast-compile with one dash is the option that compilers know with two") {
  for (const List& options : {List{"-Ofast-compile=max"}, List{"-Ofast-compile", "max"}, List{"-Ofast-compile max"}}) {
    CAPTURE(options.front());
    CHECK(options_for_nvrtc(options) == List{"--Ofast-compile=max"});
    CHECK(options_for_nvcc(options) == List{"--Ofast-compile=max"});
  }
  CHECK(options_for_nvrtc({"-Ofc=max"}) == List{"-Ofc=max"});
  CHECK(options_for_nvrtc({"-O2"}).empty());  // of the host's code, as before
}

TEST_CASE("NVRTC accepts the translation of each option in each spelling") {
  test::Turns turns(3);  // each is a compile
  std::size_t count = 0;
  const KnownOption* table = known_options(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (is_tried_elsewhere(table[i].long_name) || table[i].nvrtc == OptionFate::refuses) continue;
    // Stays in force for all later compiles of the process, whose logs it fills.
    if (table[i].long_name == "--optimization-info") continue;
    for (const List& options : spellings(table[i])) {
      CAPTURE(options.front());
      CHECK_FALSE(option_for_nvcc_only(options));
      if (!options_of_newer_nvrtc(options_for_nvrtc(options), NvrtcLibrary::get().version_number()).empty()) continue;
      if (!turns.next()) continue;
      CHECK_NOTHROW(compile_with_nvrtc(NvrtcLibrary::get(), job(options_for_nvrtc(options))));
    }
  }
}

TEST_CASE("NVRTC refuses what is said to be for nvcc only, which sees it as it is") {
  std::size_t count = 0;
  const KnownOption* table = known_options(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (table[i].nvrtc != OptionFate::refuses) continue;
    const List options = spellings(table[i]).front();
    CAPTURE(options.front());
    CHECK(option_for_nvcc_only(options));
    CHECK_THROWS_AS(compile_with_nvrtc(NvrtcLibrary::get(), job(options_for_nvrtc(options))), CompileError);
  }
}

TEST_CASE("nvcc accepts the translation of each option" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  // All at once, by each kind of spelling, because a run of nvcc takes a second; one by one where that fails.
  std::size_t count = 0;
  const KnownOption* table = known_options(count);
  for (std::size_t spelling = 0; spelling < 5; ++spelling) {
    List all;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view name = table[i].long_name;
      // Beside others these are refused.
      if (is_tried_elsewhere(name) || name == "--entries" || name == "--dopt" || name == "--sanitize") continue;
      const std::vector<List> options = spellings(table[i]);
      if (spelling < options.size()) all.insert(all.end(), options[spelling].begin(), options[spelling].end());
    }
    CHECK_NOTHROW(compile_with_nvcc(*nvcc, job(all)));
  }
  for (const List& options : {List{"-e", "_Z1kPi"}, List{"-dopt=on"}})
    CHECK_NOTHROW(compile_with_nvcc(*nvcc, job(options)));
  // CUDA 13.5's calls it -fdevice-sanitize.
  if (test::run_program(*nvcc, {"--help"}).output.find("\n--sanitize ") != std::string::npos)
    CHECK_NOTHROW(compile_with_nvcc(*nvcc, job({"--sanitize=memcheck"})));
}

TEST_CASE("options that name files") {
  const test::ScratchFolder scratch;
  scratch.write("first file.h", "#define FIRST 1\n");
  CompilerJob made = job({});
  made.source = "#if FIRST != 1\n#error no\n#endif\n" + made.source;
  const std::string file = (scratch / "first file.h").string();
  for (const List& options : {List{"-include", file}, List{"--pre-include=" + file}, List{"-include=" + file}}) {
    made.arguments = options_for_nvrtc(options);
    CHECK_NOTHROW(compile_with_nvrtc(NvrtcLibrary::get(), made));
  }
}

TEST_CASE("options of nvcc that name files" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const test::ScratchFolder scratch;
  scratch.write("first file.h", "#define FIRST 1\n");
  scratch.write("options", "-DFIRST=1\n");
  CompilerJob made = job({});
  made.source = "#if FIRST != 1\n#error no\n#endif\n" + made.source;
  const std::string file = (scratch / "first file.h").string();
  for (const List& options :
       {List{"-include", file}, List{"--pre-include=" + file}, List{"-optf", (scratch / "options").string()}}) {
    made.arguments = options;
    CHECK_NOTHROW(compile_with_nvcc(*nvcc, made));
  }
  made.arguments.insert(made.arguments.end(), {"-time", (scratch / "time.csv").string(), "-fdevice-time-trace",
                                               (scratch / "trace").string()});
  CHECK_NOTHROW(compile_with_nvcc(*nvcc, made));
  CHECK(std::filesystem::exists(scratch / "time.csv"));
}

TEST_CASE("what is spelled otherwise is translated") {
  CHECK(options_for_nvrtc({"-O3", "-m64", "-Xcompiler", "-Wall", "-lcudadevrt", "-DA", "-g"}) == List{"-DA"});
  CHECK(options_for_nvrtc({"-isystem", "/s", "-I", "/i"}) == List{"-I=/i", "-I/s"});
  CHECK(options_for_nvrtc({"-Xptxas", "-v,-O2"}) == List{"--ptxas-options=-v", "--ptxas-options=-O2"});
  CHECK(options_for_nvrtc({"-lto", "-res-usage", "-std", "c++17"}) ==
        List{"-dlto", "--ptxas-options=-v", "-std=c++17"});
  CHECK(options_for_nvrtc({"-nohdmoveforward"}) == List{"--builtin-move-forward=false"});
  CHECK(options_for_nvcc({"--builtin-move-forward=false", "--builtin-initializer-list=true"}) ==
        List{"-nohdmoveforward"});
  CHECK(options_for_nvcc({"-default-device", "--no-cache", "--minimal", "-modify-stack-limit=false", "-pch"}).empty());
}

TEST_CASE("what looks alike is not taken for another") {
  CHECK(options_for_nvrtc({"-lineinfo", "-maxrregcount=32", "-time=x"}) ==
        List{"-lineinfo", "-maxrregcount=32", "-time=x"});
  for (const char* unknown :
       {"-tused", "-mfoo", "-Onone", "--unknown", "-Gx", "kernel.cu", "", "-lineinfo=yes", "-lineinf", "-lineifno",
        "-lineinfo -G", "-lineinfo\t-G", "-lto=x", "-G -lineinfo", "--m64=1"})
    CHECK(options_for_nvrtc({unknown}) == List{unknown});
  CHECK(options_for_nvcc({" -DA=b c ", "-I /tmp"}) == List{"-DA=b c", "-I=/tmp"});
}

TEST_CASE("the option that needs nvcc is named") {
  CHECK_FALSE(option_for_nvcc_only({"-O3", "-Xcompiler=-Wall,-w", "-D-gencode", "-D", "-gencode"}));
  CHECK(*option_for_nvcc_only({"-DA", "-Xcompiler", "-fopenmp"}) == "-Xcompiler=-fopenmp");
  CHECK(*option_for_nvcc_only({"-Xcompiler=-Wp,-DX"}) == "-Xcompiler=-Wp,-DX");
  CHECK(*option_for_nvcc_only({"-Xcompiler", "-Wall -DX"}) == "-Xcompiler=-Wall -DX");
  CHECK(*option_for_nvcc_only({"--extended-lambda"}) == "--extended-lambda");
}

}  // namespace option_translation_test
