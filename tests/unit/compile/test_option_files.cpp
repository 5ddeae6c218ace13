// Options that are dropped for a compiler, and files that options name: nothing of either goes unnoticed.
#include "compile/options/option_files.hpp"

#include "cache/key.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/options/known_options.hpp"
#include "compile/options/option_list.hpp"
#include "compile/request/request.hpp"
#include "link_bench.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace option_files_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using List = std::vector<std::string>;

constexpr const char* kernel = "extern \"C\" __global__ void k(float* p) { p[0] = p[1]; }";

/// The key of a request with these options, to a compiler that need not be here.
std::string key_of(const List& options) {
  return make_request(kernel, CompileOptions{}.with_arch("sm_80").with_options(options), {},
                      compiler_elsewhere("nvcc:x"))
      .key.request;
}

}  // namespace

TEST_CASE("an option with a value that it cannot have is passed on, for the compiler to refuse") {
  for (const char* option :
       {"-O9x", "--optimize=fast", "-O=", "-t4x", "-m32", "-x=c", "--cudart=some", "--default-stream=other",
        "--compress-mode=tight", "--static-global-template-stub=maybe"}) {
    CAPTURE(option);
    CHECK(options_for_nvrtc({option}) == List{option});
  }
  CHECK(options_for_nvrtc({"-O", "-DX"}) == List{"-O=-DX"});
  CHECK(options_for_nvrtc({"-l", "-DX"}) == List{"-l=-DX"});
  CHECK(options_for_nvrtc({"-Xptxas=,"}) == List{"-Xptxas=,"});
  CHECK(options_for_nvrtc({"-Xcompiler", "-wrapper"}) == List{"-Xcompiler=-wrapper"});
  CHECK(options_for_nvcc({"--builtin-move-forward=maybe"}) == List{"--builtin-move-forward=maybe"});
  CHECK(options_for_nvcc({"--pch-verbose", "-G"}) == List{"--pch-verbose=-G"});
  CHECK(options_for_nvcc({"-modify-stack-limit=2"}) == List{"-modify-stack-limit=2"});
  // What is right is dropped as before.
  CHECK(options_for_nvrtc({"-O3", "-O", "2", "-t0", "-m64", "-x", "cu", "--cudart=static", "-Xlinker", "-rpath"})
            .empty());
}

TEST_CASE("a wrong option is an error of the compile, not a kernel without it") {
  const Bench bench;
  for (const List& options : {List{"-O9x"}, List{"-O", "-DX"}, List{"--no-cachex"}}) {
    CAPTURE(options.front());
    CHECK_THROWS_WITH_AS(compile(kernel, bench.options().with_options(options)),
                         doctest::Contains(options.front().c_str()), CompileError);
  }
  for (const List& options : {List{"-arch"}, List{"-DA", "-I"}, List{"-std="}, List{"-Xptxas"}})
    CHECK_THROWS_WITH_AS(compile(kernel, bench.options().with_options(options)), doctest::Contains("lacks its value"),
                         ArgumentError);
}

TEST_CASE("the content of a file that an option names is in the key, in every spelling") {
  const ScratchFolder scratch;
  const std::string file = (scratch / "file").string();
  const List spellings[] = {{"-Xptxas=--options-file=" + file},
                            {"--ptxas-options=-optf=" + file},
                            {"-Xptxas", "-v,--options-file=" + file},
                            {"-Xptxas=-optf," + file},
                            {"-Xptxas", "--options-file", "-Xptxas", file},
                            {"-Xptxas=--apply-controls=" + file},
                            {"--apply-controls", file},
                            {"--apply-controls=" + file},
                            {"-Xnvlink=-optf=" + file},
                            {"-Xfatbin=--options-file=" + file},
                            {"--option-of-tomorrow=" + file},
                            {"--option-of-tomorrow", file}};
  for (const List& options : spellings) {
    CAPTURE(options.front());
    scratch.write("file", "-v\n");
    const std::string first = key_of(options);
    CHECK(key_of(options) == first);
    scratch.write("file", "-O1\n");
    CHECK(key_of(options) != first);
  }
}

TEST_CASE("a file is found among words with blanks between, which nvcc passes on as words") {
  for (const char* value : {"-v --options-file=/p/f", "-v\t-optf '/p/f'", "--options-file=\\/p/f,-v"}) {
    const OptionList list = read_options({"-Xptxas", value}, "/");
    CHECK_MESSAGE(std::count(list.may_be_files.begin(), list.may_be_files.end(), "/p/f") > 0, value);
  }
}

TEST_CASE("a file that a file of options names counts, and one that names itself is read once") {
  const ScratchFolder scratch;
  const std::string outer =
      scratch.write("outer", "-v --options-file=\"" + (scratch / "inner").string() + '"').string();
  const std::string inner = scratch.write("inner", "-optf outer -O1").string();
  const auto found = find_option_files({outer}, scratch.path().string());
  REQUIRE(found.size() == 2);
  CHECK(found[0].path.path == outer);
  CHECK(found[1].path.path == inner);
  CHECK_FALSE(have_changed(found));
  scratch.write("inner", "-O2");
  CHECK(have_changed(found));
  CHECK(find_option_files({"outer", "absent", ""}, scratch.path().string()).size() == 2);
}

