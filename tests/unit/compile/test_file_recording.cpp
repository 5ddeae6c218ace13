// This program exports the recording calls, as kiln-worker does.
#include "worker/dependencies/file_recording.hpp"

#include "compile/compiler/large_stack.hpp"
#include "compile/stand_ins/stand_in_headers.hpp"
#include "toolkit/libraries/nvrtc_program.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "questions_below.hpp"
#include "scratch_folder.hpp"
#include "working_folder.hpp"

namespace file_recording_test {

using namespace kiln;
using kiln::test::questions_below;
using kiln::test::ScratchFolder;
using kiln::test::WorkingFolder;

namespace fs = std::filesystem;

namespace {

using Questions = std::set<std::string>;

const std::string kernel = "__global__ void k(int* a) { *a = 1; }\n";

struct Recorded {
  nvrtcResult result = NVRTC_SUCCESS;
  std::string log;
  FileRecord record;
};

Recorded compile(const std::string& source, std::vector<std::string> options,
                 const std::map<std::string, std::string>& headers = {}) {
  Recorded recorded;
  // As every compile of Kiln's: NVRTC's own cache asks for files where there is a driver.
  if (NvrtcLibrary::get().version_number() >= std::pair(12, 9)) options.emplace_back("--no-cache");
  run_on_large_stack([&] {
    FileRecording recording;
    const NvrtcProgram program(NvrtcLibrary::get(), source, "kernel.cu", headers);
    recorded.result = program.compile(options);
    recorded.log = program.log();
    recorded.record = recording.take();
  });
  return recorded;
}

/// What NVRTC asked below the folder.
Questions asked(const ScratchFolder& scratch, const std::string& source, const std::vector<std::string>& options,
                const std::map<std::string, std::string>& headers = {}) {
  const Recorded recorded = compile(source, options, headers);
  INFO(recorded.log);
  CHECK(recorded.result == NVRTC_SUCCESS);
  CHECK(recorded.record.gap.empty());
  CHECK(!recorded.record.asked_time);
  return questions_below(recorded.record, scratch.path());
}

std::string include(const ScratchFolder& scratch, const std::string& folder) {
  return "-I" + (scratch / folder).string();
}

}  // namespace

TEST_CASE("a header is looked for in each folder before the one that has it, and in none behind it") {
  const ScratchFolder scratch;
  scratch.write("second/h.h", "");
  scratch.write("third/h.h", "");
  fs::create_directory(scratch / "first");
  const std::vector<std::string> options = {include(scratch, "first"), include(scratch, "missing"),
                                            include(scratch, "second"), include(scratch, "third")};
  CHECK(asked(scratch, "#include <h.h>\n" + kernel, options) ==
        Questions{"first/h.h absent", "missing/h.h absent", "second/h.h file read"});
}

TEST_CASE("__has_include asks in each folder, also by another name") {
  const ScratchFolder scratch;
  scratch.write("second/there.h", "");
  fs::create_directory(scratch / "first");
  const std::vector<std::string> options = {include(scratch, "first"), include(scratch, "second")};
  const Questions all = {"first/there.h absent", "second/there.h file read", "first/missing.h absent",
                         "second/missing.h absent"};
  CHECK(asked(scratch, "#if __has_include(<there.h>)\n#endif\n#if __has_include(<missing.h>)\n#endif\n" + kernel,
              options) == all);
  CHECK(asked(scratch, "#define HAS __has_include\n#if HAS(<there.h>)\n#endif\n#if HAS(<missing.h>)\n#endif\n" + kernel,
              options) == all);
}

TEST_CASE("__has_include_next asks in the later folders") {
  if (NvrtcLibrary::get().version_number() >= std::pair(13, 5))
    return static_cast<void>(std::puts("skipped: this NVRTC does not compile __has_include_next"));
  const ScratchFolder scratch;
  scratch.write("first/h.h", "#if __has_include_next(<h.h>)\n#endif\n");
  fs::create_directory(scratch / "second");
  CHECK(asked(scratch, "#include <h.h>\n" + kernel, {include(scratch, "first"), include(scratch, "second")}) ==
        Questions{"first/h.h file read", "second/h.h absent"});
}

TEST_CASE("#include_next goes on behind the folder of the header") {
  const ScratchFolder scratch;
  scratch.write("first/h.h", "#include_next <h.h>\n");
  scratch.write("third/h.h", "");
  fs::create_directory(scratch / "second");
  const Questions questions = asked(scratch, "#include <h.h>\n" + kernel,
                                    {include(scratch, "first"), include(scratch, "second"), include(scratch, "third")});
  CHECK(questions ==
        Questions{"first folder", "first/h.h file read", "second/h.h absent", "third folder", "third/h.h file read"});
}

TEST_CASE("a copy of a header with #pragma once is read, too") {
  const ScratchFolder scratch;
  scratch.write("first/h.h", "#pragma once\n#define ONCE 1\n");
  fs::create_directory(scratch / "second");
  fs::copy_file(scratch / "first/h.h", scratch / "second/h.h");
  fs::last_write_time(scratch / "second/h.h", fs::last_write_time(scratch / "first/h.h"));
  const std::string source = "#include \"first/h.h\"\n#include \"second/h.h\"\n" + kernel;
  const Questions questions = asked(scratch, source, {"-I" + scratch.path().string()});
  CHECK(questions.count("first/h.h file read") == 1);
  CHECK(questions.count("second/h.h file read") == 1);
}

TEST_CASE("a folder of the header's name, a link, and a header beside a header") {
  const ScratchFolder scratch;
  fs::create_directories(scratch / "first/h.h");
  scratch.write("real/h.h", "#include \"beside.h\"\n#include \"../up.h\"\n");
  scratch.write("real/beside.h", "");
  scratch.write("up.h", "");
  fs::create_directory_symlink(scratch / "real", scratch / "link");
  CHECK(asked(scratch, "#include <h.h>\n" + kernel, {include(scratch, "first"), include(scratch, "link")}) ==
        Questions{"first/h.h folder", "link/h.h file read", "link/beside.h file read", "link/../up.h file read"});
}

TEST_CASE("a header that may not be read is none that is missing" * doctest::skip(::geteuid() == 0)) {
  const ScratchFolder scratch;
  fs::permissions(scratch.write("first/h.h", ""), fs::perms::none);
  scratch.write("second/h.h", "");
  CHECK(asked(scratch, "#include <h.h>\n" + kernel, {include(scratch, "first"), include(scratch, "second")}) ==
        Questions{"first/h.h unreadable", "second/h.h file read"});
}

TEST_CASE("relative folders count from the working folder, and stay as they are spelled") {
  const ScratchFolder scratch;
  scratch.write("include/h.h", "");
  const WorkingFolder folder(scratch.path());
  const Questions questions = asked(scratch, "#include <h.h>\n" + kernel, {"-Imissing", "-I./include"});
  CHECK(questions.count("missing/h.h absent") == 1);
  CHECK(questions.count("./include/h.h file read") == 1);
}

TEST_CASE("a header in memory is looked for in the working folder first; one that it includes is as any other") {
  const ScratchFolder scratch;
  scratch.write("include/on_disk.h", "");
  const WorkingFolder folder(scratch.path());
  const Questions questions =
      asked(scratch, "#include \"memory.h\"\n" + kernel, {"-Iinclude"}, {{"memory.h", "#include <on_disk.h>\n"}});
  CHECK(questions.count("memory.h absent") == 1);
  CHECK(questions.count("include/memory.h absent") == 0);
  CHECK(questions.count("include/on_disk.h file read") == 1);
}

TEST_CASE("a header of --pre-include is asked for") {
  const ScratchFolder scratch;
  scratch.write("include/before.h", "");
  const std::string header = (scratch / "include/before.h").string();
  CHECK(asked(scratch, kernel, {"--pre-include=" + header}) == Questions{"include/before.h file read"});
}

TEST_CASE("a stand-in reads nothing but stand-ins") {
  for (const auto& header : stand_in_headers()) {
    const std::string& name = header.first;
    if (name.starts_with("pycuda-") || name.starts_with("cupy/")) continue;  // those include headers of the toolkit
    if (name == "kiln_complex_functions.h") continue;                        // a part of those
    CAPTURE(header.first);
    const Recorded recorded = compile("#include <" + header.first + ">\n" + kernel, {}, stand_in_headers());
    CHECK(recorded.result == NVRTC_SUCCESS);
    for (const FileQuestion& question : recorded.record.questions) {
      CAPTURE(question.path);
      CHECK((!question.opened || question.path.starts_with("/etc/")));
    }
  }
}

TEST_CASE("a compile that fails has a record, and the next one a record of its own") {
  const ScratchFolder scratch;
  const Recorded failed = compile("#include <missing.h>\n", {include(scratch, "folder")});
  CHECK(failed.result != NVRTC_SUCCESS);
  CHECK(questions_below(failed.record, scratch.path()) == Questions{"folder/missing.h absent"});
  scratch.write("other/h.h", "");
  CHECK(asked(scratch, "#include <h.h>\n" + kernel, {include(scratch, "other")}) == Questions{"other/h.h file read"});
}

TEST_CASE("one recording at a time; nothing is recorded before, after and between") {
  const ScratchFolder scratch;
  const auto look = [&](const char* name) { CHECK(::access((scratch / name).c_str(), F_OK) != 0); };
  look("before");
  FileRecording recording;
  look("now");
  FileRecording second;
  CHECK(second.take().gap.find("another compile") != std::string::npos);
  look("still");
  const FileRecord record = recording.take();
  CHECK(record.gap.empty());
  CHECK(questions_below(record, scratch.path()) == Questions{"now absent", "still absent"});
  look("between");
  CHECK(!recording.take().gap.empty());
  FileRecording third;
  CHECK(questions_below(third.take(), scratch.path()).empty());
}

TEST_CASE("threads record side by side, and each distinct question is there once") {
  const ScratchFolder scratch;
  FileRecording recording;
  std::vector<std::thread> threads;
  constexpr int count = 8;
  constexpr int names = 500;
  threads.reserve(count);
  for (int thread = 0; thread < count; ++thread)
    threads.emplace_back([&, thread] {
      for (int name = 0; name < names; ++name) {
        struct stat status = {};
        ::stat((scratch / std::to_string(name)).c_str(), &status);
        ::stat((scratch / (std::to_string(thread) + "/" + std::to_string(name))).c_str(), &status);
      }
    });
  for (std::thread& thread : threads) thread.join();
  const FileRecord record = recording.take();
  CHECK(record.gap.empty());
  CHECK(record.questions.size() == names + count * names);
}

TEST_CASE("the calls do what they did: results, errno, modes, and no question for what is written") {
  const ScratchFolder scratch;
  const std::string path = (scratch / "written").string();
  FileRecording recording;
  errno = 0;
  CHECK(::open(path.c_str(), O_RDONLY) == -1);
  CHECK(errno == ENOENT);
  const mode_t before = ::umask(0);
  const int written = ::open(path.c_str(), O_WRONLY | O_CREAT, 0640);
  ::umask(before);
  REQUIRE(written >= 0);
  CHECK(::write(written, "abc", 3) == 3);
  ::close(written);
  errno = E2BIG;
  struct stat status = {};
  CHECK(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK(status.st_size == 3);
  std::FILE* stream = std::fopen(path.c_str(), "r");
  REQUIRE(stream != nullptr);
  CHECK(std::fgetc(stream) == 'a');
  std::fclose(stream);
  CHECK(errno == E2BIG);
  int (*volatile open_it)(const char*, int, ...) = ::open;  // its declaration forbids a null path
  CHECK(open_it(nullptr, O_RDONLY) == -1);
  CHECK(errno == EFAULT);
  const FileRecord record = recording.take();
  CHECK(record.gap.empty());
  CHECK(questions_below(record, scratch.path()) == Questions{"written absent", "written file read"});
}

TEST_CASE("each way to ask is recorded with its answer") {
  const ScratchFolder scratch;
  scratch.write("file", "abc");
  fs::create_directory(scratch / "folder");
  fs::create_symlink("file", scratch / "link");
  REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
  const int folder = ::open(scratch.path().c_str(), O_RDONLY | O_DIRECTORY);
  char text[4096];
  struct stat status = {};
  FileRecording recording;
  const auto path = [&](const char* name) { return (scratch / name).string(); };
  ::lstat(path("link").c_str(), &status);
  ::fstatat(folder, "folder", &status, 0);
  ::faccessat(folder, "absent", R_OK, 0);
  CHECK(::access(path("file/below").c_str(), F_OK) == -1);
  CHECK(::access(path("pipe").c_str(), W_OK) == 0);
  CHECK(::realpath(path("./file").c_str(), text) == text);
  CHECK(::readlink(path("file").c_str(), text, sizeof text) == -1);
  CHECK(errno == EINVAL);
  CHECK(::openat(folder, "missing", O_RDONLY) == -1);
  const int listed = ::open(path("../").c_str(), O_RDONLY);
  ::close(listed);
  const FileRecord record = recording.take();
  ::close(folder);
  CHECK(record.gap.empty());
  CHECK(questions_below(record, scratch.path()) == Questions{"link file", "folder folder", "absent absent",
                                                             "file/below absent", "pipe other", "./file file",
                                                             "file file", "missing absent", "../ folder"});
}

TEST_CASE("a folder whose names are listed was read") {
  const ScratchFolder scratch;
  FileRecording recording;
  auto* list = reinterpret_cast<void* (*)(const char*)>(::dlsym(RTLD_DEFAULT, "opendir"));
  auto* close = reinterpret_cast<int (*)(void*)>(::dlsym(RTLD_DEFAULT, "closedir"));
  void* folder = list(scratch.path().c_str());
  REQUIRE(folder != nullptr);
  close(folder);
  CHECK(list((scratch / "missing").c_str()) == nullptr);
  CHECK(questions_below(recording.take(), scratch.path()) == Questions{" folder read", "missing absent"});
}

TEST_CASE("an error of the process's own is no answer, and makes a gap") {
  const ScratchFolder scratch;
  const std::string path = scratch.write("h.h", "").string();
  FileRecording recording;
  std::vector<int> opened;
  for (int next = ::dup(0); next >= 0; next = ::dup(0)) opened.push_back(next);
  CHECK(::open(path.c_str(), O_RDONLY) == -1);
  CHECK(errno == EMFILE);
  for (const int descriptor : opened) ::close(descriptor);
  CHECK(recording.take().gap.find("too many open files") != std::string::npos);
}

}  // namespace file_recording_test
