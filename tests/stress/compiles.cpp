// The same with the real compiler: processes that want one source, by the library and by the command line, and headers
// that change in every way between two compiles. KILN_STRESS_SECONDS: go on for as long, with a process that is killed
// at any time.
#include "crew.hpp"
#include "rounds.hpp"
#include "run_program.hpp"
#include "scratch_folder.hpp"

#include "base/file_system.hpp"

#include <kiln/cache.hpp>
#include <kiln/compile.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <functional>
#include <string>

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;

namespace {

constexpr int ranks = 8;

/// A folder of headers, first and second on the search path, and a cache. value.h is in the second.
struct Project {
  ScratchFolder scratch;
  Project() {
    fs::create_directories(scratch / "first");
    write("second/value.h", "#define VALUE 1\n");
  }
  CompileOptions options() const {
    return CompileOptions{}
        .with_arch("sm_80")
        .with_caching({scratch / "cache"})
        .with_include_dirs({scratch / "first", scratch / "second"});
  }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
  void write(const std::string& name, const std::string& text) const { scratch.write(name, text); }
};

const std::string source =
    "#include <value.h>\n#if __has_include(<extra.h>)\n#include <extra.h>\n#endif\n"
    "extern \"C\" __global__ void k(int* a) { a[0] = VALUE; }\n";

struct Answer {
  bool good = false;
  bool from_cache = false;
  bool failed = false;
  char value = '?';
};

/// What a new process gets, as PTX: the value that the kernel stores.
Answer ask(const Project& project) {
  const Shared<Answer> answer;
  Crew crew;
  crew.add([&] {
    try {
      const CodeObject code = compile(source, project.options().with_target(Target::ptx));
      const std::string text(code.bytes());
      const std::string before = "mov.u32 \t";
      for (std::size_t at = text.find("st.global"); at != text.npos; at = text.npos) {
        // "mov.u32 %r1, 1;" or a store of the number itself: the digit before the last semicolon of either.
        const std::size_t mov = text.rfind("mov.", at);
        const std::size_t end = text.find(';', mov);
        answer->value = text[end - 1];
      }
      answer->from_cache = code.from_cache();
    } catch (const std::exception&) {
      answer->failed = true;
    }
    answer->good = true;
    return true;
  });
  CHECK(crew.run() == 1);
  CHECK(answer->good);
  return *answer;
}

void check(const Project& project, char value, bool from_cache) {
  const Answer answer = ask(project);
  CHECK_FALSE(answer.failed);
  CHECK(answer.value == value);
  CHECK(answer.from_cache == from_cache);
}

}  // namespace

TEST_CASE("processes of the library: one compile") {
  const Project project;
  Crew crew;
  for (int i = 0; i < ranks; ++i)
    crew.add([&] { return compile(source, project.options()).bytes().substr(1, 3) == "ELF"; });
  CHECK(crew.run() == ranks);
  const CacheStats stats = project.stats();
  CHECK(stats.compiles == 1);
  CHECK(stats.entries == 1);
  CHECK(stats.misses == 1);
}

TEST_CASE("processes of the command line: one compile") {
  repeat([](int) {
    const ScratchFolder folder;
    const std::string tool = KILN_TOOL;
    const std::string file = folder.write("kernel.cu", "__global__ void k(float* a) { a[0] = 1; }").string();
    const std::string cache = (folder / "cache").string();
    Crew crew;
    for (int i = 0; i < ranks; ++i)
      crew.add([&, i] {
        ::setenv("KILN_CACHE_DIR", cache.c_str(), 1);
        const ProgramResult result =
            run_program(tool, {"compile", file, "--arch", "sm_80", "-o", (folder / std::to_string(i)).string()});
        return result.status == 0;
      });
    CHECK(crew.run() == ranks);
    const CacheStats stats = Cache(cache).stats();
    CHECK(stats.compiles == 1);
    CHECK(stats.entries == 1);
    const std::string code = folder.read("0");
    CHECK(code.substr(1, 3) == "ELF");
    for (int i = 1; i < ranks; ++i) CHECK(folder.read(std::to_string(i)) == code);
  });
}