TEST_CASE("a changed file of options is noticed by memory, by disk, and by a link") {
  const LinkBench bench;
  const std::string file = bench.header("options", "-O1\n").string();
  const CompileOptions options = bench.options().with_options({"-Xptxas=--options-file=" + file});
  const auto link = [&] {
    return bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::ptxas_options, {"--options-file=" + file}))
        .link()
        .from_cache();
  };
  CHECK_FALSE(compile(kernel, options).from_cache());
  CHECK(compile(kernel, options).from_cache());
  CHECK(in_new_process([&] { return compile(kernel, options).from_cache(); }));
  CHECK_FALSE(link());
  CHECK(link());
  bench.header("options", "-O2\n");
  CHECK_FALSE(compile(kernel, options).from_cache());
  CHECK(compile(kernel, options).from_cache());
  CHECK_FALSE(link());
  bench.header("options", "-O1\n");
  CHECK(in_new_process([&] { return compile(kernel, options).from_cache(); }));
  CHECK(link());
}

TEST_CASE("a link whose options fail in a file of options names file and line, as a compile does") {
  const LinkBench bench;
  const std::string file = bench.header("options", "-v\n--nope\n").string();
  const auto link = [&](const std::string& option) {
    return bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::ptxas_options, {option})).link();
  };
  const auto compiled = [&](const std::string& option) {
    return compile(kernel, bench.options().with_options({"-Xptxas=" + option}));
  };
  for (const auto& [option, said] :
       {std::pair("--options-file=" + file, file + "(line 2) has: --nope"),
        std::pair(std::string("--options-file=/nope/f"),
                  std::string("The file of options /nope/f, of the option -Xptxas=")),
        std::pair("@" + file, "for an input: name a file of options by --options-file=" + file)}) {
    CHECK_THROWS_WITH_AS(link(option), doctest::Contains(said.c_str()), LinkError);
    if (said.find("-Xptxas=") == std::string::npos)  // NVRTC is given --ptxas-options=
      CHECK_THROWS_WITH_AS(compiled(option), doctest::Contains(said.c_str()), CompileError);
  }
}

TEST_CASE("what makes ptxas write a file is not kept, of a compile and of a link") {
  const LinkBench bench;
  const std::string option = "-o=" + bench.header("output", "").string();
  const auto is_kept = [](const auto& make) { return (make(), make().from_cache()); };
  for (const bool is_of_link : {false, true})
    CHECK_FALSE(is_kept([&] {
      return is_of_link
                 ? bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::ptxas_options, {option})).link()
                 : compile(kernel, bench.options().with_options({"-Xptxas=" + option}));
    }));
}

TEST_CASE("options of the host compiler that read files are not kept") {
  for (const char* option :
       {"-include,x.h", "-I/p", "-specs=s", "--specs=s", "-fprofile-use=p", "@file", "-wrapper,w", "-fplugin=p", "-B/p",
        "-Wp,-include,x.h", "-O2,@file", "-Wall -I/p", "-Wall\t\"-I/p\"", "-O2 '@file'", "\\-I/p"})
    CHECK_MESSAGE(!read_options({"-Xcompiler", option}, "/").hides_headers.empty(), option);
  for (const char* option : {"-fPIC", "-O2,-Wall", "-march=native", "-fopenmp", "-fno-Bad", "-DX=@", "-O2 -Wall"})
    CHECK_MESSAGE(read_options({"-Xcompiler", option}, "/").hides_headers.empty(), option);
  for (const List& options : {List{"-optf", "f"}, List{"--options-file=f"}, List{"-ldir", "/p"}, List{"-noprof"},
                              List{"--target-directory=x"}})
    CHECK_MESSAGE(!read_options(options, "/").hides_headers.empty(), options.front());
}

namespace {

struct HelpEntry {
  std::string name;   // "--apply-controls"
  std::string other;  // "-apply-controls"
  bool has_value = false;
  std::string text;
};

/// What a tool of NVIDIA's says of its options: each begins a line, with a short name in parentheses.
std::vector<HelpEntry> entries_of(const std::string& help) {
  static const std::regex head("^(--[A-Za-z][-_A-Za-z0-9]*)( .*)?$");
  static const std::regex short_name("\\((-[-_A-Za-z0-9]+)\\)\\s*$");
  std::vector<HelpEntry> entries;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, head)) {
      HelpEntry entry;
      entry.name = match[1];
      const std::string rest = match[2];
      entry.has_value = rest.find_first_of("<[{") != std::string::npos || rest.find("entry,...") != std::string::npos;
      if (std::regex_search(rest, match, short_name)) entry.other = match[1];
      entry.text = rest;
      entries.push_back(entry);
    } else if (!entries.empty()) {
      entries.back().text += " " + line;
    }
  }
  return entries;
}

