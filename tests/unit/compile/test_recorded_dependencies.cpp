// What the real NVRTC asks, reduced, and what that notices of a change. This program exports the recording calls.
#include "compile/compiler/large_stack.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"
#include "toolkit/locate/toolkit.hpp"
#include "worker/dependencies/file_recording.hpp"
#include "worker/dependencies/read_dependencies.hpp"

#include "check_now.hpp"
#include "fault_file_system.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace recorded_dependencies_test {

using namespace kiln;
using namespace kiln::test;

namespace fs = std::filesystem;

namespace {

const std::string kernel = "\n__global__ void k(float* a) { a[0] = 1; }\n";

/// A source in a working folder, with folders "one", "two" and the toolkit's to search.
struct Project {
  ScratchFolder scratch;
  FaultFileSystem files;
  HeaderSearchPaths search;
  fs::path before = fs::current_path();

  Project() {
    for (const char* folder : {"one", "two", "work"}) fs::create_directories(scratch / folder);
    fs::current_path(scratch / "work");
    search.working_folder = fs::current_path().string();
    search.source_name = "kernel.cu";
    search.source_dir = working_folder_root(search.working_folder);
    search.dirs = search.roots.paths = {(scratch / "one").string(), (scratch / "two").string()};
    search.roots.paths.push_back(search.source_dir);
    search.own_roots = 3;
    search.working_folder_roots = 1;
    for (const auto& folder : current_toolkit().include_dirs) {
      search.toolkit.push_back(folder);
      search.dirs.push_back(folder);
      search.roots.paths.push_back(folder);
    }
  }
  ~Project() { fs::current_path(before); }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  void write(const std::string& name, const std::string& text) const { scratch.write(name, text); }

  /// `meanwhile` happens when NVRTC has read everything, and before that is read once more.
  DependencyReport report(
      const std::string& source, const std::function<void()>& meanwhile = [] {}) {
    FileRecord record;
    std::string log;
    nvrtcResult result = NVRTC_SUCCESS;
    run_on_large_stack([&] {
      FileRecording recording;
      const NvrtcProgram program(NvrtcLibrary::get(), source + kernel, "kernel.cu", {});
      std::vector<std::string> options;
      for (const std::string& folder : search.dirs) options.push_back("-I" + folder);
      // As every compile of Kiln's: NVRTC's own cache reads files where there is a driver.
      if (NvrtcLibrary::get().version_number() >= std::pair(12, 9)) options.emplace_back("--no-cache");
      result = program.compile(options);
      log = program.log();
      record = recording.take();
    });
    INFO(log);
    REQUIRE(result == NVRTC_SUCCESS);
    meanwhile();
    // As if the compile had taken an hour: new states are not reliable.
    files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);
    return find_dependencies(files, search, source, record, false);
  }
  Dependencies compiled(const std::string& source) {
    DependencyReport found = report(source);
    CHECK(found.refusal.text == "");
    CHECK(check(found.dependencies) == Freshness::unchanged);
    return std::move(found.dependencies);
  }
  Freshness check(Dependencies dependencies) {
    files.reset_counts();
    return kiln::test::check_now(files, search.roots, dependencies);
  }
};

bool knows_has_include_next() { return NvrtcLibrary::get().version_number() < std::pair(13, 5); }

}  // namespace

