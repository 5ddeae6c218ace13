#include "worker/nvcc/nvcc_recording.hpp"

#include "base/environment.hpp"
#include "worker/nvcc/process_runner.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "questions_below.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"

namespace nvcc_recording_test {

using namespace kiln;
using kiln::test::questions_below;
using kiln::test::ScratchFolder;

namespace fs = std::filesystem;

namespace {

using Questions = std::set<std::string>;

const std::string kernel = "__global__ void k(int* a) { *a = 1; }\n";

ProcessResult run(const NvccRecording& recording, std::vector<std::string> arguments, const fs::path& folder) {
  ProcessRequest request;
  request.arguments = std::move(arguments);
  request.environment = recording.environment(all_variables());
  request.working_folder = folder.string();
  return ProcessRunner::real().run(request);
}

/// nvcc makes PTX of k.cu in the folder "work".
ProcessResult compile(const NvccRecording& recording, const std::string& nvcc, const ScratchFolder& scratch,
                      const std::string& source, const std::vector<std::string>& options = {}) {
  scratch.write("work/k.cu", source);
  std::vector<std::string> arguments = {nvcc, "-ptx", "-arch=compute_80", "k.cu", "-o", "k.ptx"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  ProcessResult result = run(recording, arguments, scratch / "work");
  INFO(result.errors);
  CHECK(result.exit.code == 0);
  return result;
}

/// What was asked below the folder, but for what nvcc makes in its own.
Questions asked(const FileRecord& record, const ScratchFolder& scratch) {
  CHECK(record.gap.empty());
  Questions questions = questions_below(record, scratch.path());
  for (auto at = questions.begin(); at != questions.end();)
    at = at->starts_with("work") ? questions.erase(at) : std::next(at);
  return questions;
}

}  // namespace

TEST_CASE("nvcc: a header is looked for in each folder before the one that has it, and by __has_include" *
          test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  scratch.write("second/h.h", "#include \"beside.h\"\n#if __has_include_next(<h.h>)\n#endif\n");
  scratch.write("second/beside.h", "");
  fs::create_directories(scratch / "first");
  fs::create_directories(scratch / "third");
  const NvccRecording recording((scratch / "work").string());
  compile(recording, *nvcc, scratch, "#include <h.h>\n#define HAS __has_include\n#if HAS(<none.h>)\n#endif\n" + kernel,
          {"-I../first", "-I" + (scratch / "second").string(), "-I" + (scratch / "third").string()});
  const FileRecord record = recording.take((scratch / "work/k.cu").string());
  CHECK(!record.asked_time);
  Questions questions = asked(record, scratch);
  // It looks for the folders, too, and for the system's headers.
  std::erase_if(questions, [](const std::string& question) {
    const auto has = [&](const char* name) { return question.find(name) != std::string::npos; };
    return !has("/h.h ") && !has("/none.h ") && !has("/beside.h ");
  });
  CHECK(questions == Questions{"second/h.h file read", "second/beside.h file read", "third/h.h absent",
                               "second/none.h absent", "third/none.h absent"});
  // Relative folders are spelled as the compiler was told them.
  const Questions all = questions_below(record, scratch.path());
  CHECK(all.count("work/../first/h.h absent") == 1);
  CHECK(all.count("work/../first/none.h absent") == 1);
}

TEST_CASE("nvcc: the clock is asked where __TIME__ is expanded, also where it was pasted, and nowhere else" *
          test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const auto asks = [&](const std::string& source) {
    const NvccRecording recording((scratch / "work").string());
    compile(recording, *nvcc, scratch, source + kernel);
    const FileRecord record = recording.take((scratch / "work/k.cu").string());
    CHECK(record.gap.empty());
    return record.asked_time;
  };
  CHECK(!asks("#ifdef __TIME__\n#endif\n"));
  CHECK(asks("#define P(a, b) a##b\n__device__ const char t[] = P(__TI, ME__);\n"));
  CHECK(asks("__device__ const char t[] = __TIMESTAMP__;\n"));
}

TEST_CASE("nvcc: a host compiler whose questions are hidden makes a gap" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  const fs::path wrapper = scratch.write("bin/g++", "#!/bin/sh\nexec env -u LD_PRELOAD g++ \"$@\"\n");
  fs::permissions(wrapper, fs::perms::owner_all);
  const std::string source = (scratch / "work/k.cu").string();
  const NvccRecording hidden((scratch / "work").string());
  compile(hidden, *nvcc, scratch, kernel, {"-ccbin=" + wrapper.string()});
  CHECK(hidden.take(source).gap.find("does not let be seen what it reads") != std::string::npos);
  const NvccRecording seen((scratch / "work").string());
  compile(seen, *nvcc, scratch, kernel);
  CHECK(seen.take((scratch / "./work//k.cu").string()).gap.empty());
}

TEST_CASE("nvcc: what only programs that read no source ask is marked" * test::needs_nvcc()) {
  const auto nvcc = test::real_nvcc();
  REQUIRE(nvcc.has_value());
  const ScratchFolder scratch;
  scratch.write("work/k.cu", kernel);
  const NvccRecording recording((scratch / "work").string());
  CHECK(run(recording, {*nvcc, "-cubin", "-arch=sm_80", "--keep", "k.cu"}, scratch / "work").exit.code == 0);
  const FileRecord record = recording.take((scratch / "work/k.cu").string());
  const auto question = [&](const std::string& name) {
    const std::string path = (scratch / "work").string() + "/././" + name;  // asked from the working folder
    return std::find_if(record.questions.begin(), record.questions.end(),
                        [&](const FileQuestion& asked) { return asked.path == path && asked.opened; });
  };
  REQUIRE(question("k.cu") != record.questions.end());
  CHECK(question("k.cu")->by_compiler);
  REQUIRE(question("k.ptx") != record.questions.end());
  CHECK(!question("k.ptx")->by_compiler);
}

TEST_CASE("questions of programs that are started, replaced or killed are all there") {
  const ScratchFolder scratch;
  scratch.write("there", "text\n");
  const NvccRecording recording(scratch.path().string());
  const std::string script =
      "test -e 1; (test -e 2); cat there; sh -c 'test -e 3; exec test -e 4'; "
      "sh -c 'test -e 5; kill -9 $$'; exec test -e 6";
  CHECK(run(recording, {"/bin/sh", "-c", script}, scratch.path()).output == "text\n");
  const std::string there = (scratch / "there").string();
  const FileRecord record = recording.take(there);
  CHECK(record.gap.empty());
  const Questions questions = questions_below(record, scratch.path());
  for (const char* name : {"1", "2", "3", "4", "5", "6"}) CHECK(questions.count(std::string(name) + " absent") == 1);
  CHECK(questions.count("there file read") == 1);
  // Another run begins with nothing.
  const NvccRecording second(scratch.path().string());
  CHECK(second.take(there).questions.empty());
}

TEST_CASE("a preloaded library of the user's own stays, before the recording one") {
  const NvccRecording recording("/nowhere");
  const std::vector<std::string> variables = recording.environment({"A=b", "LD_PRELOAD=/one.so /two.so", "C=d"});
  CHECK(variables[0] == "A=b");
  CHECK(variables[1] == "C=d");
  CHECK(variables[2].starts_with("LD_PRELOAD=/one.so /two.so:/proc/"));
  CHECK(variables[3].starts_with("KILN_RECORD_AREA=/proc/"));
  CHECK(recording.environment({})[0].starts_with("LD_PRELOAD=/proc/"));
}

TEST_CASE("what the loader says of the library is no message of nvcc's; a program that it kept from running is known") {
  const NvccRecording recording("/nowhere");
  const std::string library = recording.environment({})[0].substr(std::string("LD_PRELOAD=").size());
  const std::string ignored = "ERROR: ld.so: object '" + library +
                              "' from LD_PRELOAD cannot be preloaded (cannot open shared object file): ignored.\n";
  const std::string others = "ERROR: ld.so: object '/one.so' from LD_PRELOAD cannot be preloaded: ignored.\n";
  CHECK(recording.without_loader_messages("a\n" + ignored + others + ignored + "b") == "a\n" + others + "b");
  CHECK(recording.without_loader_messages("").empty());
  CHECK(!recording.kept_program_from_running("a\n" + ignored + others));
  CHECK(recording.kept_program_from_running(
      ignored + "nvcc: /lib/libc.so.6: version `GLIBC_9.9' not found (required by " + library + ")\n"));
}

}  // namespace nvcc_recording_test
