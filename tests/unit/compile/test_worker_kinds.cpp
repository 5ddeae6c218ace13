// All that compiles or links does so in a worker: nothing of this process changes by it, and a crash is an error.
#include "compile_bench.hpp"
#include "environment_guard.hpp"
#include "fake_worker.hpp"
#include "host_child_program.hpp"
#include "ir_texts.hpp"
#include "link_bench.hpp"
#include "run_program.hpp"

#include "compile/identity/chosen_compiler.hpp"
#include "compile/jobs/job_library.hpp"
#include "compile/nvjitlink/link_outcome.hpp"
#include "compile/worker/worker_answer.hpp"

#include <kiln/cancel.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>
#include <kiln/log.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace worker_kinds_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const char* const simple = "extern \"C\" __global__ void k(float* a) { a[0] = 1; }";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class Exception, class Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const Exception& error) {
    return error.what();
  }
  FAIL_CHECK("nothing thrown");
  return {};
}

}  // namespace

TEST_CASE("nothing of this process changes by a compile or a link, and no compiler is opened in it") {
  const Bench bench;
  for (const char* way : {"nvrtc", "refused", "nvvm", "link"}) {
    CAPTURE(way);
    CHECK(run_program(host_child(), {way, (bench.scratch / way).string()}).output == "done\n");
  }
}

TEST_CASE("a crash of libnvvm or nvJitLink is an error that says what died and how") {
  const Bench bench;
  const CompileOptions ltoir = bench.options().with_target(Target::ltoir).with_options({"-rdc=true"});
  const CodeObject piece = compile(simple, ltoir);
  version_of_nvjitlink();  // which linker it is to be is asked in a worker, too
  const FakeWorker fake("crash");
  const std::string ir = message_of<CompileError>([&] {
    compile(number_ir, bench.options().with(&CompileOptions::language, Language::nvvm_ir).with_cache(false));
  });
  CHECK(has(ir, "crashed on"));
  CHECK(has(ir, "libnvvm"));
  CHECK(has(ir, "SIGABRT"));
  Linker linker(LinkOptions{}.with(&LinkOptions::cache, false).with(&LinkOptions::lto, true));
  linker.add(piece, "piece");
  const std::string link = message_of<LinkError>([&] { linker.link(); });
  CHECK(has(link, "nvJitLink crashed, twice"));
  CHECK(has(link, "SIGABRT"));
  CHECK(has(link, "my last words"));
}

TEST_CASE("NVVM IR is called off at once, wherever libnvvm is") {
  FakeWorker fake("hang");
  fake.announce();
  const Bench bench;
  CancelSource source;
  std::thread compiling([&] {
    const CompileOptions options = bench.options()
                                       .with(&CompileOptions::language, Language::nvvm_ir)
                                       .with(&CompileOptions::cancel, source.token());
    CHECK_THROWS_AS(compile(number_ir, options), CompileStopped);
  });
  const pid_t worker = fake.wait_for_start();
  source.cancel();
  compiling.join();
  CHECK(ends(worker));
}

TEST_CASE(
    "where no process can be started, a compile is an error that says what to do, and what a cache has needs none") {
  const Bench bench;
  const std::string code(compile(simple, bench.options()).bytes());
  const std::filesystem::path bundle = bench.scratch / "bundle";
  const Cache cache(bench.options().caching.dir);
  cache.export_to(bundle);
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", "/nonexistent/kiln-worker");
  CHECK(compile(simple, bench.options()).from_cache());
  cache.clear();  // this process's memory forgets it
  cache.import_from(bundle);
  const CodeObject hit = compile(simple, bench.options());
  CHECK(hit.from_cache());
  CHECK(hit.bytes() == code);

  const CacheStats before = bench.stats();
  const std::string message = message_of<WorkerError>([&] { compile("__global__ void other() {}", bench.options()); });
  CHECK(has(message, "no process can be started, and NVRTC works only in one"));
  CHECK(has(message, "KILN_WORKER (/nonexistent/kiln-worker) names no program"));
  CHECK(has(message, "kiln cache warm"));
  const CacheStats after = bench.stats();
  CHECK(after.compiles == before.compiles);
  CHECK(after.stores == before.stores);
  CHECK(after.entries == before.entries);
}

TEST_CASE("a worker whose folder somebody removed is replaced, and one that never had any serves") {
  const ScratchFolder scratch;
  EnvironmentGuard guard;
  const FakeWorker fake("compile");
  std::filesystem::create_directory(scratch / "tmp");
  guard.set("TMPDIR", (scratch / "tmp").string());
  const Bench bench;
  const CompileOptions options = bench.options().with_cache(false);
  compile(simple, options);
  for (const auto& entry : std::filesystem::directory_iterator(scratch / "tmp"))
    if (has(entry.path().filename().string(), "kiln-tmp-worker-")) std::filesystem::remove_all(entry.path());
  compile(simple, options);
  CHECK(fake.started().size() == 2);
  guard.set("TMPDIR", "/nonexistent");
  compile(simple, options);
  CHECK(fake.started().size() == 3);
}

TEST_CASE("where no process can be started, LLVM IR and links are that error, too") {
  const Bench bench;
  const CodeObject piece = compile(simple, bench.options().with_target(Target::ltoir).with_options({"-rdc=true"}));
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", "/nonexistent/kiln-worker");
  const CompileOptions ir = bench.options().with(&CompileOptions::language, Language::nvvm_ir);
  CHECK(has(message_of<WorkerError>([&] { compile(number_ir, ir); }), "libnvvm works only in one"));
  Linker linker(LinkOptions{}.with(&LinkOptions::cache, false).with(&LinkOptions::lto, true));
  linker.add(piece, "piece");
  CHECK(has(message_of<ToolkitError>([&] { linker.link(); }), "nvJitLink works only in one"));  // beside the driver's
}

TEST_CASE(
    "a worker that has opened another library of the kind is not the right one; one that was replaced is an error") {
  CHECK(in_new_process([] {
    const JobLibrary library = nvrtc_for_job(*find_compiler_identity());
    JobLibrary replaced = library;
    replaced.identity = "build-id:00";
    message_of<ToolkitError>([&] { open_for_job(replaced); });
    open_for_job(library);
    open_for_job(library);
    try {
      open_for_job(replaced);
    } catch (const WorkerUnfit&) {
      return true;
    }
    return false;
  }));
}

}  // namespace worker_kinds_test
