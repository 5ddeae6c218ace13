// From records, as compilers give them, to dependencies, and what these notice afterwards.
#include "worker/dependencies/read_dependencies.hpp"

#include "base/path_text.hpp"
#include "cache/dependency_codec.hpp"

#include "check_now.hpp"
#include "environment_guard.hpp"
#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace read_dependencies_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Answer = FileQuestion::Answer;
using Kind = ObstacleDependency::Kind;

/// When something was first seen: long ago, or so recently that no tick has passed since.
constexpr std::int64_t long_ago = 0;
constexpr std::int64_t just_now = std::numeric_limits<std::int64_t>::max() / 2;

/// A machine with two folders of the user's and one of the toolkit's.
struct Machine {
  ScratchFolder scratch;
  FaultFileSystem files;
  HeaderSearchPaths search;
  FileRecord record;
  std::string what;

  Machine() {
    for (const char* folder : {"one", "two", "toolkit", "work"}) std::filesystem::create_directories(scratch / folder);
    search.dirs = {path("one"), path("two"), path("toolkit")};
    search.toolkit = {path("toolkit")};
    search.roots = {{path("one"), path("two"), path("toolkit")}};
    search.own_roots = 2;
    search.working_folder = search.source_dir = path("work");
    search.source_name = "kernel.cu";
  }
  std::string path(const std::string& name) const { return (scratch / name).string(); }

  Machine& asked(const std::string& name, Answer answer, bool opened = false) {
    record.questions.push_back({name.substr(0, 1) == "/" ? name : path(name), answer, opened, true});
    return *this;
  }
  Machine& read(const std::string& name) { return asked(name, Answer::file, true); }
  Machine& missed(const std::string& name) { return asked(name, Answer::absent); }

  /// The files asked for, and their folders, as a recorder sees them now.
  Machine& met(std::int64_t time_ns = long_ago) {
    record = as_met(record, time_ns);
    return *this;
  }
  FileRecord as_met(FileRecord asked, std::int64_t time_ns) const {
    FileSystem& real = FileSystem::real();
    FileStatus status;
    for (FileQuestion& question : asked.questions) {
      if (question.answer == Answer::file && !question.seen && real.status(question.path, status) == 0) {
        question.seen = SeenState{status.state(), time_ns};
        if (question.opened && status.is_regular() && !question.content)
          question.content = digest_of(scratch.read(question.path));
      }
      for (std::string folder = folder_of(question.path); folder.size() > 1; folder = folder_of(folder))
        if (real.status(folder, status) == 0) asked.seen.try_emplace(folder, SeenState{status.state(), time_ns});
    }
    return asked;
  }

  /// Adds what was not seen before.
  DependencyReport find(std::string_view source = "", bool strict = false) {
    files.set_clock(FileSystem::real().now_ns());
    return find_dependencies(files, search, source, as_met(record, long_ago), strict);
  }
  Dependencies dependencies(std::string_view source = "") {
    DependencyReport report = find(source);
    CHECK(report.refusal.text == "");
    files.reset_counts();
    return report.dependencies;
  }
  Freshness check(Dependencies dependencies) {
    what.clear();
    return kiln::test::check_now(files, search.roots, dependencies, &what);
  }
};

std::vector<std::string> names_of(const FolderDependency& folder) {
  std::vector<std::string> names;
  for (const auto& header : folder.headers) names.push_back(header.name);
  return names;
}

}  // namespace

