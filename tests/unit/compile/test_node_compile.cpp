// Requests, answers and code as bytes, for the other processes of a node and for other nodes. The nodes are folders.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>
#include <kiln/detail/node_compile.hpp>
#include <kiln/error.hpp>

#include "compile/shared_request.hpp"
#include "environment_guard.hpp"
#include "ir_texts.hpp"
#include "old_file.hpp"
#include "real_nvcc.hpp"
#include "scratch_folder.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

namespace node_compile_test {

using namespace kiln;
using namespace kiln::test;
using detail::NodeCompile;
using detail::SharedRequest;

namespace {

/// A node's checkout and its cache.
struct Node {
  explicit Node(const std::string& value = "17") {
    scratch.write("include/other.h", "#define OTHER 1\n");
    wait_until_old(scratch.write("include/value.h", "#define VALUE " + value + "\n#include \"other.h\"\n"));
  }
  CompileOptions options() const {
    return CompileOptions{}
        .with_arch("compute_90")
        .with_target(Target::ptx)
        .with_include_dirs({scratch / "include"})
        .with_caching({scratch / "cache"});
  }
  CompileRequest request(const std::string& source) const { return {source, options()}; }
  CacheStats stats() const { return Cache(scratch / "cache").stats(); }
  ScratchFolder scratch;
};

const std::string source = "#include \"value.h\"\nextern \"C\" __global__ void value(int* p) { *p = VALUE * OTHER; }\n";

/// One request, looked up.
struct Asked {
  explicit Asked(const CompileRequest& request) : shared(request) {
    compile.add(shared.id(), shared.pack());
    compile.look_up();
  }
  void make() { compile.compile({0}, detail::usable_cpus()); }
  SharedRequest shared;
  NodeCompile compile;
};

}  // namespace

TEST_CASE("a request in two checkouts: one key, and code that is compiled once") {
  const Node first, second;
  Asked here(first.request(source)), there(second.request(source));
  CHECK(here.shared.id() != there.shared.id());
  CHECK(here.compile.key(0).size() == 32);
  CHECK(here.compile.key(0) == there.compile.key(0));
  CHECK_FALSE(here.compile.is_done(0));
  here.make();
  REQUIRE(here.compile.is_done(0));
  there.compile.accept(0, here.compile.answer_for_others(0));
  REQUIRE(there.compile.is_done(0));
  const CodeObject& code = there.compile.result(0)->get();
  CHECK(code.bytes() == here.compile.result(0)->get().bytes());
  CHECK_FALSE(code.from_cache());
  CHECK(second.stats().compiles == 0);
  CHECK(second.stats().stores == 1);
  // As if it had been compiled there: the folder has it, and the process's memory.
  CHECK(Cache(second.scratch / "cache").read(source, second.options()));
  CHECK(compile(source, second.options()).from_cache());
  CHECK(second.stats().memory_hits == 1);
  wait_until_old(second.scratch.write("include/other.h", "#define OTHER 2\n"));
  CHECK_FALSE(Cache(second.scratch / "cache").read(source, second.options()));
}

TEST_CASE("code whose headers are others here is not taken") {
  const Node first, second("18");
  Asked here(first.request(source)), there(second.request(source));
  CHECK(here.compile.key(0) == there.compile.key(0));
  here.make();
  const std::string answer = here.compile.answer_for_others(0);
  there.compile.accept(0, answer);
  CHECK_FALSE(there.compile.is_done(0));
  std::filesystem::remove(second.scratch / "include/other.h");
  there.compile.accept(0, answer);
  CHECK_FALSE(there.compile.is_done(0));
  CHECK(second.stats().stores == 0);
}

TEST_CASE("code from the cache goes to other nodes, too, with the toolkit's headers in it") {
  const std::string with_toolkit = "#include <cuda_fp16.h>\n" + source;
  const Node first, second;
  compile(with_toolkit, first.options());
  Asked here(first.request(with_toolkit)), there(second.request(with_toolkit));
  REQUIRE(here.compile.is_done(0));
  there.compile.accept(0, here.compile.answer_for_others(0));
  REQUIRE(there.compile.is_done(0));
  CHECK(there.compile.result(0)->get().from_cache());
}

TEST_CASE("another request's code, and damaged bytes, are not taken") {
  const Node first, second;
  Asked here(first.request(source)), there(second.request(source + "\n"));
  CHECK(here.compile.key(0) != there.compile.key(0));
  here.make();
  const std::string answer = here.compile.answer_for_others(0);
  there.compile.accept(0, answer);
  CHECK_FALSE(there.compile.is_done(0));
  Asked same(second.request(source));
  for (std::size_t size = 0; size < answer.size(); size += 97) {
    same.compile.accept(0, answer.substr(0, size));
    CHECK_FALSE(same.compile.is_done(0));
  }
  same.compile.accept(0, answer + "x");
  CHECK_FALSE(same.compile.is_done(0));
  // A byte of the code itself: the entry has a checksum.
  std::string flipped = answer;
  flipped[answer.find("st.global")] ^= 1;
  same.compile.accept(0, flipped);
  CHECK_FALSE(same.compile.is_done(0));
  same.compile.accept(0, answer);
  CHECK(same.compile.is_done(0));
}

TEST_CASE("another process of the node gets code without a look at the cache, and keeps it in memory") {
  const Node node;
  Asked asked(node.request(source));
  asked.make();
  const std::string answer = asked.compile.answer(0);
  // What this process has in memory is forgotten, and what is on disk is gone.
  Cache(node.scratch / "cache").clear();
  const auto result = asked.shared.unpack(answer);
  REQUIRE(result);
  CHECK(result->get().bytes().find("17") != std::string_view::npos);
  CHECK(compile(source, node.options()).from_cache());
  CHECK(node.stats().compiles == 1);
  CHECK_FALSE(asked.shared.unpack("n"));
  CHECK_FALSE(asked.shared.unpack(""));
}

TEST_CASE("errors keep their class") {
  const Node first, second;
  const std::string broken = "__global__ void broken() { no_such_name; }";
  Asked here(first.request(broken)), there(second.request(broken));
  here.make();
  REQUIRE(here.compile.is_done(0));
  there.compile.accept(0, here.compile.answer_for_others(0));
  for (const auto& result : {there.compile.result(0), here.shared.unpack(here.compile.answer(0))}) {
    REQUIRE(result);
    try {
      result->get();
      FAIL("no error");
    } catch (const CompileError& error) {
      CHECK(error.log().find("no_such_name") != std::string::npos);
      CHECK_FALSE(error.options().empty());
    }
  }
  Asked wrong({source, first.options().with_options({"-arch=sm_80"})});
  REQUIRE(wrong.compile.is_done(0));
  CHECK_THROWS_AS(wrong.shared.unpack(wrong.compile.answer(0))->get(), ArgumentError);
}

TEST_CASE("what must be in the cache and is not: the same error, and taken from a node that has it") {
  const Node first, second;
  CompileRequest required = second.request(source);
  required.options.caching.require_hit = true;
  Asked here(first.request(source)), there(required);
  CHECK(here.compile.key(0) == there.compile.key(0));
  there.make();
  REQUIRE(there.compile.is_done(0));
  CHECK(there.compile.answer_for_others(0).empty());
  try {
    there.shared.unpack(there.compile.answer(0))->get();
    FAIL("no error");
  } catch (const NotCached& error) {
    CHECK(error.name() == "kernel.cu");
    CHECK_FALSE(error.arch().empty());
  }
  here.make();
  Asked again(required);
  again.compile.accept(0, here.compile.answer_for_others(0));
  REQUIRE(again.compile.is_done(0));
  CHECK(again.compile.result(0)->ok());
}

TEST_CASE("a request goes along with its caches") {
  const Node node;
  CompileRequest request = node.request(source);
  request.options.caching.remote = "redis://user:secret@nowhere.invalid";
  request.options.caching.public_keys = {"/etc/key.pub"};
  const auto arrived = unpack_request(SharedRequest(request).pack());
  REQUIRE(arrived);
  CHECK(id_of(*arrived) == SharedRequest(request).id());
  CHECK(arrived->recipe.options.caching.remote == request.options.caching.remote);
  CHECK(arrived->recipe.options.caching.public_keys == request.options.caching.public_keys);
}

TEST_CASE("what a node lacks, and what was stopped, other nodes see for themselves") {
  const Node node;
  Asked slow({"#include <cuda_fp16.h>\n" + source,
              node.options().with(&CompileOptions::timeout, std::chrono::milliseconds(1))});
  slow.make();
  REQUIRE(slow.compile.is_done(0));
  CHECK(slow.compile.answer_for_others(0).empty());
  try {
    slow.shared.unpack(slow.compile.answer(0))->get();
    FAIL("no error");
  } catch (const CompileStopped& error) {
    CHECK(error.timed_out());
  }
}

TEST_CASE("requests that each process answers itself") {
  const Node node;
  for (const CompileOptions& options :
       {node.options().with_cache(false), node.options().with(&CompileOptions::keep, true),
        node.options().with(&CompileOptions::timing, true)})
    CHECK(SharedRequest({source, options}).id().empty());
  {
    const EnvironmentGuard several({{"KILN_ARCH", "sm_80,sm_90"}});
    CHECK(SharedRequest({source, node.options().with_arch("")}).id().empty());
    CHECK_FALSE(SharedRequest({source, node.options()}).id().empty());
  }
  // It means something else in a process with another environment or working folder.
  const SharedRequest shared(node.request(source));
  NodeCompile compile;
  {
    const EnvironmentGuard other({{"KILN_DEFAULT_OPTIONS", "-DOTHER"}});
    compile.add(shared.id(), shared.pack());
  }
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(node.scratch.path());
  compile.add(shared.id(), shared.pack());
  std::filesystem::current_path(before);
  compile.add(shared.id(), "of another build");
  compile.look_up();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(compile.is_done(i));
    CHECK(compile.key(i).empty());
    CHECK_FALSE(shared.unpack(compile.answer(i)));
  }
}

