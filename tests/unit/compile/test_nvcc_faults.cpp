#include "worker/nvcc/nvcc_compile.hpp"

#include "compile/identity/nvcc_environment.hpp"
#include "worker/nvcc/nvcc_version.hpp"
#include "worker/nvrtc/nvrtc_compile.hpp"

#include <kiln/compile.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include <unistd.h>

#include "environment_guard.hpp"
#include "fake_process_runner.hpp"
#include "in_child.hpp"
#include "scratch_folder.hpp"
#include "small_job.hpp"

namespace nvcc_faults_test {

using namespace kiln;
using kiln::test::EnvironmentGuard;
using kiln::test::FakeProcessRunner;
using kiln::test::ScratchFolder;

namespace fs = std::filesystem;

namespace {

using List = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

CompilerJob simple_job() { return kiln::test::job("__global__ void k() {}"); }

/// A folder for temporary files, and an nvcc that is a shell script.
struct FakeNvcc {
  ScratchFolder scratch;
  EnvironmentGuard guard;
  std::string path = (scratch / "bin/nvcc").string();

  explicit FakeNvcc(const std::string& script) {
    fs::create_directory(scratch / "tmp");
    guard.set("TMPDIR", (scratch / "tmp").string());
    scratch.write("bin/nvcc", "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
  }
  bool left_nothing() const { return fs::is_empty(scratch / "tmp"); }

  template <class Exception = CompileError>
  std::string failure(const CompilerJob& job = simple_job()) const {
    try {
      compile_with_nvcc(path, job);
    } catch (const Exception& error) {
      return error.what();
    }
    FAIL("compiled");
    return {};
  }
};

/// What the fake writes where nvcc would write its output.
void write_output(const ProcessRequest& request, const std::string& bytes) {
  for (std::size_t i = 0; i + 1 < request.arguments.size(); ++i)
    if (request.arguments[i] == "-o") test::write_file(request.working_folder + "/" + request.arguments[i + 1], bytes);
}

/// What an nvcc makes that is as it should be.
const std::string& real_cubin() {
  static const std::string code = compile_with_nvrtc(NvrtcLibrary::get(), simple_job()).code;
  return code;
}

}  // namespace

TEST_CASE("that a host compiler is missing is said where it is, and not of nvcc's options") {
  for (const char* said : {"nvcc fatal   : Unknown option '--fast-math'", "nvcc fatal   : 'abc': expected a number",
                           "nvcc fatal   : Value 'c++33' is not defined for option 'std'",
                           "/usr/bin/cicc: Permission denied", "sh: 1: cicc: not found"}) {
    const std::string text = FakeNvcc("echo \"" + std::string(said) + "\" >&2; exit 1").failure();
    CHECK_MESSAGE(!contains(text, "whole host compiler"), text);
  }
  for (const char* said : {"gcc: No such file or directory", "/usr/bin/g++-99: No such file or directory",
                           "clang++-9: No such file or directory", "x86_64-linux-gnu-gcc-12: Permission denied",
                           "nvcc fatal   : Failed to preprocess host compiler properties.",
                           "gcc: fatal error: cannot execute 'cc1plus': execvp: No such file or directory"}) {
    const std::string text = FakeNvcc("echo \"" + std::string(said) + "\" >&2; exit 1").failure();
    CHECK_MESSAGE(contains(text, "nvcc needs a whole host compiler"), text);
  }
}

TEST_CASE("an nvcc that ends well and writes no code") {
  for (const Target target : {Target::cubin, Target::ptx, Target::fatbin, Target::ltoir, Target::optixir}) {
    CompilerJob job = simple_job();
    job.target = target;
    for (const std::string& output : {std::string("garbage"), real_cubin().substr(0, 200)}) {
      const FakeNvcc nvcc("while [ \"$1\" != -o ]; do shift; done; cat \"$(dirname \"$0\")/output\" > \"$2\"");
      nvcc.scratch.write("bin/output", output);
      const std::string message = nvcc.failure(job);
      CHECK_MESSAGE(contains(message, "it ended with success, but of its output"), message);
      CHECK(nvcc.left_nothing());
    }
  }
}

TEST_CASE("an output that is a pipe, a device or a folder is none, and nothing blocks") {
  for (const char* script : {"mkfifo kernel.cubin", "ln -s /dev/zero kernel.cubin", "mkdir kernel.cubin"}) {
    const FakeNvcc nvcc(script);
    CHECK(contains(nvcc.failure(), "it made no output"));
    CHECK(nvcc.left_nothing());
  }
}

TEST_CASE("an nvcc that fails and says nothing") {
  const FakeNvcc nvcc("exit 1");
  const std::string message = nvcc.failure();
  CHECK(contains(message, "it ended with status 1 and said nothing"));
  CHECK(contains(message, "command: '" + nvcc.path + "'"));
  CHECK(nvcc.left_nothing());
}

TEST_CASE("an nvcc that ends well without output") {
  CHECK(contains(FakeNvcc("exit 0").failure(), "it made no output and said nothing"));
  const FakeNvcc empty("echo text; : > kernel.cubin");
  const std::string message = empty.failure();
  CHECK(contains(message, "it made no output\n"));
  CHECK(contains(message, "log:\ntext"));
  CHECK(empty.left_nothing());
}

TEST_CASE("an nvcc that a signal ends") {
  const FakeNvcc nvcc("kill -9 $$");
  const std::string message = nvcc.failure();
  CHECK(contains(message, "ended by signal 9 (SIGKILL"));
  CHECK(contains(message, "memory"));
  CHECK(nvcc.left_nothing());
}

TEST_CASE("an nvcc that prints a hundred megabytes") {
  const FakeNvcc nvcc("head -c 104857600 /dev/zero | tr '\\0' x; exit 3");
  const std::string message = nvcc.failure();
  CHECK(message.size() < (std::size_t{2} << 20));
  CHECK(contains(message, "it ended with status 3"));
  CHECK(contains(message, "more was written"));
  CHECK(nvcc.left_nothing());
}

TEST_CASE("an nvcc that lists no architectures is judged by its compile") {
  const FakeNvcc nvcc("echo broken >&2; exit 3");
  try {
    compile("__global__ void k() {}",
            CompileOptions{}.with_backend(Backend::nvcc).with_nvcc({nvcc.path}).with_cache(false));
    FAIL_CHECK("compiled");
  } catch (const CompileError& error) {
    CHECK(contains(error.what(), "it ended with status 3"));
    CHECK(contains(error.what(), "broken"));
  }
}

TEST_CASE(
    "an nvcc that hangs is ended at the deadline, also one that will not be told, and one that lists architectures") {
  const std::string no_list = "[ \"$1\" != --list-gpu-code ] || exit 0\n";
  for (const std::string& script :
       {no_list + "sleep 1000", no_list + "trap '' TERM; while :; do sleep 1000; done", std::string("sleep 1000")}) {
    CAPTURE(script);
    const FakeNvcc nvcc(script);
    const CompileOptions options = CompileOptions{}
                                       .with_backend(Backend::nvcc)
                                       .with_nvcc({nvcc.path})
                                       .with_cache(false)
                                       .with(&CompileOptions::timeout, std::chrono::milliseconds(100));
    try {
      compile("__global__ void k() {}", options);
      FAIL_CHECK("compiled");
    } catch (const CompileStopped& stopped) {
      CHECK(stopped.timed_out());
    }
    CHECK(nvcc.left_nothing());
  }
}

TEST_CASE("an nvcc that is no program, or too old") {
  const FakeNvcc nvcc("");
  nvcc.scratch.write("bin/nvcc", "neither a script nor a program");
  CHECK(contains(nvcc.failure<ToolkitError>(), nvcc.path));
  fs::remove(nvcc.path);
  CHECK(contains(nvcc.failure<ToolkitError>(), "could not be started"));
  const FakeNvcc old("[ \"$1\" = --version ] && echo 'release 10.2, V10.2.89'; exit 1");
  const std::string message = old.failure<ToolkitError>();
  CHECK(contains(message, "nvcc 10.2"));
  CHECK(contains(message, "too old"));
  CHECK(old.left_nothing());
}

TEST_CASE("a temporary folder that is not there, or not writable") {
  FakeNvcc nvcc("exit 0");
  nvcc.guard.set("TMPDIR", (nvcc.scratch / "absent").string());
  std::string message = nvcc.failure<Error>();
  CHECK(contains(message, (nvcc.scratch / "absent").string()));
  CHECK(contains(message, "TMPDIR"));
  nvcc.guard.set("TMPDIR", "/proc");
  CHECK(contains(nvcc.failure<Error>(), "TMPDIR"));
}

TEST_CASE("what the fake is asked to run") {
  const ScratchFolder scratch;
  const EnvironmentGuard guard({{"TMPDIR", scratch.path().string()},
                                {"NVCC_APPEND_FLAGS", "-X"},
                                {"LC_MESSAGES", "de_DE"},
                                {"SUNPRO_DEPENDENCIES", "/elsewhere"},
                                {"KILN_TEST_VARIABLE", "kept"}});
  FakeProcessRunner runner([](const ProcessRequest& request) {
    write_output(request, real_cubin());
    ProcessResult result;
    result.output = "kernel.cu\n";
    return result;
  });
  FileRecord record;
  const CompilerOutput output = compile_with_nvcc("/opt/cuda/bin/nvcc", simple_job(), runner, &record);
  CHECK(output.code == real_cubin());
  CHECK(output.log.empty());
  CHECK(record.gap != "");  // no host compiler asked for anything
  REQUIRE(runner.requests().size() == 1);
  const ProcessRequest request = runner.requests().front();
  CHECK(output.options == request.arguments);
  CHECK(fs::path(request.working_folder).parent_path() == scratch.path());
  CHECK_FALSE(fs::exists(request.working_folder));
  const List& variables = request.environment;
  const auto has = [&](const char* variable) { return std::count(variables.begin(), variables.end(), variable) == 1; };
  CHECK(has("LC_ALL=C"));
  CHECK(has("TMPDIR=."));
  CHECK(has("KILN_TEST_VARIABLE=kept"));
  for (const std::string& variable : variables)
    for (const char* name : {"NVCC_APPEND_FLAGS=", "LC_MESSAGES=", "SUNPRO_DEPENDENCIES="})
      CHECK(variable.find(name) != 0);
}

TEST_CASE("a program that does not start with the library that records runs without it, and the record has a gap") {
  FakeProcessRunner runner([](const ProcessRequest& request) {
    ProcessResult result;
    for (const std::string& variable : request.environment) {
      if (!variable.starts_with("LD_PRELOAD=")) continue;
      result.exit.code = 1;
      result.errors = "cicc: " + variable.substr(11) + ": version `GLIBC_2.99' not found\n";
      return result;
    }
    write_output(request, real_cubin());
    return result;
  });
  FileRecord record;
  record.questions.push_back({"/of/an/attempt/before", FileQuestion::Answer::absent});
  CHECK(compile_with_nvcc("/opt/cuda/bin/nvcc", simple_job(), runner, &record).code == real_cubin());
  CHECK(runner.requests().size() == 2);
  CHECK(record.gap.find("does not run") != std::string::npos);
  CHECK(record.questions.size() == 1);
}

TEST_CASE("an in-memory header must have a name of a file in the folder") {
  FakeProcessRunner runner;
  for (const char* name : {"/abs.h", "../up.h", "a/../../up.h", "", "folder/"}) {
    CompilerJob job = simple_job();
    job.headers = {{name, ""}};
    CHECK_THROWS_AS(compile_with_nvcc("/nvcc", job, runner), ArgumentError);
  }
  CHECK(runner.requests().empty());
}

TEST_CASE("options of the environment are taken apart as nvcc does") {
  EnvironmentGuard guard({{"NVCC_PREPEND_FLAGS", " -DA=1\t-w "}, {"NVCC_APPEND_FLAGS", std::nullopt}});
  CHECK(nvcc_environment_options_before() == List{"-DA=1", "-w"});
  CHECK(nvcc_environment_options_after().empty());
  guard.set("NVCC_APPEND_FLAGS", "-DA=\"b c\" -I\"/a b\" -D B=\"x\" -DC=\"q\\\"r s\"");
  CHECK(nvcc_environment_options_after() == List{"-DA=\"b c\"", "-I/a b", "-D", "B=\"x\"", "-DC=\"q\\\"r s\""});
}

TEST_CASE("an nvcc names its version") {
  FakeProcessRunner runner([](const ProcessRequest&) {
    ProcessResult result;
    result.output = "Cuda compilation tools, release 12.4, V12.4.131\n";
    return result;
  });
  CHECK(version_of_nvcc("/nvcc", runner).major == 12);
  CHECK(version_of_nvcc("/nvcc", runner).minor == 4);
  CHECK(runner.requests().at(0).arguments == List{"/nvcc", "--version"});
  FakeProcessRunner silent;
  CHECK_THROWS_AS(version_of_nvcc("/nvcc", silent), ToolkitError);
}

}  // namespace nvcc_faults_test