TEST_CASE("an own header is a file, one of the toolkit's is its folder") {
  Machine machine;
  machine.scratch.write("two/own.h", "int x;");
  machine.scratch.write("toolkit/sub/lib.h", "int y;");
  machine.missed("one/own.h").asked("two/own.h", Answer::file).read("two/own.h");
  machine.missed("one/sub/lib.h").missed("two/sub/lib.h").read("toolkit/sub/lib.h").missed("toolkit/sub/none.h");
  machine.missed("toolkit/none/a.h").missed("toolkit/none/b.h");
  const DependencyReport report = machine.find();
  CHECK(report.refusal.empty());
  CHECK(report.spelled_roots == std::set<int>{1});
  const Dependencies& found = report.dependencies;
  REQUIRE(found.files.size() == 1);
  CHECK(found.files[0].path == RootedPath{1, "own.h"});
  CHECK(found.files[0].digest == digest_of("int x;"));
  REQUIRE(found.folders.size() == 3);
  CHECK(found.folders[0].path == RootedPath{0, ""});
  CHECK(names_of(found.folders[0]) == std::vector<std::string>{"own.h", "sub"});
  CHECK(found.folders[1].path == RootedPath{2, ""});
  CHECK(names_of(found.folders[1]) == std::vector<std::string>{"none"});
  CHECK(found.folders[2].path == RootedPath{2, "sub"});
  REQUIRE(names_of(found.folders[2]) == std::vector<std::string>{"lib.h", "none.h"});
  CHECK(found.folders[2].headers[0].digest == digest_of("int y;"));
  CHECK(found.folders[2].headers[1].digest == Digest{});
  CHECK(found.absent == std::vector<RootedPath>{{1, "sub"}});
  CHECK(found.obstacles.empty());
  CHECK(found.absolute_paths.empty());
  Dependencies strict = machine.find("", true).dependencies;
  CHECK(strict.files.size() == 2);
  CHECK(strict.folders.size() == 1);
  CHECK(strict.absent == std::vector<RootedPath>{{2, "none"}, {2, "sub/none.h"}, {1, "sub"}});
}

TEST_CASE("what is missing: a name, several names of a folder, a folder, a root") {
  Machine machine;
  machine.search.roots.paths.insert(machine.search.roots.paths.begin() + 2, machine.path("none/deep"));
  machine.search.own_roots = 3;
  SUBCASE("one name, or one folder for all in it") {
    machine.missed("one/a.h").missed("two/lib/a.h").missed("two/lib/b.h").missed("two/lib");
    const Dependencies found = machine.dependencies();
    CHECK(found.absent == std::vector<RootedPath>{{0, "a.h"}, {1, "lib"}});
    CHECK(found.folders.empty());
  }
  SUBCASE("several names of one folder cost one look") {
    machine.missed("one/a.h").missed("one/b.h").missed("one/lib/c.h").missed("one/lib/d.h");
    const Dependencies found = machine.dependencies();
    CHECK(found.absent.empty());
    REQUIRE(found.folders.size() == 1);
    CHECK(names_of(found.folders[0]) == std::vector<std::string>{"a.h", "b.h", "lib"});
    CHECK(machine.check(found) == Freshness::unchanged);
    CHECK(machine.files.total() == 1);
    machine.scratch.write("one/lib/e.h", "");  // the compiler would now look for c.h in it
    CHECK(machine.check(found) == Freshness::changed);
    CHECK(machine.what == machine.path("one/lib"));
  }
  SUBCASE("a root, however much above it is missing") {
    machine.missed("none/deep").missed("none/deep/a.h").missed("none/deep/b.h").missed("none/other");
    CHECK(machine.dependencies().absent == std::vector<RootedPath>{{-1, machine.path("none")}, {2, ""}});
  }
  SUBCASE("below what is a file") {
    machine.scratch.write("one/a.h", "");
    machine.read("one/a.h").missed("one/a.h/b.h").missed("one/a.h/c.h");
    CHECK(machine.dependencies().absent == std::vector<RootedPath>{{0, "a.h/b.h"}, {0, "a.h/c.h"}});
  }
}

TEST_CASE("__has_include_next, an alias of __has_include, a folder behind the one that has the header: holes 1 and 2") {
  Machine machine;
  machine.scratch.write("one/w.h", "");
  machine.read("one/w.h").missed("two/w.h");
  const Dependencies found = machine.dependencies();
  CHECK(machine.check(found) == Freshness::unchanged);
  machine.scratch.write("two/w.h", "");
  CHECK(machine.check(found) == Freshness::changed);
  CHECK(machine.what == machine.path("two/w.h"));
}