bool speaks_of_files(const HelpEntry& entry) {
  static const std::regex words("\\b(files?|director(y|ies)|paths?|folders?)\\b", std::regex::icase);
  return std::regex_search(entry.text, words);
}

/// Options whose help speaks of files though they read none beyond the source and its headers, by reason.
const List flags_about_output = {"--cuda",
                                 "--cubin",
                                 "--fatbin",
                                 "--ptx",
                                 "--ltoir",
                                 "--tilecubin",
                                 "--tilefatbin",
                                 "--tilebc",
                                 "--preprocess",
                                 "--compile",
                                 "--device-c",
                                 "--device-w",
                                 "--device-link",
                                 "--lib",
                                 "--run",
                                 "--output-file",
                                 "--output-directory",
                                 "--emit-ptx",
                                 "--generate-dependencies",
                                 "--generate-nonsystem-dependencies",
                                 "--generate-dependencies-with-compile",
                                 "--generate-nonsystem-dependencies-with-compile",
                                 "--dependency-output",
                                 "--dependency-target-name",
                                 "--objdir-as-tempdir",
                                 "--clean-targets",
                                 "--keep",
                                 "--keep-dir",
                                 "--time",
                                 "--fdevice-time-trace",
                                 "--suppress-debug-info",
                                 "--register-link-binaries",
                                 "--save-temps"};
const List says_what_the_source_is = {"--tile-only",        "--simt-only",    "--x",
                                      "--gpu-architecture", "--frandom-seed", "--dlink-time-opt",
                                      "--input-as-string",  "--source-in-ptx"};
const List is_for_linking_hosts = {"--library", "--library-path", "--no-device-link", "--host-linker-script",
                                   "--archiver-binary"};
const List is_for_windows = {"--use-local-env", "--force-cl-env-setup", "--input-drive-prefix",
                             "--dependency-drive-prefix", "--drive-prefix"};
const List is_in_the_compilers_identity = {"--compiler-bindir"};

bool reads_none(const std::string& name) {
  for (const List* names : {&flags_about_output, &says_what_the_source_is, &is_for_linking_hosts, &is_for_windows,
                            &is_in_the_compilers_identity})
    if (std::find(names->begin(), names->end(), name) != names->end()) return true;
  return false;
}

/// Whether a request with these options takes the file's content into account, or is not kept.
bool is_noticed(const List& options, const std::string& file) {
  const OptionList list = read_options(options, "/");
  const auto& possible = list.may_be_files;
  return std::find(possible.begin(), possible.end(), file) != possible.end() || !list.hides_headers.empty() ||
         !list.side_effect.empty() || !list.asks_for.empty() || !list.forced.empty() || !list.include_dirs.empty() ||
         !list.system_dirs.empty();
}

void check_help(const std::string& tool, const std::string& passed_by, const std::string& help) {
  const std::vector<HelpEntry> entries = entries_of(help);
  REQUIRE_MESSAGE(entries.size() > 10, tool << " --help is of another form: " << help.substr(0, 200));
  const std::string file = "/folder/file";
  for (const HelpEntry& entry : entries) {
    if (!speaks_of_files(entry) || reads_none(entry.name)) continue;
    for (const std::string& name : {entry.name, entry.other}) {
      if (name.empty()) continue;
      CAPTURE(tool);
      CAPTURE(name);
      const auto passed = [&](const std::string& word) {
        return passed_by.empty() ? List{word} : List{passed_by, word};
      };
      CHECK(is_noticed(passed(name + "=" + file), file));
      List apart = passed(name);
      for (const std::string& word : passed(file)) apart.push_back(word);
      CHECK(is_noticed(apart, file));
    }
  }
}

}  // namespace

TEST_CASE("every option of the toolkit's tools that takes a file is known") {
  const auto nvcc = real_nvcc();
  const std::string folder = nvcc ? nvcc->substr(0, nvcc->rfind('/')) : "";
  const std::pair<const char*, const char*> tools[] = {{"nvcc", ""}, {"ptxas", "-Xptxas"}, {"nvlink", "-Xnvlink"}};
  for (const auto& [tool, passed_by] : tools) {
    const std::string program = folder + "/" + tool;
    if (!std::filesystem::exists(program)) {
      MESSAGE("skipped: no " << tool << " beside nvcc");
      continue;
    }
    const ProgramResult result = run_program(program, {"--help"});
    REQUIRE(result.status == 0);
    check_help(tool, passed_by, result.output);
  }
}

TEST_CASE("the check of a tool's help finds an option that is not known") {
  const auto entries = entries_of("--plain (-p)\n   Does it.\n--read-from <file> (-rf)\n   Reads options from file.\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[1].other == "-rf");
  CHECK(speaks_of_files(entries[1]));
  CHECK_FALSE(speaks_of_files(entries[0]));
  CHECK_FALSE(is_noticed({"-O3"}, "/folder/file"));
}

}  // namespace option_files_test