TEST_CASE("what NVRTC read is what is named, whatever the path leads to afterwards") {
  Project project;
  const auto link = [&](const std::string& target, const std::string& name) {
    fs::remove(project.scratch / name);
    fs::create_symlink(target, project.scratch / name);
  };
  project.write("v1/a.h", "#define A 1\n");
  project.write("v2/a.h", "#define A 2\n");
  const std::string source = "#include <a.h>\n";
  const std::string changed = "/a.h changed while it was being compiled";
  std::function<void()> meanwhile;
  SUBCASE("a link to the folder is switched") {
    project.search.dirs[0] = project.search.roots.paths[0] = (project.scratch / "now").string();
    link("v1", "now");
    meanwhile = [&] { link("v2", "now"); };
  }
  SUBCASE("a link to the header is switched") {
    link("../v1/a.h", "one/a.h");
    meanwhile = [&] { link("../v2/a.h", "one/a.h"); };
  }
  SUBCASE("the folder is renamed, and another takes its name") {
    project.write("one/a.h", "#define A 1\n");
    meanwhile = [&] {
      fs::rename(project.scratch / "one", project.scratch / "old");
      fs::rename(project.scratch / "v2", project.scratch / "one");
    };
  }
  SUBCASE("the header is edited, dated back and of the same size") {
    project.write("one/a.h", "#define A 1\n");
    meanwhile = [&] {
      const auto time = fs::last_write_time(project.scratch / "one/a.h");
      project.write("one/a.h", "#define A 2\n");
      fs::last_write_time(project.scratch / "one/a.h", time);
    };
  }
  const DependencyReport report = project.report(source, meanwhile);
  CHECK(report.refusal.counter == Counter::refused_young_header);
  CHECK(report.refusal.text.find(changed) != std::string::npos);
}

TEST_CASE("a link that was another one before and after NVRTC read through it, and one that is the same again") {
  Project project;
  project.write("v1/a.h", "#define A 1\n");
  project.write("v2/a.h", "#define A 2\n");
  fs::create_symlink("v1", project.scratch / "now");
  project.search.dirs[0] = project.search.roots.paths[0] = (project.scratch / "now").string();
  const auto switch_to = [&](const char* target) {
    fs::remove(project.scratch / "now");
    fs::create_symlink(target, project.scratch / "now");
  };
  const DependencyReport report = project.report("#include <a.h>\n", [&] {
    switch_to("v2");
    switch_to("v1");
  });
  CHECK(report.refusal.empty());
  REQUIRE(report.dependencies.files.size() == 1);
  CHECK(report.dependencies.files[0].digest == digest_of("#define A 1\n"));
}

TEST_CASE("a header that is dated in the future, or was written just now, is kept") {
  Project project;
  project.write("one/a.h", "#define A 1\n");
  fs::last_write_time(project.scratch / "one/a.h", fs::file_time_type::clock::now() + std::chrono::hours(24 * 365));
  CHECK(project.compiled("#include <a.h>\n").files.size() == 1);
}

TEST_CASE("a change that another compile would notice") {
  Project project;
  std::string source = "#include <a.h>\n";
  std::function<void()> change;
  project.write("two/a.h", "#define A 1\n");
  SUBCASE("an edit") {
    change = [&] { project.write("two/a.h", "#define A 2\n"); };
  }
  SUBCASE("a header in an earlier folder") {
    change = [&] { project.write("one/a.h", ""); };
  }
  SUBCASE("the same in a folder that is new, too") {
    source = "#include <sub/b.h>\n";
    project.write("two/sub/b.h", "");
    change = [&] { project.write("one/sub/b.h", ""); };
  }
  SUBCASE("__has_include, by another name: hole 2") {
    source = "#define HI __has_include\n#if HI(<none.h>)\n#endif\n";
    change = [&] { project.write("two/none.h", ""); };
  }
  SUBCASE("__has_include, made by pasting") {
    source = "#define CAT(a, b) a##b\n#if CAT(__has_, include)(<none.h>)\n#endif\n";
    change = [&] { project.write("one/none.h", ""); };
  }
  SUBCASE("an #include of a macro") {
    source = "#define NAME <a.h>\n#include NAME\n";
    change = [&] { project.write("one/a.h", ""); };
  }
  SUBCASE("#include_next") {
    project.write("one/a.h", "#include_next <a.h>\n");
    change = [&] { project.write("two/a.h", "#define A 2\n"); };
  }
  SUBCASE("a folder of the header's name, and then a header: hole 4") {
    fs::create_directory(project.scratch / "one/a.h");
    change = [&] {
      fs::remove(project.scratch / "one/a.h");
      project.write("one/a.h", "");
    };
  }
  SUBCASE("a copy under #pragma once: hole 3") {
    source = "#include <a.h>\n#include <b.h>\n";
    project.write("two/a.h", "#pragma once\n");
    fs::copy(project.scratch / "two/a.h", project.scratch / "two/b.h");
    fs::last_write_time(project.scratch / "two/b.h", fs::last_write_time(project.scratch / "two/a.h"));
    change = [&] { project.write("two/b.h", "#pragma onc \n"); };
  }
  SUBCASE("a header beside the source") {
    source = "#include \"a.h\"\n";
    change = [&] { project.write("work/a.h", ""); };
  }
  SUBCASE("beside a header") {
    source = "#include <sub/b.h>\n";
    project.write("one/sub/b.h", "#include \"a.h\"\n");
    change = [&] { project.write("one/sub/a.h", ""); };
  }
  SUBCASE("a link that leads elsewhere") {
    project.write("elsewhere/a.h", "#define A 2\n");
    fs::rename(project.scratch / "two", project.scratch / "real");
    fs::create_directory_symlink(project.scratch / "real", project.scratch / "two");
    change = [&] {
      fs::remove(project.scratch / "two");
      fs::create_directory_symlink(project.scratch / "elsewhere", project.scratch / "two");
    };
  }
  REQUIRE(change);
  const Dependencies found = project.compiled(source);
  change();
  CHECK(project.check(found) == Freshness::changed);
}

