// What the real nvcc's programs ask, reduced, and what that notices of a change.
#include "worker/dependencies/read_dependencies.hpp"
#include "worker/nvcc/nvcc_command.hpp"
#include "worker/nvcc/nvcc_compile.hpp"
#include "worker/nvcc/nvcc_recording.hpp"
#include "worker/nvcc/process_runner.hpp"

#include "check_now.hpp"
#include "fault_file_system.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace recorded_nvcc_test {

using namespace kiln;
using namespace kiln::test;

namespace fs = std::filesystem;

namespace {

/// A source in a working folder, with folders "one" and "two" to search, as make_request has it for nvcc.
HeaderSearchPaths search_of(const ScratchFolder& scratch, const std::string& nvcc) {
  HeaderSearchPaths search;
  search.working_folder = (scratch / "work").string();
  search.source_name = "k.cu";
  search.source_dir = working_folder_root(search.working_folder);
  search.quotes_reach_source = true;
  search.dirs = {(scratch / "one").string(), (scratch / "two").string()};
  search.roots.paths = search.dirs;
  search.roots.paths.push_back(search.source_dir);
  search.own_roots = 3;
  search.working_folder_roots = 1;
  search.toolkit = nvcc_include_dirs(nvcc_root(nvcc));
  search.roots.paths.insert(search.roots.paths.end(), search.toolkit.begin(), search.toolkit.end());
  search.system = host_compiler_folders();
  search.compiler_folder = nvcc_root(nvcc);
  return search;
}

/// Records what it runs.
struct RecordingRunner : ProcessRunner {
  FileRecord record;

  ProcessResult run(const ProcessRequest& request) override {
    const NvccRecording recording(request.working_folder);
    ProcessRequest recorded = request;
    recorded.environment = recording.environment(request.environment);
    ProcessResult result = ProcessRunner::real().run(recorded);
    record = recording.take(request.working_folder + "/" + nvcc_source);
    return result;
  }
};

FileRecord compile(const std::string& nvcc, const HeaderSearchPaths& search, const std::string& source) {
  CompilerJob job;
  job.source = source;
  job.name = search.source_name;
  job.arch = "compute_80";
  job.target = Target::ptx;
  job.arguments = {"-I" + search.dirs[0], "-I" + search.dirs[1]};
  job.headers = search.memory;
  RecordingRunner runner;
  const fs::path before = fs::current_path();
  fs::current_path(search.working_folder);
  compile_with_nvcc(nvcc, job, runner);
  fs::current_path(before);
  return runner.record;
}

}  // namespace

TEST_CASE("nvcc: each change that another compile would notice, and none else" * needs_nvcc()) {
  const auto nvcc = real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  for (const char* folder : {"one/a.h", "two", "work"}) fs::create_directories(scratch / folder);
  scratch.write("two/a.h", "");
  scratch.write("one/w.h", "#if __has_include_next(<w.h>)\n#endif\n");
  scratch.write("work/q.h", "#include \"r.h\"\n");
  scratch.write("two/r.h", "");
  scratch.write("two/p1.h", "#pragma once\n");
  fs::copy(scratch / "two/p1.h", scratch / "two/p2.h");
  fs::last_write_time(scratch / "two/p2.h", fs::last_write_time(scratch / "two/p1.h"));
  HeaderSearchPaths search = search_of(scratch, *nvcc);
  search.memory["m.h"] = "#include \"n.h\"\n#if __has_include(\"none of memory.h\")\n#endif\n";
  search.memory["n.h"] = "";
  const std::string source =
      "#include \"m.h\"\n#include \"q.h\"\n#include <a.h>\n#include <w.h>\n#include <p1.h>\n#include <p2.h>\n"
      "#define HI __has_include\n#if HI(<none.h>)\n#endif\n__global__ void k(float* a) { a[0] = 1; }\n";
  const FileRecord record = compile(*nvcc, search, source);
  CHECK(record.gap == "");

  FaultFileSystem files;
  files.set_clock(FileSystem::real().now_ns() + 3'600'000'000'000);  // as if all were an hour old
  const DependencyReport report = find_dependencies(files, search, source, record, false);
  CHECK(report.refusal.text == "");
  const Dependencies& found = report.dependencies;
  for (const RootedPath& path : found.absent) CAPTURE(path.path);
  CHECK(found.obstacles == std::vector<ObstacleDependency>{{{0, "a.h"}, ObstacleDependency::Kind::folder}});
  CHECK(found.absent.size() < 5);
  CHECK(found.absolute_paths.size() == search.own_roots);  // __has_include by another name may be of an absolute path
  for (const FileDependency& file : found.files) {
    CAPTURE(file.path.path);
    CHECK(file.path.root >= 0);
    CHECK(file.path.root < 3);
  }
  const auto check = [&] {
    Dependencies now = found;
    return kiln::test::check_now(files, search.roots, now);
  };
  files.reset_counts();
  CHECK(check() == Freshness::unchanged);
  CHECK(static_cast<std::size_t>(files.total()) ==
        found.files.size() + found.folders.size() + found.absent.size() + found.obstacles.size());

  for (const char* name : {"one/other.h", "two/w/x.h", "work/k.cu"}) scratch.write(name, "");
  CHECK(check() != Freshness::changed);
  // By __has_include_next, by another name of __has_include, first beside a header and then beside the source.
  for (const char* name :
       {"two/w.h", "one/none.h", "two/none.h", "work/r.h", "one/p1.h", "one/r.h", "two/none of memory.h"}) {
    CAPTURE(name);
    scratch.write(name, "");
    CHECK(check() == Freshness::changed);
    fs::remove(scratch / name);
    CHECK(check() != Freshness::changed);
  }
  // A copy that the host compiler took for the same, edited; the place of a folder.
  const auto time = fs::last_write_time(scratch / "two/p2.h");
  scratch.write("two/p2.h", "#pragma oncE\n");
  CHECK(check() == Freshness::changed);
  scratch.write("two/p2.h", "#pragma once\n");
  fs::last_write_time(scratch / "two/p2.h", time);
  CHECK(check() != Freshness::changed);
  fs::remove(scratch / "one/a.h");
  scratch.write("one/a.h", "");
  CHECK(check() == Freshness::changed);
}

}  // namespace recorded_nvcc_test
