// Line information names a copy of a source that is in no file, and changes nothing else, with both compilers.
#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include "base/escaped_text.hpp"
#include "compile/compiler/compile_message.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/options/option_list.hpp"
#include "compile/request/request.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "loop_step.hpp"
#include "pch_bench.hpp"
#include "real_nvcc.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace line_information_test {

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

std::vector<Backend> backends_here() {
  if (real_nvcc()) return {Backend::nvrtc, Backend::nvcc};
  return {Backend::nvrtc};
}

/// A header of one name in each folder that may be searched, and headers that only one of them has.
struct Folders : Bench {
  EnvironmentGuard environment;

  Folders() {
    for (const char* folder : {"work", "work/sub", "named", "listed"}) {
      const std::string name = fs::path(folder).filename().string();
      header(std::string(folder) + "/which.h", "#define WHICH " + name + "\n");
      header(std::string(folder) + "/only_" + name + ".h", "");
    }
  }
  CompileOptions options(Backend backend) const {
    return Bench::options().with_backend(backend).with_target(Target::ptx).with_include_dirs({scratch / "listed"});
  }
  std::vector<std::string> names() const {
    return {"",
            "no_file.cu",
            "sub/no_file.cu",
            "no_folder/no_file.cu",
            "../named/no_file.cu",
            (scratch / "named/no_file.cu").string(),
            (scratch / "no_folder/no_file.cu").string()};
  }
};

/// Shows in the PTX which header it found, and for which ones __has_include is true.
std::string asking_source() {
  std::string source = "// asks\n#include \"which.h\"\n";
  for (const char* name : {"work", "sub", "named", "listed"}) {
    source += "#if __has_include(\"only_" + std::string(name) + ".h\")\n#define HAS_" + name + " has_" + name + "\n";
    source += "#else\n#define HAS_" + std::string(name) + " lacks_" + name + "\n#endif\n";
  }
  return source +
         "#define TEXT2(...) #__VA_ARGS__\n#define TEXT(...) TEXT2(__VA_ARGS__)\n"
         "template <class T> __global__ void instance(T* o) { *o = 1; }\n"
         "__global__ void k(int* o) {\n"
         "  asm volatile(\"// found \" TEXT(WHICH HAS_work HAS_sub HAS_named HAS_listed));\n  *o = __LINE__;\n}\n";
}

std::string found_in(const CodeObject& code) {
  const std::string text(code.bytes());
  const std::size_t at = text.find("// found ");
  return at == std::string::npos ? "nothing" : text.substr(at + 9, text.find('\n', at) - at - 9);
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The file that the code's line table names, below the folder; empty where it names none there.
fs::path named_below(const CodeObject& code, const fs::path& folder) {
  const std::string text(code.bytes());
  const std::size_t at = text.find("\"" + ptx_escaped(folder.string()) + "/");
  return at == std::string::npos ? std::string() : unescaped(text.substr(at + 1, text.find('"', at + 1) - at - 1));
}

}  // namespace

TEST_CASE("line information does not change which headers are found, whatever the source's name is") {
  const Folders bench;
  const WorkingFolder work(bench.scratch / "work");
  const std::string source = asking_source();
  Turns turns(2);
  for (const Backend backend : backends_here()) {
    std::vector<std::string> answers;
    for (const std::string& name : bench.names()) {
      CAPTURE(static_cast<int>(backend));
      CAPTURE(name);
      const CompileOptions options = bench.options(backend).with_name(name);
      const std::string plain = found_in(compile(source, options.with_cache(false)));
      answers.push_back(plain);
      const CompileOptions lines = options.with_options({"-lineinfo"});
      if (turns.next()) CHECK(found_in(compile(source, lines.with_cache(false))) == plain);
      for (const CompileOptions& kept : {lines, lines.with_name_expressions({"instance<int>"})}) {
        if (!turns.next()) continue;
        const CodeObject code = compile(source, kept);
        CHECK(found_in(code) == plain);
        CHECK(text_of(named_below(code, bench.scratch / "cache")) == source);
      }
    }
    CHECK(answers ==
          std::vector<std::string>{
              "work has_work lacks_sub lacks_named has_listed", "work has_work lacks_sub lacks_named has_listed",
              "sub lacks_work has_sub lacks_named has_listed", "listed lacks_work lacks_sub lacks_named has_listed",
              "named lacks_work lacks_sub has_named has_listed", "named lacks_work lacks_sub has_named has_listed",
              "listed lacks_work lacks_sub lacks_named has_listed"});
  }
}