TEST_CASE("__has_include_next: hole 1") {
  if (!knows_has_include_next())
    return static_cast<void>(std::puts("skipped: this NVRTC does not compile __has_include_next"));
  Project project;
  project.write("one/a.h", "#if __has_include_next(<a.h>)\n#endif\n");
  const Dependencies found = project.compiled("#include <a.h>\n");
  project.write("two/a.h", "");
  CHECK(project.check(found) == Freshness::changed);
}

TEST_CASE("what another compile would not notice") {
  Project project;
  project.write("two/a.h", "#define A 1\n");
  const Dependencies found = project.compiled("#include \"a.h\"\n#include <cuda_fp16.h>\n");
  CHECK(found.obstacles.empty());
  CHECK(found.absolute_paths.empty());
  for (const char* name : {"one/other.h", "two/other.h", "work/kernel.cu", "work/__nv_name_map", "work/more/a.h"})
    project.write(name, "");
  CHECK(project.check(found) != Freshness::changed);
  CHECK(project.files.count("open") == 0);
}

TEST_CASE("another working folder") {
  Project project;
  project.write("work/a.h", "#define A 1\n");
  project.write("elsewhere/a.h", "#define A 1\n");
  const Dependencies found = project.compiled("#include \"a.h\"\n");
  project.search.roots.paths[2] = working_folder_root((project.scratch / "elsewhere").string());
  REQUIRE(found.files.size() == 1);
  CHECK(found.files[0].path.root == 2);
  CHECK(project.check(found) == Freshness::refreshed);
  project.write("elsewhere/a.h", "#define A 2\n");
  CHECK(project.check(found) == Freshness::changed);
}

TEST_CASE("a look at each folder, and at each own header") {
  Project project;
  for (int i = 0; i < 5; ++i) project.write("two/" + std::to_string(i) + ".h", "#define A 1\n");
  std::string source = "#include <cuda_fp16.h>\n";
  for (int i = 0; i < 5; ++i) source += "#include <" + std::to_string(i) + ".h>\n";
  const Dependencies found = project.compiled(source);
  CHECK(found.files.size() == 5);
  CHECK(found.folders.size() < 12);
  CHECK(project.check(found) == Freshness::unchanged);
  CHECK(static_cast<std::size_t>(project.files.total()) == 5 + found.folders.size() + found.absent.size());
}

}  // namespace recorded_dependencies_test
