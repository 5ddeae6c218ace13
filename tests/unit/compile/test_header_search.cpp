#include "compile/header_search.hpp"

#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace kiln;
using kiln::test::ScratchFolder;

namespace {

constexpr std::int64_t later_ns = std::int64_t{60} * 1'000'000'000;

/// A machine with two folders of the user's and one of the toolkit's.
struct Machine {
  ScratchFolder scratch;
  HeaderSearch search;

  Machine() {
    for (const char* folder : {"one", "two", "toolkit"}) std::filesystem::create_directories(scratch / folder);
    search.dirs = {path("one"), path("two"), path("toolkit")};
    search.toolkit = {path("toolkit")};
    search.roots = {{path("one"), path("two"), path(""), path("toolkit")}};
    search.own_roots = 3;
    search.working_folder = path("");
    search.source_dir = path("");
  }
  std::string path(const std::string& name) const { return (name.empty() ? scratch.path() : scratch / name).string(); }
  HeaderReport find(std::string_view source, const std::optional<std::vector<std::string>>& traced, bool strict = false,
                    std::int64_t shift_ns = later_ns) const {
    FileSystem& files = FileSystem::real();
    return find_dependencies(files, search, source, traced, strict, files.now_ns() + shift_ns);
  }
  /// Whether something that comes to be at that place would be noticed: by itself, or by its toolkit folder's time.
  bool absent(const HeaderReport& report, const std::string& name) const {
    for (const FolderDependency& folder : report.dependencies.folders)
      for (const FolderDependency::Header& header : folder.headers)
        if (header.digest == Digest{} && folder.path.resolve(search.roots) + "/" + header.name == path(name))
          return true;
    const auto& all = report.dependencies.absent;
    return std::any_of(all.begin(), all.end(),
                       [&](const RootedPath& p) { return p.resolve(search.roots) == path(name); });
  }
};

}  // namespace

TEST_CASE("a traced header of the user's is a file, one of the toolkit's is its folder") {
  Machine machine;
  machine.scratch.write("two/own.h", "int x;");
  machine.scratch.write("toolkit/sub/lib.h", "int y;");
  const std::vector<std::string> traced = {machine.path("two/own.h"), machine.path("toolkit/sub/lib.h"),
                                           "__nv_nvrtc_builtin_header.h"};
  const HeaderReport report = machine.find("#include <own.h>\n", traced);
  CHECK(report.refusal.empty());
  REQUIRE(report.dependencies.files.size() == 1);
  CHECK(report.dependencies.files[0].digest == digest_of("int x;"));
  REQUIRE(report.dependencies.folders.size() == 1);
  CHECK(report.dependencies.folders[0].path.root == 3);
  CHECK(report.dependencies.folders[0].path.path == "sub");
  CHECK(report.dependencies.folders[0].headers.at(0).name == "lib.h");
  // Where each would have been found first.
  CHECK(machine.absent(report, "one/own.h"));
  CHECK(machine.absent(report, "one/sub"));
  CHECK(machine.absent(report, "two/sub"));
}

TEST_CASE("strict looks at each toolkit header") {
  Machine machine;
  machine.scratch.write("toolkit/sub/lib.h", "int y;");
  const HeaderReport report = machine.find("", std::vector<std::string>{machine.path("toolkit/sub/lib.h")}, true);
  CHECK(report.dependencies.folders.empty());
  CHECK(report.dependencies.files.size() == 1);
}

TEST_CASE("a quoted include would be found beside the including file") {
  Machine machine;
  machine.scratch.write("one/a.h", "#include \"b.h\"\n");
  machine.scratch.write("two/b.h", "");
  const HeaderReport report =
      machine.find("#include \"a.h\"\n", std::vector<std::string>{machine.path("one/a.h"), machine.path("two/b.h")});
  CHECK(machine.absent(report, "a.h"));
  CHECK(machine.absent(report, "one/b.h"));
}

TEST_CASE("__has_include makes the answer a dependency, yes or no") {
  Machine machine;
  machine.scratch.write("two/there.h", "x");
  const HeaderReport report =
      machine.find("#if __has_include(<there.h>) && !__has_include(\"gone.h\")\n#endif\n", std::vector<std::string>{});
  CHECK(report.dependencies.files.size() == 1);
  CHECK(machine.absent(report, "one/there.h"));
  for (const char* name : {"gone.h", "one/gone.h", "two/gone.h", "toolkit/gone.h"}) CHECK(machine.absent(report, name));
}

TEST_CASE("without a trace every mention is followed") {
  Machine machine;
  machine.scratch.write("one/a.h", "#include <b.h>\n#include <nowhere.h>\n");
  machine.scratch.write("toolkit/b.h", "#include \"c.h\"\n");
  machine.scratch.write("toolkit/c.h", "");
  const HeaderReport report = machine.find("#include <a.h>\n", std::nullopt);
  CHECK(report.refusal.empty());
  CHECK(report.dependencies.files.size() == 1);
  REQUIRE(report.dependencies.folders.size() == 1);
  // The two that are there, and nowhere.h, which is not.
  CHECK(report.dependencies.folders[0].headers.size() == 3);
  CHECK(machine.absent(report, "two/b.h"));
  CHECK(machine.absent(report, "two/nowhere.h"));
  machine.scratch.write("one/a.h", "#include NAME\n");
  CHECK_FALSE(machine.find("#include <a.h>\n", std::nullopt).refusal.empty());
}

