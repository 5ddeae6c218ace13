// nvcc in a worker: its environment, its end, and what it leaves.
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "fake_worker.hpp"
#include "host_child_program.hpp"
#include "real_nvcc.hpp"
#include "run_program.hpp"

#include "base/owned_descriptor.hpp"

#include <kiln/cancel.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

namespace worker_nvcc_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const char* const simple = "extern \"C\" __global__ void k(float* a) { a[0] = 1; }";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// An nvcc that is a shell script, with a folder for temporary files.
struct ScriptNvcc : Bench {
  explicit ScriptNvcc(const std::string& script) {
    std::filesystem::create_directory(scratch / "tmp");
    guard.set("TMPDIR", (scratch / "tmp").string());
    scratch.write("bin/nvcc", "#!/bin/sh\n[ \"$1\" != --list-gpu-code ] || exit 0\n" + script);
    std::filesystem::permissions(scratch / "bin/nvcc", std::filesystem::perms::owner_all);
  }
  CompileOptions options() const {
    return Bench::options().with_backend(Backend::nvcc).with_nvcc({(scratch / "bin/nvcc").string()}).with_cache(false);
  }
  std::string failure() const {
    try {
      compile(simple, options());
    } catch (const CompileError& error) {
      return error.what();
    }
    FAIL_CHECK("compiled");
    return {};
  }

  EnvironmentGuard guard;
};

/// What a script tells by "$KILN_TEST_PIPE", a line.
class ToldByScript {
 public:
  explicit ToldByScript(const ScriptNvcc& nvcc) {
    const std::string path = (nvcc.scratch / "pipe").string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    guard_.set("KILN_TEST_PIPE", path);
    pipe_ = OwnedDescriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  }
  std::string wait() const {
    std::string line;
    for (char c = 0; ::read(pipe_.get(), &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }

 private:
  EnvironmentGuard guard_;
  OwnedDescriptor pipe_;
};

}  // namespace

TEST_CASE("nvcc has the environment of this process as it is now, not as it was when its worker was started") {
  ScriptNvcc nvcc("echo \"value is <$KILN_TEST_VALUE>\" >&2; exit 3");
  const FakeWorker fake("compile");
  nvcc.guard.set("KILN_TEST_VALUE", "one");
  CHECK(has(nvcc.failure(), "value is <one>"));
  nvcc.guard.set("KILN_TEST_VALUE", "two");
  CHECK(has(nvcc.failure(), "value is <two>"));
  CHECK(fake.started().size() == 1);
}

TEST_CASE("an nvcc is asked for its version once for each state of its file") {
  const std::string script = "echo >> \"$(dirname \"$0\")/asked\"; echo 'release 12.4, V12.4.131'; exit 0";
  const ScriptNvcc nvcc(script);
  const FakeWorker fake("compile");
  const std::string path = (nvcc.scratch / "bin/nvcc").string();
  const auto asked = [&] { return nvcc.scratch.read("bin/asked").size(); };
  for (int round = 0; round < 2; ++round) CHECK(get_nvcc_version(path).minor == 4);
  CHECK(asked() == 1);
  nvcc.scratch.write("bin/nvcc", "#!/bin/sh\n" + script + "\n# another");
  CHECK(get_nvcc_version(path).minor == 4);
  CHECK(asked() == 2);
}

TEST_CASE("a timeout ends nvcc with all that it started, at once, and nothing is left") {
  const FakeWorker fake("compile");
  const ScriptNvcc nvcc("trap '' TERM; sleep 1000 & echo $! > \"$KILN_TEST_PIPE\"; wait");
  const ToldByScript told(nvcc);
  CancelSource source;
  std::thread compiling([&] {
    CHECK_THROWS_AS(compile(simple, nvcc.options().with(&CompileOptions::cancel, source.token())), CompileStopped);
  });
  const std::string number = told.wait();
  source.cancel();
  compiling.join();
  CHECK(ends(std::stoi(number)));
  CHECK(std::filesystem::is_empty(nvcc.scratch / "tmp"));
}

TEST_CASE("nvcc and what it started end with a worker that is killed") {
  const FakeWorker fake("compile");
  const ScriptNvcc nvcc(
      "once=\"$(dirname \"$0\")/once\"; [ ! -e \"$once\" ] || exit 3; : > \"$once\"\n"
      "sleep 1000 & echo $$ $! > \"$KILN_TEST_PIPE\"; wait");
  const ToldByScript told(nvcc);
  std::thread compiling([&] { CHECK(has(nvcc.failure(), "it ended with status 3")); });  // in a second worker
  std::istringstream numbers(told.wait());
  ::kill(fake.started().at(0), SIGKILL);
  compiling.join();
  for (pid_t one = 0; numbers >> one;) CHECK(ends(one));
  CHECK(fake.started().size() == 2);
}

TEST_CASE("what is kept of an nvcc's work stays, where this process has its temporary files") {
  const ScriptNvcc nvcc("echo broken >&2; exit 3");
  const FakeWorker fake("compile");
  try {
    compile(simple, nvcc.options().with(&CompileOptions::keep, true));
    FAIL("compiled");
  } catch (const CompileError&) {
  }
  WorkerPool::get().clear();
  std::size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(nvcc.scratch / "tmp"))
    if (has(entry.path().filename().string(), "kiln-nvcc-")) ++kept;
  CHECK(kept == 1);
}

TEST_CASE("the folder of an nvcc that is called off stays where that is wished, and the error names it") {
  const FakeWorker fake("compile");
  const ScriptNvcc nvcc(": > partly; echo > \"$KILN_TEST_PIPE\"; sleep 1000");
  const ToldByScript told(nvcc);
  CancelSource source;
  std::string message;
  std::thread compiling([&] {
    try {
      compile(simple, nvcc.options().with(&CompileOptions::keep, true).with(&CompileOptions::cancel, source.token()));
    } catch (const CompileStopped& stopped) {
      message = stopped.what();
    }
  });
  told.wait();
  source.cancel();
  compiling.join();
  const std::filesystem::path folder = std::filesystem::directory_iterator(nvcc.scratch / "tmp")->path();
  CHECK(has(message, "Its working folder is kept: " + folder.string()));
  CHECK(std::filesystem::exists(folder / "partly"));
}

TEST_CASE("without a process of its own nvcc is an error that says so") {
  const ScriptNvcc nvcc("exit 3");
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", "/nonexistent/kiln-worker");
  CHECK_THROWS_AS(compile(simple, nvcc.options()), WorkerError);
  CHECK_THROWS_AS(get_nvcc_version((nvcc.scratch / "bin/nvcc").string()), WorkerError);
}

TEST_CASE("nothing of this process changes by what nvcc does" * needs_nvcc()) {
  const Bench bench;
  for (const char* way : {"nvcc", "version", "preprocess"}) {
    CAPTURE(way);
    CHECK(run_program(host_child(), {way, (bench.scratch / way).string()}).output == "done\n");
  }
}

}  // namespace worker_nvcc_test
