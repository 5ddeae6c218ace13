// Compiles in workers: the same results, the same errors, and what happens when a worker does not come back.
#include "compile/jobs/worker_compile.hpp"

#include "compile/jobs/run_in_worker.hpp"
#include "compile/worker/worker_program.hpp"
#include "fake_worker.hpp"
#include "in_child.hpp"
#include "job_in_worker.hpp"

#include <kiln/cancel.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace worker_compile_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const char* const simple = "extern \"C\" __global__ void k(float* a) { a[0] = 1; }";

std::string failure_of(const CompilerJob& made) {
  try {
    compile_there(made);
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a worker makes what this process makes, and is used again") {
  const FakeWorker fake("compile");
  REQUIRE(find_worker_program().has_value());
  CompilerJob made =
      job("#include \"a.h\"\n#if 0\n#include \"b.h\"\n#endif\ntemplate <class T> __global__ void k(T) {}");
  made.headers = {{"a.h", ""}, {"b.h", ""}};
  made.name_expressions = {"k<int>"};
  const MadeCode here = compile_here(made);
  for (int round = 0; round < 2; ++round) {
    const MadeCode there = compile_there(made);
    CHECK(there.code->bytes == here.code->bytes);
    CHECK(there.code->arch == here.code->arch);
    CHECK(there.code->backend == here.code->backend);
    CHECK(there.code->lowered_names == here.code->lowered_names);
    CHECK(there.code->parameter_kinds == here.code->parameter_kinds);
  }
  CHECK(fake.started().size() == 1);
}

TEST_CASE("what a compile does for all later ones of its process reaches none") {
  const FakeWorker fake("compile");
  CompilerJob made = job(simple);
  made.arguments = {"-opt-info=inline"};
  CHECK(compiles_there(made));
  CHECK(compile_there(job(simple)).code->log.empty());
  CHECK(fake.started().size() == 2);
}

TEST_CASE("what a worker logs is logged here, as it comes") {
  const FakeWorker fake("compile");
  EnvironmentGuard guard;
  std::vector<std::string> lines;
  set_log_handler([&](LogLevel level, const std::string& text) {
    if (level == LogLevel::info) lines.push_back(text);
  });
  const CompilerJob unannotated = job("int f() { return 1; }\n__global__ void k(int* a) { *a = f(); }");
  CHECK(compiles_there(unannotated));  // the level is warn
  CHECK(lines.empty());
  guard.set("KILN_LOG", "info");  // and this is the level of the worker, too, which was started before
  CHECK(compiles_there(unannotated));
  set_log_handler({});
  REQUIRE(lines.size() == 1);
  CHECK(contains(lines[0], "compiled again with -default-device"));
  CHECK(fake.started().size() == 1);
}

TEST_CASE("a worker's error is this process's error, and the worker serves on") {
  const FakeWorker fake("compile");
  const CompilerJob made = job("this is no CUDA");
  std::string here;
  try {
    compile_here(made);
  } catch (const CompileError& error) {
    here = error.what();
  }
  CHECK(failure_of(made) == here);
  CHECK(compiles_there(job(simple)));
  CHECK(fake.started().size() == 1);
}

TEST_CASE("relative folders count from where this process is now, not from where a worker was started") {
  const FakeWorker fake("compile");
  const ScratchFolder folder;
  folder.write("one/value.h", "#error one");
  folder.write("two/value.h", "#error two");
  CompilerJob made = job("#include <value.h>\n");
  made.arguments = {"-I."};
  CHECK(in_child([&] {
          std::filesystem::current_path(folder / "one");
          if (!contains(failure_of(made), "directive: one")) return 1;
          std::filesystem::current_path(folder / "two");
          return contains(failure_of(made), "directive: two") ? 0 : 2;
        }) == 0);
}

TEST_CASE("many threads, one job a worker at a time") {
  const FakeWorker fake("compile");
  std::vector<std::thread> threads;
  std::vector<std::string> codes(4);
  for (std::size_t i = 0; i < codes.size(); ++i)
    threads.emplace_back([&, i] { codes[i] = compile_there(job(simple)).code->bytes; });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& code : codes) CHECK(code == codes[0]);
  CHECK(codes[0].substr(1, 3) == "ELF");
  CHECK(fake.started().size() <= 4);
}

TEST_CASE("a worker that crashes costs one more try") {
  const FakeWorker fake("crash once");
  CHECK(compiles_there(job(simple)));
  CHECK(fake.started().size() == 2);
}

TEST_CASE("a worker that crashes again is reported: how, and what it said last") {
  const FakeWorker fake("crash");
  const std::string text = failure_of(job(simple));
  CHECK(contains(text, "crashed on \"kernel.cu\", twice"));
  CHECK(contains(text, "SIGABRT"));
  CHECK(contains(text, "my last words"));
  CHECK(fake.started().size() == 2);
  CHECK(has_no_child());
}