TEST_CASE("a copy that was taken for the same file under #pragma once: hole 3") {
  Machine machine;
  machine.scratch.write("one/a.h", "#pragma once\n");
  std::filesystem::copy(machine.scratch / "one/a.h", machine.scratch / "one/b.h");
  std::filesystem::last_write_time(machine.scratch / "one/b.h",
                                   std::filesystem::last_write_time(machine.scratch / "one/a.h"));
  machine.read("one/a.h").read("one/b.h");
  const Dependencies found = machine.dependencies();
  CHECK(machine.check(found) == Freshness::unchanged);
  SUBCASE("edited") { machine.scratch.write("one/b.h", "#pragma onc\n "); }
  SUBCASE("of another time: no longer the same") {
    std::filesystem::last_write_time(machine.scratch / "one/b.h",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
  CHECK(machine.check(found) == Freshness::changed);
  CHECK(machine.what == machine.path("one/b.h"));
}

TEST_CASE("a folder, a pipe or an unreadable file in the place of a header: hole 4") {
  Machine machine;
  machine.scratch.write("two/a.h", "");
  const std::string place = machine.path("one/a.h");
  SUBCASE("a folder") {
    std::filesystem::create_directory(place);
    machine.asked("one/a.h", Answer::folder).read("two/a.h");
    const Dependencies found = machine.dependencies();
    CHECK(found.obstacles == std::vector<ObstacleDependency>{{{0, "a.h"}, Kind::folder}});
    machine.scratch.write("one/a.h/more", "");
    CHECK(machine.check(found) == Freshness::unchanged);
    std::filesystem::remove_all(place);
    machine.scratch.write("one/a.h", "");
    CHECK(machine.check(found) == Freshness::changed);
    CHECK(machine.what == place);
  }
  SUBCASE("a pipe") {
    REQUIRE(::mkfifo(place.c_str(), 0600) == 0);
    machine.asked("one/a.h", Answer::other).read("two/a.h");
    const Dependencies found = machine.dependencies();
    CHECK(found.obstacles == std::vector<ObstacleDependency>{{{0, "a.h"}, Kind::other}});
    std::filesystem::remove(place);
    machine.scratch.write("one/a.h", "");
    CHECK(machine.check(found) == Freshness::changed);
  }
  SUBCASE("an unreadable file, which NVRTC looks at first and opens then") {
    machine.scratch.write("one/a.h", "");
    machine.asked("one/a.h", Answer::file).asked("one/a.h", Answer::unreadable);
    machine.files.fail_always("open", EACCES);  // to root all files are readable
    const Dependencies found = machine.dependencies();
    CHECK(found.files.empty());
    CHECK(found.obstacles == std::vector<ObstacleDependency>{{{0, "a.h"}, Kind::unreadable}});
    CHECK(machine.check(found) == Freshness::unchanged);
    machine.files.fail_always("open", 0);
    CHECK(machine.check(found) == Freshness::changed);
  }
}

TEST_CASE("folders that stand in the path of what was found are no dependencies of their own") {
  Machine machine;
  machine.scratch.write("one/sub/a.h", "");
  std::filesystem::create_directory(machine.scratch / "two/empty");
  machine.asked("one", Answer::folder).asked("one/sub/", Answer::folder).read("one/sub/a.h");
  machine.asked("two", Answer::folder).missed("two/a.h").missed("two/b.h");
  machine.asked("work", Answer::folder).asked("toolkit", Answer::folder).missed("toolkit/none.h");
  machine.asked("two/empty", Answer::folder);
  const Dependencies found = machine.dependencies();
  CHECK(found.obstacles == std::vector<ObstacleDependency>{{{1, "empty"}, Kind::folder}});
  machine.asked("one", Answer::folder, true);
  CHECK(machine.find().refusal.text.find("names in the folder " + machine.path("one")) != std::string::npos);
}

TEST_CASE("links: what they lead to counts") {
  Machine machine;
  machine.scratch.write("first/a.h", "1");
  machine.scratch.write("second/a.h", "2");
  machine.scratch.write("equal/a.h", "1");
  const auto link = [&](const char* to, const char* from) {
    std::filesystem::remove(machine.scratch / from);
    std::filesystem::create_symlink(machine.scratch / to, machine.scratch / from);
  };
  link("first/a.h", "one/a.h");
  link("first", "two/lib");
  machine.read("one/a.h").read("two/lib/a.h").missed("two/lib/b.h").missed("two/lib/c.h");
  const Dependencies found = machine.dependencies();
  CHECK(machine.check(found) == Freshness::unchanged);
  SUBCASE("a file's") { link("second/a.h", "one/a.h"); }
  SUBCASE("a folder's") { link("second", "two/lib"); }
  SUBCASE("where they led to one file they must still: #pragma once") { link("equal/a.h", "one/a.h"); }
  CHECK(machine.check(found) == Freshness::changed);
}

TEST_CASE("one path in several spellings is one dependency; through \"..\" it stays as it was asked for") {
  Machine machine;
  machine.scratch.write("one/sub/a.h", "");
  machine.scratch.write("toolkit/sub/lib.h", "");
  for (const char* spelling : {"one/sub/a.h", "one//sub/./a.h", "one/./sub//a.h"})
    machine.read(machine.path("") + spelling);
  machine.read(machine.path("two/../one/sub/a.h"));
  machine.read(machine.path("toolkit/sub/../sub/lib.h")).read(machine.path("two/../toolkit/sub/lib.h"));
  const Dependencies found = machine.dependencies();
  REQUIRE(found.files.size() == 2);
  CHECK(found.files[0].path == RootedPath{0, "sub/a.h"});
  CHECK(found.files[1].path == RootedPath{1, "../one/sub/a.h"});
  REQUIRE(found.folders.size() == 1);
  CHECK(names_of(found.folders[0]) == std::vector<std::string>{"lib.h"});
}

TEST_CASE("\"..\" behind a link is where the link leads to") {
  Machine machine;
  machine.scratch.write("elsewhere/a.h", "1");
  machine.scratch.write("elsewhere/sub/b.h", "");
  machine.scratch.write("two/a.h", "2");
  std::filesystem::create_symlink(machine.scratch / "elsewhere/sub", machine.scratch / "two/sub");
  machine.read("two/sub/../a.h").missed("two/sub/../none.h");
  const Dependencies found = machine.dependencies();
  REQUIRE(found.files.size() == 1);
  CHECK(found.files[0].digest == digest_of("1"));
  CHECK(found.absent == std::vector<RootedPath>{{1, "sub/../none.h"}});
}

TEST_CASE("a toolkit's folder that is a link: its headers are the toolkit's also by where the link leads to") {
  Machine machine;
  machine.search.compiler_folder = machine.path("");
  machine.scratch.write("targets/include/sub/lib.h", "");
  std::filesystem::remove(machine.scratch / "toolkit");
  std::filesystem::create_directory_symlink("targets/include", machine.scratch / "toolkit");
  machine.read("toolkit/sub/lib.h").missed("toolkit/sub/none.h");
  machine.read("targets/include/sub/lib.h").missed("targets/include/sub/../sub/more.h");
  const Dependencies found = machine.dependencies();
  CHECK(found.files.empty());
  CHECK(found.absent.empty());
  REQUIRE(found.folders.size() == 1);
  CHECK(found.folders[0].path == RootedPath{2, "sub"});
  CHECK(names_of(found.folders[0]) == std::vector<std::string>{"lib.h", "more.h", "none.h"});
}

TEST_CASE("what says nothing of the request is no dependency") {
  Machine machine;
  machine.search.compiler_folder = machine.path("nvcc");
  const std::string temporary = std::filesystem::temp_directory_path().string();
  machine.asked("work/kernel.cu", Answer::file);
  for (const std::string& name :
       {std::string("work/__nv_name_map"), std::string("work/__nv_nvrtc_builtin_header.h"),
        std::string("one/__nv_nvrtc_builtin_header.h"), std::string("work/kernel.cu"), temporary + "/kiln-tmp-x/a.h",
        temporary + "/kiln-tmp-nvcc-x/memory/../a.h", temporary + "/tmpxft_1-2.cpp", std::string("/proc/self/x"),
        std::string("/dev/x"), std::string("/sys/x"), std::string("/etc/ld.so.preload"),
        std::string("/usr/lib/locale/C/x"), std::string("/usr/share/locale/x.mo"), std::string("/opt/none/libx.so.1"),
        std::string("/opt/none/libx.so"), std::string("nvcc/bin/nvcc.profile"), std::string("nvcc/bin/../lib64/x")})
    machine.missed(name);
  machine.asked("/proc/self", Answer::folder).asked("/dev/null", Answer::other);
  machine.asked(temporary, Answer::folder, true).asked("work", Answer::folder).asked("nvcc", Answer::folder);
  const EnvironmentGuard shell({{"PWD", machine.path("elsewhere")}});
  const EnvironmentGuard folders(
      {{"PATH", "/none:" + machine.path("programs/")}, {"LIBRARY_PATH", machine.path("lib")}});
  machine.missed("programs/gcc")
      .missed("lib/specs")
      .missed("lib/../lib64/12")
      .missed("/lib/12")
      .asked("/lib", Answer::folder);
  machine.asked("/opt", Answer::folder, true);
  machine.asked("elsewhere", Answer::folder).asked(machine.path(""), Answer::folder).missed("/etc/malloc.conf");
  machine.record.questions.push_back({machine.path("one/by_the_assembler.h"), Answer::absent, false, false});
  CHECK(encode_items(machine.dependencies()).empty());
  // But not what only looks like it.
  machine.record.questions.clear();
  machine.scratch.write("work/kernel.cu", "");
  machine.read("work/kernel.cu").missed("/dev/shm/none.h").missed("one/x.so.h").missed("nvcc/more/x.h");
  machine.missed(temporary + "/kiln-tmp-x/../none.h");
  const Dependencies found = machine.dependencies();
  CHECK(found.files.size() == 1);
  CHECK(found.absent.size() == 4);
}

namespace {

/// Whose working folder is a root.
struct Floating : Machine {
  Floating() {
    search.roots.paths.insert(search.roots.paths.begin() + 2, folder);
    search.own_roots = 3;
    search.working_folder_roots = 1;
    scratch.write("work/a.h", "1");
    scratch.write("elsewhere/a.h", "1");
  }
  std::string folder = working_folder_root(path("work"));
};

}  // namespace

TEST_CASE("the working folder's headers are looked for in the working folder of each request") {
  Floating machine;
  SUBCASE("asked by relative names, as the recorder spells them") {
    machine.read(machine.folder + "/a.h").missed(machine.folder + "/b.h").missed(machine.folder + "/../c.h");
  }
  SUBCASE("asked by nvcc's host compiler") {
    machine.search.quotes_reach_source = true;
    machine.read("work/a.h").missed("work/b.h").missed("work/../c.h");
  }
  SUBCASE("asked by NVRTC 13.5, which puts the working folder's path before relative names") {
    machine.missed("work/__nv_nvrtc_builtin_header.h");
    machine.read("work/a.h").missed("work/b.h").missed("work/../c.h");
  }
  const Dependencies found = machine.dependencies();
  REQUIRE(found.files.size() == 1);
  CHECK(found.files[0].path == RootedPath{2, "a.h"});
  CHECK(found.absent == std::vector<RootedPath>{{2, "../c.h"}, {2, "b.h"}});
  machine.search.roots.paths[2] = working_folder_root(machine.path("elsewhere"));
  CHECK(machine.check(found) == Freshness::refreshed);
  machine.scratch.write("elsewhere/b.h", "");
  CHECK(machine.check(found) == Freshness::changed);
}

TEST_CASE("an include folder in the working folder") {
  Floating machine;
  machine.search.roots.paths[0] = machine.path("work/inc");
  machine.scratch.write("work/inc/x.h", "");
  machine.read("work/inc/x.h");
  CHECK(machine.dependencies().files.at(0).path == RootedPath{0, "x.h"});
  machine.search.quotes_reach_source = true;  // it may have been asked for either way
  const Dependencies both = machine.dependencies();
  REQUIRE(both.files.size() == 2);
  CHECK(both.files[0].path == RootedPath{2, "inc/x.h"});
  CHECK(both.files[1].path == RootedPath{0, "x.h"});
}

TEST_CASE("what was asked from a working folder that is no root is a refusal: elsewhere it would be another file") {
  Machine machine;
  SUBCASE("by a relative name") { machine.missed(working_folder_root(machine.path("work")) + "/a.h"); }
  SUBCASE("by NVRTC 13.5") { machine.missed("work/__nv_nvrtc_builtin_header.h").missed("work/a.h"); }
  CHECK(machine.find("").refusal.counter == Counter::refused_unknown_headers);
}

TEST_CASE("NVRTC looks for the source's folder, and in the working folder for what it has in memory: no dependencies") {
  Floating machine;
  machine.search.source_name = machine.path("source/k.cu");
  machine.search.memory = {{"m.h", ""}, {"d/n.h", ""}};
  machine.scratch.write("work/m.h", "");
  machine.asked(machine.folder + "/m.h", Answer::file).missed(machine.folder + "/d/n.h");
  SUBCASE("there") { machine.asked("source", Answer::folder).asked("source/k.cu", Answer::file); }
  SUBCASE("missing") { machine.missed("source").missed("source/k.cu"); }
  machine.missed("t\\303\\244st/k.cu");
  CHECK(encode_items(machine.dependencies()).empty());
  machine.read(machine.folder + "/m.h");
  CHECK(machine.dependencies().files.size() == 1);
}

TEST_CASE("a toolkit in the working folder") {
  Floating machine;
  machine.search.quotes_reach_source = true;
  machine.search.toolkit = {machine.path("work/toolkit")};
  machine.scratch.write("work/toolkit/lib.h", "");
  machine.read("work/toolkit/lib.h");
  CHECK(machine.dependencies().files.empty());
  CHECK(machine.dependencies().folders.size() == 1);
}

TEST_CASE("what changed during the compile is a refusal") {
  Machine machine;
  machine.scratch.write("one/a.h", "");
  machine.scratch.write("two/other.h", "");
  machine.scratch.write("toolkit/lib.h", "");
  const auto replace = [&](const std::string& name) {
    std::filesystem::rename(machine.scratch / "two/other.h", machine.scratch / name);
  };
  SUBCASE("a file") {
    machine.read("one/a.h").met();
    replace("one/a.h");
  }
  SUBCASE("a file of which only its presence was asked") {
    machine.asked("one/a.h", Answer::file).met();
    replace("one/a.h");
  }
  SUBCASE("a file whose times say nothing, by its content") {
    machine.read("one/a.h").met();
    machine.record.questions[0].content = digest_of("another");
  }
  SUBCASE("a file that was one, and then another") {
    machine.read("one/a.h").met();
    replace("one/a.h");
    machine.read("one/a.h");
  }
  SUBCASE("the same, as the record has it") {
    machine.read("one/a.h").met();
    machine.record.questions[0].differs = true;
  }
  SUBCASE("a header of the toolkit") {
    machine.read("toolkit/lib.h").met();
    replace("toolkit/lib.h");
  }
  SUBCASE("a header that a precompiled one was made of") {
    machine.read("one/a.h");
    machine.record.questions[0].content = digest_of("as it was then");
  }
  SUBCASE("a file that is gone") { machine.read("one/gone.h"); }
  SUBCASE("a file that is a folder now") { machine.asked("one", Answer::file, true); }
  SUBCASE("a file that has come") { machine.missed("one/a.h"); }
  SUBCASE("a folder that is a file now") { machine.asked("one/a.h", Answer::folder); }
  SUBCASE("two answers") { machine.missed("one/b.h").asked("one/b.h", Answer::folder); }
  SUBCASE("two answers, one of them a text") { machine.read("one/a.h").asked("one/a.h", Answer::unreadable); }
  const DependencyReport report = machine.find();
  CHECK(report.refusal.counter == Counter::refused_young_header);
  CHECK(report.refusal.text.find(" changed while it was being compiled") != std::string::npos);
}

TEST_CASE("a link to an own folder that the host compiler followed: its files depend on the link") {
  Machine machine;
  machine.search.compiler_folder = machine.path("nvcc");
  for (const char* name : {"v1/a.h", "v1/b.h", "v2/a.h"}) machine.scratch.write(name, "");
  machine.scratch.write("v2/b.h", "another");
  std::filesystem::remove(machine.scratch / "one");
  std::filesystem::create_symlink("v1", machine.scratch / "one");
  machine.asked("one/a.h", Answer::file).read("v1/a.h").read("v1/b.h");
  const Dependencies found = machine.dependencies();
  CHECK(found.files.size() == 4);
  CHECK(machine.check(found) == Freshness::unchanged);
  std::filesystem::remove(machine.scratch / "one");
  std::filesystem::create_symlink("v2", machine.scratch / "one");
  CHECK(machine.check(found) == Freshness::changed);
}

TEST_CASE("a precompiled header's text is the one that it was made of, in whatever file") {
  Machine machine;
  machine.scratch.write("one/a.h", "text");
  machine.read("one/a.h");
  machine.record.questions[0].content = digest_of("text");
  machine.record.questions[0].seen = std::nullopt;
  CHECK(find_dependencies(machine.files, machine.search, "", machine.record, false).refusal.empty());
}

TEST_CASE("code with a new state is kept, and the content is compared the next time") {
  Machine machine;
  machine.scratch.write("one/a.h", "");
  machine.scratch.write("toolkit/lib.h", "");
  machine.read("one/a.h").read("toolkit/lib.h").missed("two/a.h").missed("two/lib.h");
  SUBCASE("where the compile was that fast") {
    const DependencyReport report = machine.met(just_now).find();
    CHECK(report.refusal.empty());
    REQUIRE(report.dependencies.files.size() == 1);
    CHECK_FALSE(report.dependencies.files[0].reliable_times);
    REQUIRE(report.dependencies.folders.size() == 2);
    CHECK_FALSE(report.dependencies.folders[0].reliable_times);
    CHECK_FALSE(report.dependencies.folders[1].reliable_times);
    Dependencies found = report.dependencies;
    CHECK(machine.check(found) == Freshness::refreshed);
  }
  SUBCASE("where a tick has passed meanwhile its states suffice") {
    const Dependencies found = machine.met(long_ago).dependencies();
    CHECK(found.files[0].reliable_times);
    CHECK(machine.check(found) == Freshness::unchanged);
    CHECK(machine.files.count("open") == 0);
  }
  SUBCASE("a folder of the toolkit in which something else was made meanwhile") {
    machine.met(long_ago);
    machine.scratch.write("toolkit/new.h", "");
    const DependencyReport report = machine.find();
    CHECK(report.refusal.empty());
    CHECK_FALSE(report.dependencies.folders[1].reliable_times);
  }
}

TEST_CASE("an own folder in which something is made all the time is no reason to refuse") {
  Machine machine;
  machine.missed("one/a.h").missed("one/b.h").met();
  machine.scratch.write("one/object", "");
  DependencyReport report = machine.find();
  CHECK(report.refusal.empty());
  CHECK(machine.check(report.dependencies) == Freshness::confirmed);  // its names are looked for
  machine.scratch.write("one/b.h", "");
  CHECK(machine.check(report.dependencies) == Freshness::changed);
}

TEST_CASE("a record with a gap, a clock that was read, a header that cannot be read") {
  Machine machine;
  SUBCASE("a gap") {
    machine.record.gap = "the host compiler is static";
    const Refusal refusal = machine.find().refusal;
    CHECK(refusal.counter == Counter::refused_unknown_headers);
    CHECK(refusal.text.find("the host compiler is static") != std::string::npos);
  }
  SUBCASE("the clock") {
    machine.record.asked_time = true;
    CHECK(machine.find().refusal.counter == Counter::refused_time);
  }
  SUBCASE("the clock in a header, for a compiler that asks for it at each compile") {
    machine.scratch.write("one/a.h", "const char* when = __TIME__;");
    machine.read("one/a.h");
    CHECK(machine.find().refusal.counter == Counter::refused_time);
  }
  SUBCASE("the same, made by pasting, of parts that are in several texts") {
    machine.scratch.write("one/a.h", "#define CAT(a, b) a##b\n#define WHEN CAT(__TI, LATER)\n#define LATER ME__\n");
    machine.read("one/a.h");
    CHECK(machine.find().refusal.counter == Counter::refused_time);
  }
  SUBCASE("not where it is in a header of the toolkit") {
    machine.scratch.write("toolkit/a.h", "const char* when = __TIME__;");
    machine.read("toolkit/a.h");
    CHECK(machine.find().refusal.empty());
  }
  SUBCASE("not for nvcc, whose host compiler looks at the clock where it needs it") {
    machine.search.compiler_folder = machine.path("nvcc");
    machine.scratch.write("one/a.h", "#define WHEN __TIME__\n");
    machine.read("one/a.h");
    CHECK(machine.find().refusal.empty());
  }
  SUBCASE("a header") {
    machine.scratch.write("one/a.h", "");
    machine.read("one/a.h");
    machine.files.fail_always("read", EIO);
    CHECK(machine.find().refusal.counter == Counter::refused_unknown_headers);
  }
}

TEST_CASE("texts that name a header by its absolute path, or may, fix the paths") {
  Machine machine;
  machine.scratch.write("one/a.h", "");
  machine.read("one/a.h");
  const auto paths = [&](std::string_view source) { return machine.find(source).dependencies.absolute_paths.size(); };
  CHECK(paths("#include <a.h>\n") == 0);
  CHECK(paths("#include \"" + machine.path("one/a.h") + "\"\n") == 3);
  CHECK(paths("#include HEADER\n") == 2);
  machine.search.memory["/abs.h"] = "";
  CHECK(paths("") == 3);
  machine.search.memory = {{"b.h", "#include \"/abs.h\"\n"}};
  CHECK(paths("") == 3);
  machine.search.memory.clear();
  machine.scratch.write("one/a.h", "#if __has_include(</abs.h>)\n#endif\n");
  CHECK(paths("") == 3);
  machine.scratch.write("one/a.h", "const char* here = __FILE__;");
  CHECK(machine.find().uses_own_path);
  machine.scratch.write("one/a.h", "const char* here = CAT(__FI, LE__);");
  CHECK(machine.find().uses_own_path);
  CHECK(paths("#define HI __has_include\n") == 2);
  CHECK(paths("#if CAT(__has_, include)(<a.h>)\n") == 2);
  CHECK(machine.find().spelled_roots == std::set<int>{0});
  CHECK(machine.find("").dependencies.absolute_paths.empty());
}

TEST_CASE("a tree elsewhere is served, until it differs") {
  Machine machine;
  machine.scratch.write("A/inc/a.h", "1");
  machine.scratch.write("A/more/b.h", "");
  std::filesystem::copy(machine.scratch / "A", machine.scratch / "B", std::filesystem::copy_options::recursive);
  const auto go = [&](const std::string& tree) {
    machine.search.roots.paths = {machine.path(tree + "/inc"), machine.path(tree + "/more"), machine.path("toolkit")};
  };
  go("A");
  machine.read("A/inc/a.h").missed("A/inc/b.h").missed("A/inc/c.h").read("A/more/b.h").missed("A/more/none/d.h");
  const Dependencies found = machine.dependencies();
  go("B");
  CHECK(machine.check(found) == Freshness::refreshed);
  SUBCASE("edited") { machine.scratch.write("B/inc/a.h", "2"); }
  SUBCASE("shadowed") { machine.scratch.write("B/inc/b.h", ""); }
  SUBCASE("a new folder") { machine.scratch.write("B/more/none/d.h", ""); }
  CHECK(machine.check(found) == Freshness::changed);
  go("A");
  CHECK(machine.check(found) == Freshness::unchanged);
}

TEST_CASE("CUB behind three own folders: a look at each folder and each own file") {
  Machine machine;
  constexpr int toolkit_folders = 51;
  machine.scratch.write("work/own.h", "");
  for (int folder = 0; folder < toolkit_folders; ++folder)
    for (int header = 0; header < 12; ++header) {
      const std::string name = "cub" + std::to_string(folder) + "/" + std::to_string(header) + ".h";
      machine.scratch.write("toolkit/" + name, "");
      for (const char* own : {"one/", "two/", "work/"}) machine.missed(own + name);
      machine.read("toolkit/" + name);
    }
  machine.read("work/own.h");
  const Dependencies found = machine.dependencies();
  CHECK(found.files.size() == 1);
  CHECK(found.folders.size() == toolkit_folders + 3);
  CHECK(found.absent.empty());
  CHECK(machine.check(found) == Freshness::unchanged);
  CHECK(machine.files.total() == 1 + toolkit_folders + 3);
  CHECK(machine.files.count("status") == 1 + toolkit_folders + 3);
}

}  // namespace read_dependencies_test