TEST_CASE("nor does any spelling, of an option or of the environment") {
  Folders bench;
  const WorkingFolder work(bench.scratch / "work");
  const std::string source = asking_source();
  const std::string expected = "named lacks_work lacks_sub has_named has_listed";
  const std::string name = (bench.scratch / "named/no_file.cu").string();
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const CompileOptions options = bench.options(backend).with_name(name);
    std::vector<std::vector<std::string>> spellings = {{"--generate-line-info"}, {"-G"}, {"--device-debug"}};
    if (backend == Backend::nvcc) spellings.insert(spellings.end(), {{"-g", "-G"}, {"-Xcompiler", "-g", "-lineinfo"}});
    for (const auto& words : spellings) {
      CAPTURE(words.front());
      const CodeObject code = compile(source, options.with_options(words));
      CHECK(found_in(code) == expected);
      CHECK(text_of(named_below(code, bench.scratch / "cache")) == source);
    }
    for (const char* variable : {"KILN_DEFAULT_OPTIONS", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"}) {
      if (backend == Backend::nvrtc && std::string(variable).starts_with("NVCC")) continue;
      CAPTURE(variable);
      bench.environment.set(variable, "-lineinfo");
      const CodeObject code = compile(source, options);
      CHECK(found_in(code) == expected);
      CHECK(text_of(named_below(code, bench.scratch / "cache")) == source);
      bench.environment.unset(variable);
    }
  }
}

TEST_CASE("what changes a source's text keeps the copy's lines: late macros, extern \"C\", a batch") {
  const Folders bench;
  const WorkingFolder work(bench.scratch / "work");
  const std::string source = asking_source() + "static_assert(__LINE__ == 30);\n";
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const CompileOptions lines = bench.options(backend).with_options({"-lineinfo"}).with_name("sub/no_file.cu");
    const std::string open =
        "#ifdef __CUDACC_RTC__\n#endif\n#include \"which.h\"\nstatic_assert(__LINE__ == 4);\n"
        "__global__ void k() { asm volatile(\"// found open\"); }\n";
    const std::vector<CompileRequest> requests = {
        {source, lines}, {source, lines.with_late_defines({{"UNREAD", 1}})}, {open, lines.with_no_extern_c(false)}};
    const std::vector<CompileResult> results = compile_all(requests);
    for (const CompileResult& result : results) {
      const bool is_open = &result == &results.back();
      const CodeObject code = result.get();
      CHECK(found_in(code) == (is_open ? "open" : "sub lacks_work has_sub lacks_named has_listed"));
      CHECK(text_of(named_below(code, bench.scratch / "cache")) == (is_open ? open : source));
    }
  }
}

TEST_CASE("diagnostics have the source's name, and show its line") {
  const Folders bench;
  const WorkingFolder work(bench.scratch / "work");
  for (const Backend backend : backends_here())
    for (const std::string name : {"", "sub/no_file.cu"}) {
      CAPTURE(static_cast<int>(backend));
      const CompileOptions lines = bench.options(backend).with_options({"-lineinfo"}).with_name(name);
      const std::string shown = name.empty() ? "kernel.cu" : name;
      std::string text;
      try {
        compile("#include \"which.h\"\n__global__ void k() {\n  nowhere();\n}\n", lines);
      } catch (const CompileError& error) {
        text = error.what();
      }
      CHECK_MESSAGE(text.find(shown + "(3): ") != std::string::npos, text);
      CHECK_MESSAGE(text.find(">     3 |   nowhere();") != std::string::npos, text);
      CHECK_MESSAGE(text.find((bench.scratch / "cache").string()) == std::string::npos, text);
      const CodeObject code = compile("__global__ void k() { int unused; }\n", lines);
      CHECK_MESSAGE(code.log().find(shown + "(1): warning") != std::string::npos, code.log());
      CHECK(code.log().find((bench.scratch / "cache").string()) == std::string::npos);
    }
}