TEST_CASE("workers that exit, hang up, or answer what is no answer are crashed ones") {
  for (const char* mode : {"exit", "close", "garbage"}) {
    CAPTURE(mode);
    const FakeWorker fake(mode);
    const std::string text = failure_of(job(simple));
    CHECK(contains(text, "twice"));
    if (std::string(mode) == "exit") CHECK(contains(text, "exit status 7"));
    if (std::string(mode) == "garbage") CHECK(contains(text, "not of this version"));
    CHECK(fake.started().size() == 2);
    CHECK(has_no_child());
  }
}

TEST_CASE("one that was killed while it waited for a job is no crash") {
  FakeWorker fake("compile");
  fake.announce();
  compile_there(job(simple));
  const pid_t idle = fake.wait_for_start();
  ::kill(idle, SIGKILL);
  REQUIRE(ends(idle));
  CHECK(compiles_there(job(simple)));
  CHECK(fake.wait_for_start() != idle);
}

TEST_CASE("one that is killed while it compiles is replaced") {
  FakeWorker fake("compile");
  fake.announce();
  CompilerJob made = job(endless_source());
  CancelSource source;
  made.stop.cancel = source.token();
  std::thread compiling([&] { CHECK_THROWS_AS(compile_there(made), CompileStopped); });
  const pid_t first = fake.wait_for_start();
  ::kill(first, SIGKILL);
  CHECK(fake.wait_for_start() != first);
  source.cancel();
  compiling.join();
  CHECK(has_no_child());
}

TEST_CASE("a timeout ends the compiler wherever it is, and the next compile starts clean") {
  const FakeWorker fake("compile");
  const CleanTemporaryFolder temporary;
  const std::size_t before = open_descriptors();
  CompilerJob made = job(endless_source());
  made.stop.deadline = Stop::Clock::now() + std::chrono::milliseconds(300);
  try {
    compile_there(made);
    FAIL("compiled");
  } catch (const CompileStopped& error) {
    CHECK(error.timed_out());
    CHECK(contains(error.what(), "kernel.cu"));
    CHECK(contains(error.what(), "timeout"));
  }
  CHECK(has_no_child());
  CHECK(open_descriptors() == before);
  CHECK(temporary.is_empty());
  CHECK(compiles_there(job(simple)));
}

TEST_CASE("calling off ends a worker that does not want to end, and all of its group") {
  FakeWorker fake("hang");
  fake.announce();
  CompilerJob made = job(simple);
  CancelSource source;
  made.stop.cancel = source.token();
  std::thread compiling([&] {
    try {
      compile_there(made);
      FAIL("compiled");
    } catch (const CompileStopped& error) {
      CHECK_FALSE(error.timed_out());
    }
  });
  const pid_t worker = fake.wait_for_start();
  source.cancel();
  compiling.join();
  CHECK(ends(worker));
  CHECK(has_no_child());
}

TEST_CASE("what is due before it begins starts nothing") {
  const FakeWorker fake("compile");
  CancelSource source;
  source.cancel();
  CompilerJob made = job(simple);
  made.stop.cancel = source.token();
  CHECK_THROWS_AS(compile_there(made), CompileStopped);
  CHECK(fake.started().empty());
}

TEST_CASE("a child of fork has workers of its own, and leaves its parent's alone") {
  const FakeWorker fake("compile");
  compile_there(job(simple));
  CHECK(in_child([] {
          const bool good = compiles_there(job(simple));
          WorkerPool::get().clear();
          return good && has_no_child() ? 0 : 1;
        }) == 0);
  CHECK(fake.started().size() == 2);
  compile_there(job(simple));
  CHECK(fake.started().size() == 2);
}

TEST_CASE("without the worker program there is the error, and a program that is none is none") {
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", "/nonexistent/kiln-worker");
  CHECK_FALSE(find_worker_program().has_value());
  guard.set("KILN_WORKER", "/tmp");
  CHECK_FALSE(find_worker_program().has_value());
  CHECK_THROWS_AS(compile_there(job(simple)), WorkerError);
}

TEST_CASE("a program that cannot be started is the error, with the reason") {
  const ScratchFolder folder;
  const auto broken = folder.write("kiln-worker", "no program");
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", broken.string());
  REQUIRE(find_worker_program().has_value());
  CHECK_THROWS_WITH_AS(compile_there(job(simple)), doctest::Contains(broken.c_str()), WorkerError);
  CHECK_THROWS_WITH(compile_there(job(simple)), doctest::Contains("Exec format error"));
}

TEST_CASE("a worker that ends before it serves, or is of another build, is the error") {
  for (const char* mode : {"no start", "other build"}) {
    CAPTURE(mode);
    const FakeWorker fake(mode);
    CHECK_THROWS_AS(compile_there(job(simple)), WorkerError);
    CHECK(fake.started().empty());
  }
}

}  // namespace worker_compile_test