TEST_CASE("a compiling process that is killed at any time") {
  repeat([](int round) {
    const Project project;
    Crew crew;
    for (int i = 0; i < 3; ++i) {
      const pid_t pid = crew.add([&] { return !compile(source, project.options()).bytes().empty(); });
      if (i > 0) continue;
      crew.open_gate();
      ::usleep(static_cast<useconds_t>(1000 + round * 3571 % 100'000));
      ::kill(pid, SIGKILL);
      crew.wait();
    }
    CHECK(crew.run() == 2);
    CHECK(project.stats().entries == 1);
    CHECK(project.stats().corrupt == 0);
  });
}

TEST_CASE("a header edited within the same second and to the same size") {
  const Project project;
  check(project, '1', false);
  check(project, '1', true);
  for (const char value : {'2', '3', '4'}) {
    project.write("second/value.h", std::string("#define VALUE ") + value + "\n");
    check(project, value, false);
    check(project, value, true);
  }
  // At once, with no time between edit and compile: never the code of before. (It may not be kept.)
  for (const char value : {'5', '6', '7', '8'}) {
    project.scratch.write("second/value.h", std::string("#define VALUE ") + value + "\n");
    CHECK(ask(project).value == value);
  }
}

TEST_CASE("a header edited, its size and modification time put back") {
  const Project project;
  const fs::path header = project.scratch / "second/value.h";
  const auto time = fs::last_write_time(header);
  check(project, '1', false);
  project.scratch.write("second/value.h", "#define VALUE 2\n");
  fs::last_write_time(header, time);
  check(project, '2', false);
}

TEST_CASE("a header touched, copied over itself, and given other permissions") {
  const Project project;
  const fs::path header = project.scratch / "second/value.h";
  check(project, '1', false);
  fs::last_write_time(header, fs::last_write_time(header) + std::chrono::hours(1));
  check(project, '1', true);
  project.write("second/value.h", "#define VALUE 1\n");
  check(project, '1', true);
  fs::permissions(header, static_cast<fs::perms>(0640));
  check(project, '1', true);
  CHECK(project.stats().compiles == 1);
}

TEST_CASE("a header replaced by rename, by another file and by a link") {
  const Project project;
  const fs::path header = project.scratch / "second/value.h";
  check(project, '1', false);
  project.write("other", "#define VALUE 2\n");
  fs::last_write_time(project.scratch / "other", fs::last_write_time(header));
  fs::rename(project.scratch / "other", header);
  check(project, '2', false);
  project.write("linked", "#define VALUE 3\n");
  fs::remove(header);
  fs::create_symlink(project.scratch / "linked", header);
  check(project, '3', false);
  check(project, '3', true);
  project.write("linked", "#define VALUE 4\n");  // what the link leads to
  check(project, '4', false);
}

TEST_CASE("a header newly shadowed, and one that __has_include looked for") {
  const Project project;
  check(project, '1', false);
  project.write("first/value.h", "#define VALUE 2\n");
  check(project, '2', false);
  project.write("second/extra.h", "#undef VALUE\n#define VALUE 3\n");
  check(project, '3', false);
  fs::remove(project.scratch / "first/value.h");
  fs::remove(project.scratch / "second/extra.h");
  check(project, '1', true);
}

TEST_CASE("a header removed, and come back") {
  const Project project;
  check(project, '1', false);
  fs::rename(project.scratch / "second/value.h", project.scratch / "away");
  CHECK(ask(project).failed);
  fs::rename(project.scratch / "away", project.scratch / "second/value.h");
  check(project, '1', true);
  // Removed where it shadowed another.
  project.write("first/value.h", "#define VALUE 2\n");
  check(project, '2', false);
  fs::remove(project.scratch / "first/value.h");
  check(project, '1', true);
}

TEST_CASE("a folder by a header's name") {
  const Project project;
  check(project, '1', false);
  fs::create_directory(project.scratch / "first/value.h");  // before it on the search path
  const Answer shadowed = ask(project);
  CHECK((shadowed.failed || shadowed.value == '1'));  // as the compiler sees it
  CHECK(ask(project).failed == shadowed.failed);
  fs::remove(project.scratch / "first/value.h");
  check(project, '1', true);
  fs::rename(project.scratch / "second/value.h", project.scratch / "away");
  fs::create_directory(project.scratch / "second/value.h");  // in its place
  CHECK(ask(project).failed);
}
