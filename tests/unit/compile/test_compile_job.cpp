#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/compile_job.hpp>
#include <kiln/error.hpp>

#include "compile/code/code_data.hpp"
#include "fake_worker.hpp"
#include "in_child.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace compile_job_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct Place {
  ScratchFolder scratch;
  CompileOptions options() const { return CompileOptions{}.with_arch("sm_80").with_caching({scratch / "cache"}); }
};

const char* const simple = "extern \"C\" __global__ void k() {}";

std::optional<CompileJob> static_job;

/// What the CompileStopped of that job says.
std::string stopped_text(const CompileJob& job) {
  try {
    job.get();
  } catch (const CompileStopped& stopped) {
    return stopped.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the code comes when it is asked for, and again") {
  const FakeWorker fake("compile");
  const Place place;
  CompileJob job(simple, place.options());
  CHECK(job.get().kernels().at(0).name == "k");
  job.wait();
  CHECK(job.get().kernels().at(0).name == "k");
  CHECK(fake.started().size() == 1);
}

TEST_CASE("ready says that get returns at once") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  CompileJob job(endless_source(), place.options());
  fake.wait_for_start();
  CHECK_FALSE(job.ready());
  job.cancel();
  const std::string text = stopped_text(job);
  CHECK_MESSAGE(text.find("called off") != std::string::npos, text);
  CHECK_MESSAGE(text.find("It may be compiled again") != std::string::npos, text);
  CHECK_MESSAGE(text.find("token") == std::string::npos, text);  // none was given
  while (!job.ready()) std::this_thread::yield();
  CHECK_THROWS_AS(job.get(), CompileStopped);
  CHECK(has_no_child());
  CHECK(Cache(place.scratch / "cache").stats().entries == 0);
}

TEST_CASE("what the compile throws, get throws") {
  const Place place;
  const CompileJob refused("this is no CUDA", place.options());
  CHECK_THROWS_AS(refused.get(), CompileError);
  CHECK_THROWS_AS(refused.get(), CompileError);
  const CompileJob senseless(simple, place.options().with_arch("nonsense"));
  CHECK_THROWS_AS(senseless.get(), ArgumentError);
}

TEST_CASE("where no thread can be started the constructor compiles") {
  CHECK(in_child([] {
          constexpr uid_t nobody = 65534;
          const rlimit none = {0, 0};
          if ((::geteuid() == 0 && ::setuid(nobody) != 0) || ::setrlimit(RLIMIT_NPROC, &none) != 0) return 1;
          ::setenv("KILN_REQUIRE_CACHED", "1", 1);  // no compiler is needed for that answer
          ::setenv("KILN_LOG", "off", 1);
          const CompileJob job(simple, CompileOptions{}.with_arch("sm_80"));
          if (!job.ready()) return 2;
          job.wait();
          try {
            job.get();
            return 3;
          } catch (const NotCached&) {
            return 0;
          }
        }) == 0);
}

TEST_CASE("one that is not wanted any more is ended with its object") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  {
    const CompileJob job(endless_source(), place.options());
    fake.wait_for_start();
  }
  CHECK(has_no_child());
}

TEST_CASE("the caller's own token works too") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  CancelSource source;
  const CompileJob job(endless_source(), place.options().with(&CompileOptions::cancel, source.token()));
  fake.wait_for_start();
  source.cancel();
  const std::string text = stopped_text(job);
  CHECK_MESSAGE(text.find("It may be compiled again, with another token") != std::string::npos, text);
}

TEST_CASE("code outlives its job: it can be compiled again, for another device") {
  const FakeWorker fake("compile");
  const Place place;
  const auto code = std::make_unique<CompileJob>(simple, place.options())->get();
  const CompileOptions& options = code.data()->recipe->options;
  CHECK(!options.cancel.is_cancelled());
  CHECK(compile(simple, options.with_arch("sm_90")).arch() == "sm_90");
}

TEST_CASE("a job moves, and what it is moved onto is ended") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  CompileJob job(endless_source(), place.options());
  fake.wait_for_start();
  CompileJob other(simple, place.options());
  job = std::move(other);
  CHECK(job.get().kernels().at(0).name == "k");
  const CompileJob third(std::move(job));
  CHECK(third.get().kernels().at(0).name == "k");
}

TEST_CASE("one of static lifetime does not hold up the end of the program") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  const pid_t child = ::fork();
  if (child == 0) {
    static_job.emplace(endless_source(), place.options());
    fake.wait_for_start();
    std::exit(0);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("in a child of fork a job that was ready serves, and one that was not says so") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  const CompileJob done(simple, place.options());
  while (!done.ready()) std::this_thread::yield();
  fake.wait_for_start();
  WorkerPool::get().clear();  // a worker announces itself once
  std::optional<CompileJob> running(std::in_place, endless_source(), place.options());
  fake.wait_for_start();
  CHECK(in_child([&] {
          if (done.get().kernels().at(0).name != "k") return 1;
          try {
            running->get();
            return 2;
          } catch (const Error&) {
          }
          running.reset();  // must not wait for a thread that is not here, nor end the parent's worker
          return 0;
        }) == 0);
  CHECK_FALSE(running->ready());
}

}  // namespace compile_job_test