TEST_CASE("code that names the copy is found again, until the plain compile's headers change") {
  const Folders bench;
  const WorkingFolder work(bench.scratch / "work");
  const std::string source = asking_source();
  for (const Backend backend : backends_here()) {
    CAPTURE(static_cast<int>(backend));
    const CompileOptions lines = bench.options(backend)
                                     .with_options({"-lineinfo"})
                                     .with_target(Target::cubin)
                                     .with_name("no_folder/k" + std::to_string(static_cast<int>(backend)) + ".cu");
    const auto is_found = [&] { return in_new_process([&] { return compile(source, lines).from_cache(); }); };
    CHECK_FALSE(is_found());
    CHECK(is_found());
    for (const auto& entry : fs::recursive_directory_iterator(bench.scratch / "cache"))
      if (entry.path().extension() == ".cu") fs::last_write_time(entry.path(), fs::file_time_type::clock::now());
    CHECK(is_found());
    bench.header("work/no_folder/which.h", "#define WHICH appeared\n");
    CHECK_FALSE(is_found());
    CHECK(is_found());
    fs::remove_all(bench.scratch / "work/no_folder");
  }
}

TEST_CASE("nor does code depend on the copy that a compiler reads" * needs_nvcc()) {
  const Folders bench;
  const CompileOptions options = bench.options(Backend::nvcc).with_options({"-lineinfo", "-src-in-ptx"});
  const auto is_found = [&] {
    return in_new_process([&] { return compile("__global__ void k(int* o) { *o = 7; }\n", options).from_cache(); });
  };
  CHECK_FALSE(is_found());
  CHECK(is_found());
  CHECK(bench.stats().refused == 0);
}

TEST_CASE("headers are precompiled for such a source, too") {
  if (NvrtcLibrary::get().version_number() < std::pair(12, 8)) {
    MESSAGE("not tried: precompiled headers came with NVRTC 12.8");
    return;
  }
  const PchBench bench;
  for (const char* option : {"-lineinfo", "-G"}) {
    const CompileOptions options = bench.options().with_options({option}).with_target(Target::ptx);
    const std::uint64_t before = bench.used();
    for (const int number : {1, 2, 3}) {
      std::string code(compile(pch_kernel(number), options).bytes());
      const std::size_t copy = code.find(ptx_escaped((bench.scratch / "cache").string()));
      REQUIRE(copy != std::string::npos);
      code =
          with_name(code, code.substr(copy, code.find('"', copy) - copy), (fs::current_path() / "kernel.cu").string());
      CHECK(code == compile(pch_kernel(number), options.with_cache(false)).bytes());
    }
    CHECK(bench.used() > before);
  }
}

TEST_CASE("a copy is kept where the code names it: not for host debug information, nor where the code has the text") {
  const Bench bench;
  CacheFolder cache(FileSystem::real(), (bench.scratch / "cache").string());
  const auto copy = [&](const std::vector<std::string>& words, const CompileContext& context, Target target) {
    return make_request("int x;", CompileOptions{}.with_arch("sm_80").with_options(words).with_target(target), context,
                        compiler_elsewhere("a compiler"), &cache)
        .job.line_file;
  };
  CompileContext emulator;
  emulator.loads_cubin = false;
  CHECK(copy({"-G"}, {}, Target::cubin) != "");
  CHECK(copy({"-lineinfo"}, {}, Target::ltoir) != "");
  CHECK(copy({}, {}, Target::cubin) == "");
  CHECK(copy({"-Xcompiler", "-g"}, {}, Target::cubin) == "");
  CHECK(copy({"-lineinfo"}, emulator, Target::cubin) == "");
  CHECK(copy({}, emulator, Target::cubin) == "");
}

}  // namespace line_information_test