TEST_CASE("headers of a callback are asked for once, and go along") {
  const Node node;
  int asked = 0;
  CompileOptions options = node.options().with_header_callback([&](const std::string&) {
    ++asked;
    return std::optional<std::string>("#define GIVEN 4321\n");
  });
  Asked one({"#include \"given.h\"\nextern \"C\" __global__ void given(int* p) { *p = GIVEN; }\n", options});
  one.make();
  const auto result = one.shared.unpack(one.compile.answer(0));
  CHECK(result->get().bytes().find("4321") != std::string_view::npos);
  CHECK(asked == 1);
}

TEST_CASE("LLVM IR") {
  const Node first, second;
  const auto request = [](const Node& node) {
    CompileOptions options;
    options.arch = "compute_90";
    options.target = Target::ptx;
    options.language = Language::nvvm_ir;
    options.caching.dir = node.scratch / "cache";
    return CompileRequest{number_ir, options};
  };
  Asked here(request(first)), there(request(second));
  here.make();
  REQUIRE(here.compile.result(0));
  if (!here.compile.result(0)->ok()) return static_cast<void>(std::puts("skipped: no libnvvm on this machine"));
  there.compile.accept(0, here.compile.answer_for_others(0));
  CHECK(there.compile.is_done(0));
  CHECK(second.stats().stores == 1);
}

TEST_CASE("nvcc's code of what NVRTC refuses is taken, and so is the note that NVRTC need not be asked" *
          needs_nvcc()) {
  // A working folder above both nodes would be where their headers are, for nvcc, which asks for them from there.
  const ScratchFolder elsewhere;
  const WorkingFolder work(elsewhere.path());
  const Node first, second;
  const std::string needs_nvcc = source + "#include <cstdio>\n#include <vector>\n";
  Asked here(first.request(needs_nvcc)), there(second.request(needs_nvcc));
  here.make();
  CHECK(here.compile.result(0)->get().backend() == Backend::nvcc);
  there.compile.accept(0, here.compile.answer_for_others(0));
  REQUIRE(there.compile.is_done(0));
  CHECK(second.stats().compiles == 0);
  CHECK(Cache(second.scratch / "cache").read(needs_nvcc, second.options()));
}

}  // namespace node_compile_test
