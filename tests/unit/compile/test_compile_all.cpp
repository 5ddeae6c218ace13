// Many requests at once. What happened is read off the folder's counters, and off what the workers log.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include "compile/code/code_data.hpp"
#include "environment_guard.hpp"
#include "fake_worker.hpp"
#include "in_child.hpp"
#include "toolkit/libraries/nvrtc_library.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace compile_all_test {

using namespace kiln;
using namespace kiln::test;
namespace fs = std::filesystem;
using Outcome = CompileProgress::Outcome;

namespace {

struct Place {
  ScratchFolder scratch;
  CompileOptions options() const { return CompileOptions{}.with_arch("sm_80").with_caching({scratch / "cache"}); }
  CompileRequest request(std::string source) const { return {std::move(source), options()}; }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
};

std::string kernel(const std::string& name) { return "extern \"C\" __global__ void " + name + "() {}"; }
std::string name_of(const CompileResult& result) { return result.get().kernels().at(0).name; }

/// Collects what it is told.
struct Listener {
  std::vector<CompileProgress> all;
  CompileProgressHandler handler() {
    return [this](const CompileProgress& progress) {
      all.push_back(progress);
      return true;
    };
  }
  std::size_t count(Outcome outcome) const {
    std::size_t number = 0;
    for (const CompileProgress& one : all) number += one.outcome == outcome ? 1 : 0;
    return number;
  }
};

}  // namespace

TEST_CASE("results and errors come back in order, and each is reported once") {
  const FakeWorker fake("compile");
  const Place place;
  std::vector<CompileRequest> requests;
  for (int i = 0; i < 8; ++i) requests.push_back(place.request(kernel("k" + std::to_string(i))));
  requests[2].source = "this is no CUDA";
  requests[5].options.arch = "nonsense";
  Listener listener;
  const auto results = compile_all(requests, listener.handler(), 3);
  REQUIRE(results.size() == 8);
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    if (i == 2 || i == 5) {
      CHECK_FALSE(results[i].ok());
      CHECK(results[i].error());
    } else {
      CHECK(name_of(results[i]) == "k" + std::to_string(i));
      CHECK_FALSE(results[i].error());
    }
  }
  CHECK_THROWS_AS(results[2].get(), CompileError);
  CHECK_THROWS_AS(results[2].get(), CompileError);  // again
  CHECK_THROWS_AS(results[5].get(), ArgumentError);
  CHECK(listener.all.size() == 8);
  std::vector<int> told(8);
  for (std::size_t i = 0; i < listener.all.size(); ++i) {
    CHECK(listener.all[i].done == i + 1);
    CHECK(listener.all[i].total == 8);
    ++told.at(listener.all[i].index);
  }
  CHECK(told == std::vector<int>(8, 1));
  CHECK(listener.count(Outcome::failed) == 2);
  CHECK(listener.count(Outcome::compiled) == 6);
  CHECK(place.stats().compiles == 6);
  CHECK(fake.started().size() >= 1);
  CHECK(fake.started().size() <= 3);
}

TEST_CASE("code outlives compile_all: it can be compiled again, for another device") {
  const FakeWorker fake("compile");
  const Place place;
  const auto results = compile_all({place.request(kernel("k"))});
  const CompileOptions& options = results[0].get().data()->recipe->options;
  CHECK(!options.cancel.is_cancelled());
  CHECK(compile(kernel("k"), options.with_arch("sm_90")).arch() == "sm_90");
}

TEST_CASE("nothing to do is nothing done") { CHECK(compile_all({}).empty()); }

TEST_CASE("hits need no worker, and are reported before what must be compiled") {
  const Place place;
  std::vector<CompileRequest> requests{place.request(kernel("cold"))};
  for (int i = 0; i < 4; ++i) {
    requests.push_back(place.request(kernel("warm" + std::to_string(i))));
    compile(requests.back().source, requests.back().options);
  }
  const FakeWorker fake("compile");
  Listener listener;
  const auto results = compile_all(requests, listener.handler(), 1);
  CHECK(fake.started().size() == 1);
  CHECK(listener.all.back().index == 0);
  CHECK(listener.count(Outcome::from_cache) == 4);
  CHECK(results[1].get().from_cache());
  CHECK_FALSE(results[0].get().from_cache());
  CHECK(compile_all(requests)[0].get().from_cache());
  CHECK(place.stats().compiles == 5);
}