TEST_CASE("without a trace #include_next may mean each header of that name") {
  Machine machine;
  machine.scratch.write("one/a.h", "#include_next <a.h>\n");
  machine.scratch.write("toolkit/a.h", "");
  CHECK(machine.find("#include <a.h>\n", std::nullopt).dependencies.folders.size() == 1);
  machine.scratch.write("two/a.h", "");
  const HeaderReport report = machine.find("#include <a.h>\n", std::nullopt);
  CHECK(report.dependencies.files.size() == 2);
  CHECK(report.dependencies.folders.size() == 1);
  machine.search.memory = {{"a.h", "#include_next <a.h>\n"}};
  CHECK(machine.find("#include <a.h>\n", std::nullopt).dependencies.files.size() == 2);
}

TEST_CASE("in-memory headers are read for what they mention") {
  Machine machine;
  machine.search.memory = {{"util.h", "#include \"more.h\"\nconst char* when = __TIME__;\n"}};
  const HeaderReport report = machine.find("#include \"util.h\"\n", std::vector<std::string>{"util.h"});
  CHECK(report.dependencies.files.empty());
  CHECK(report.refusal.text.find("__TIME__") != std::string::npos);
  CHECK(machine.absent(report, "more.h"));
}

TEST_CASE("what cannot be known, or has just changed, is a refusal") {
  Machine machine;
  machine.scratch.write("one/a.h", "");
  const std::vector<std::string> traced = {machine.path("one/a.h")};
  CHECK(machine.find("", traced).refusal.empty());
  CHECK_FALSE(machine.find("", traced, false, 0).refusal.empty());  // written less than 20 ms before the start
  CHECK_FALSE(machine.find("#if __has_include(NAME)\n#endif", traced).refusal.empty());
  CHECK_FALSE(machine.find("#embed \"x\"", traced).refusal.empty());
  CHECK_FALSE(machine.find("", std::vector<std::string>{machine.path("one/vanished.h")}).refusal.empty());
}

TEST_CASE("a header that came to an earlier place during the compile is a refusal") {
  Machine machine;
  machine.scratch.write("two/a.h", "");
  const std::vector<std::string> traced = {machine.path("two/a.h")};
  machine.scratch.write("one/a.h", "newer");
  // two/a.h would be racy as well: only what the earlier place adds is of interest, so it is made old.
  std::filesystem::last_write_time(machine.scratch / "two/a.h",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  CHECK(machine.find("", traced, false, 0).refusal.text.find("a.h changed") != std::string::npos);
}

TEST_CASE("a header that __has_include found first is scanned where the compiler read it") {
  Machine machine;
  machine.scratch.write("one/a.h", "#include \"b.h\"\nconst char* when = __TIME__;\n");
  const std::string source = "#if __has_include(<a.h>)\n#include <a.h>\n#endif\n";
  const HeaderReport read = machine.find(source, std::vector<std::string>{machine.path("one/a.h")});
  CHECK(read.refusal.text.find("__TIME__") != std::string::npos);
  CHECK(machine.absent(read, "one/b.h"));
  CHECK(machine.find(source, std::vector<std::string>{}).refusal.empty());
}

TEST_CASE("a header under #pragma once is looked for under its second path too") {
  Machine machine;
  machine.scratch.write("two/a.h", "#pragma once\n");
  machine.scratch.write("two/other.h", "#pragma once\n");
  const std::string source = "#include \"two/a.h\"\n#include <a.h>\n#if 0\n#include <other.h>\n#endif\n";
  const HeaderReport direct = machine.find(source, std::vector<std::string>{"two/a.h"});
  CHECK(machine.absent(direct, "one/a.h"));
  CHECK_FALSE(machine.absent(direct, "one/other.h"));
  std::filesystem::create_symlink(machine.path("two/a.h"), machine.path("toolkit/link.h"));
  const HeaderReport linked =
      machine.find("#include \"two/a.h\"\n#include <link.h>\n", std::vector<std::string>{"two/a.h"});
  CHECK(machine.absent(linked, "one/link.h"));
  REQUIRE(linked.dependencies.folders.size() == 1);
  CHECK(linked.dependencies.folders[0].headers.at(0).digest == digest_of("#pragma once\n"));
}

TEST_CASE("the root of all as an include folder") {
  Machine machine;
  machine.scratch.write("two/a.h", "");
  machine.search.dirs = {machine.path("one"), "/"};
  const std::string name = machine.path("two/a.h").substr(1);
  const HeaderReport report = machine.find("", std::vector<std::string>{"/" + name});
  CHECK(machine.absent(report, "one/" + name.substr(0, name.find('/'))));
}