TEST_CASE("equal requests compile once, and fail once") {
  const FakeWorker fake("compile");
  const Place place;
  std::vector<CompileRequest> requests;
  for (int i = 0; i < 6; ++i) requests.push_back(place.request(kernel("same")));
  for (int i = 0; i < 6; ++i) requests.push_back(place.request("this is no CUDA"));
  const auto results = compile_all(requests, {}, 4);
  for (std::size_t i = 0; i < 6; ++i) CHECK(name_of(results[i]) == "same");
  for (std::size_t i = 6; i < 12; ++i) CHECK(results[i].error() == results[6].error());
  CHECK(place.stats().compiles == 1);
  CHECK(place.stats().stores == 1);
}

TEST_CASE("an equal request is not stopped with the one that it waited for") {
  const FakeWorker fake("compile");
  const Place place;
  CancelSource source;
  source.cancel();
  std::vector<CompileRequest> requests(2, place.request(kernel("same")));
  requests[0].options.cancel = source.token();
  const auto results = compile_all(requests, {}, 1);  // in order, so that the second waits for the first
  CHECK_THROWS_AS(results[0].get(), CompileStopped);
  CHECK(name_of(results[1]) == "same");
}

TEST_CASE("the callback calls off what has not ended; nothing of it is stored, and it compiles later") {
  const Place place;
  std::vector<CompileRequest> requests{place.request(kernel("quick")), place.request(endless_source()),
                                       place.request(kernel("later"))};
  compile(requests[0].source, requests[0].options);
  FakeWorker fake("compile");
  fake.announce();
  std::vector<std::size_t> told;
  const auto results = compile_all(
      requests,
      [&](const CompileProgress& progress) {
        told.push_back(progress.index);
        fake.wait_for_start();  // the endless one is being compiled
        return false;
      },
      1);
  CHECK(told == std::vector<std::size_t>{0});
  CHECK(results[0].ok());
  for (const std::size_t i : {1u, 2u}) {
    try {
      results[i].get();
      FAIL("compiled");
    } catch (const CompileStopped& error) {
      CHECK_MESSAGE(std::string(error.what()).find("token") == std::string::npos, error.what());  // none was given
    }
  }
  CHECK(has_no_child());
  CHECK(place.stats().stores == 1);
  CHECK(place.stats().entries == 1);
  CHECK(name_of(compile_all({requests[2]})[0]) == "later");
}

TEST_CASE("what the callback throws leaves compile_all when every compile has been ended") {
  FakeWorker fake("compile");
  fake.announce();
  const Place place;
  const std::vector<CompileRequest> requests{place.request("this is no CUDA"), place.request(endless_source())};
  const auto fail = [&](const CompileProgress&) -> bool { throw std::runtime_error("from the callback"); };
  CHECK_THROWS_WITH_AS(compile_all(requests, fail, 2), "from the callback", std::runtime_error);
  WorkerPool::get().clear();
  CHECK(has_no_child());
}

TEST_CASE("one request's timeout and token stop that one") {
  const FakeWorker fake("compile");
  const Place place;
  std::vector<CompileRequest> requests{place.request(endless_source()), place.request(kernel("other")),
                                       place.request(endless_source() + "//")};
  requests[0].options.timeout = std::chrono::milliseconds(300);
  CancelSource source;
  requests[2].options.cancel = source.token();
  const auto results = compile_all(
      requests,
      [&](const CompileProgress& progress) {
        if (progress.index == 0) source.cancel();
        return true;
      },
      3);
  try {
    results[0].get();
    FAIL("compiled");
  } catch (const CompileStopped& error) {
    CHECK(error.timed_out());
    CHECK_MESSAGE(std::string(error.what()).find("ended by its timeout of 300 ms") != std::string::npos, error.what());
  }
  CHECK(name_of(results[1]) == "other");
  CHECK_THROWS_AS(results[2].get(), CompileStopped);
  CHECK(place.stats().entries == 1);
}

TEST_CASE("a timeout of a single compile ends it, stores nothing, and the same compiles when it is given time") {
  const FakeWorker fake("compile");
  const Place place;
  const auto hurried = place.options().with(&CompileOptions::timeout, std::chrono::milliseconds(300));
  CHECK_THROWS_AS(compile(endless_source(), hurried), CompileStopped);
  CHECK(place.stats().entries == 0);
  CHECK(place.stats().compiles == 0);
  const auto patient = place.options().with(&CompileOptions::timeout, std::chrono::minutes(5));
  CHECK_FALSE(compile(kernel("k"), patient).from_cache());
  CHECK(compile(kernel("k"), patient).from_cache());
}

TEST_CASE("where no thread can be started it is done on the caller's, and reported as it goes") {
  const std::vector<CompileRequest> requests = {{"__global__ void a() {}", {.arch = "sm_90"}},
                                                {"__global__ void b() {}", {.arch = "sm_90"}}};
  CHECK(in_child([&] {
          constexpr uid_t nobody = 65534;
          const rlimit none = {0, 0};
          if ((::geteuid() == 0 && ::setuid(nobody) != 0) || ::setrlimit(RLIMIT_NPROC, &none) != 0) return 1;
          ::setenv("KILN_REQUIRE_CACHED", "1", 1);  // no compiler is needed for that answer
          ::setenv("KILN_LOG", "off", 1);
          std::vector<std::size_t> reported;
          const std::vector<CompileResult> results = compile_all(requests, [&](const CompileProgress& progress) {
            reported.push_back(progress.done);
            return true;
          });
          for (const CompileResult& result : results) try {
              result.get();
              return 2;
            } catch (const NotCached&) {
            }
          return reported == std::vector<std::size_t>{1, 2} ? 0 : 3;
        }) == 0);
}

TEST_CASE("without workers each is the error") {
  EnvironmentGuard guard;
  guard.set("KILN_WORKER", "/nonexistent/kiln-worker");
  const Place place;
  std::vector<CompileRequest> requests;
  for (int i = 0; i < 4; ++i) requests.push_back(place.request(kernel("k" + std::to_string(i))));
  const auto results = compile_all(requests);
  for (const CompileResult& result : results) CHECK_THROWS_AS((void)result.get(), WorkerError);
}

TEST_CASE("the list of headers that a worker reports is the cache's") {
  const FakeWorker fake("compile");
  const Place place;
  const ScratchFolder tree;
  const auto write = [&](const char* text) { tree.write("a.h", text); };
  write("#define NAME one");
  CompileRequest request = place.request("#include <a.h>\nextern \"C\" __global__ void NAME() {}");
  request.options.include_dirs = {tree.path()};
  CHECK(name_of(compile_all({request})[0]) == "one");
  write("#define NAME two");
  CHECK(name_of(compile_all({request})[0]) == "two");
  CHECK(fake.started().size() == 1);
}

TEST_CASE("what NVRTC leaves in a worker's temporary folder goes with the worker") {
  if (NvrtcLibrary::get().version_number() < std::pair(12, 8)) {
    MESSAGE("not tried: --pch came with NVRTC 12.8");
    return;
  }
  const ScratchFolder temporary;
  const EnvironmentGuard guard({{"TMPDIR", temporary.path().string()}});
  {
    const FakeWorker fake("compile");
    const Place place;
    std::vector<CompileRequest> requests;
    for (int i = 0; i < 2; ++i)
      requests.push_back(place.request("#include <cuda_fp16.h>\n" + kernel("k" + std::to_string(i))));
    for (CompileRequest& request : requests) request.options.options = {"--pch"};
    for (const CompileResult& result : compile_all(requests, {}, 2)) CHECK(result.get().target() == Target::cubin);
  }
  CHECK(fs::is_empty(temporary.path()));
}

}  // namespace compile_all_test
