// Linked code in the cache: found again, by all that matters and nothing else, and never more than asked for.
#include "link_bench.hpp"

#include "compile/link/link.hpp"
#include "environment_guard.hpp"
#include "ir_texts.hpp"
#include "run_program.hpp"
#include "toolkit/locate/component_finder.hpp"

#include <kiln/log.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace link_cache_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("link cache: a warm start finds the link without opening nvJitLink") {
  const Bench bench;
  const std::string cache = (bench.scratch / "cache").string();
  CHECK(run_program(KILN_LINK_CHILD, {cache}).output == "linked, nvJitLink is not mapped, NVRTC is not mapped\n");
  CHECK(bench.stats().compiles == 3);
  CHECK(run_program(KILN_LINK_CHILD, {cache}).output == "found, nvJitLink is not mapped, NVRTC is not mapped\n");
  CHECK(bench.stats().compiles == 3);
  CHECK(bench.stats().misses == 3);
  CHECK(bench.stats().hits == 3);
}

TEST_CASE("link cache: what a cache holds serves a machine without nvJitLink; else the error lists what was searched") {
  const LinkBench bench;
  LinkJob job{bench.link_options(), {}};
  job.add(bench.main_code(Target::ltoir));
  job.add(bench.plug_code(Target::ltoir));
  const LinkersHere none(std::nullopt, "it is missing here");
  try {
    link_for(job, {}, none);
    FAIL("there is no linker");
  } catch (const ToolkitError& error) {
    CHECK_MESSAGE(contains(error.what(), "it is missing here"), error.what());
  }
  CHECK(bench.stats().entries == 2);
  REQUIRE(in_new_process([&] { return !link_for(job).from_cache(); }));
  const CodeObject found = link_for(job, {}, none);
  CHECK(found.from_cache());
  CHECK(found.backend() == Backend::nvjitlink);
}

TEST_CASE("link cache: threads that ask for the same link make one") {
  const LinkBench bench;
  const CodeObject main = bench.main_code(Target::ltoir);
  const CodeObject plug = bench.plug_code(Target::ltoir);
  std::atomic<int> linked{0};
  std::atomic<int> told{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      Linker linker(bench.link_options().with(&LinkOptions::message_handler,
                                              [&](bool, const std::string&, const std::string&) { ++told; }));
      linked += linker.add(main).add(plug).link().arch() == "sm_90";
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(linked == 8);
  CHECK(told == 1);
  CHECK(bench.stats().compiles == 3);
  CHECK(bench.stats().entries == 3);
}

TEST_CASE("link cache: many threads with several links make each once") {
  const LinkBench bench;
  const CodeObject main = bench.main_code();
  const CodeObject plug = bench.plug_code();
  const auto linker = [&](int which) {
    Linker made(bench.link_options().with(&LinkOptions::max_registers, 32 + 8 * which));
    made.add(main).add(plug);
    return made;
  };
  std::vector<std::string> bytes(16);
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] { bytes[static_cast<std::size_t>(i)] = linker(i % 4).link().bytes(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(bench.stats().compiles == 2 + 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) CHECK(bytes[i] == bytes[i % 4]);
  CHECK(bytes[0] != bytes[1]);
}

TEST_CASE("link cache: processes that ask for the same link make one") {
  const Bench bench;
  const std::string cache = (bench.scratch / "cache").string();
  std::vector<std::thread> starters;
  std::atomic<int> linked{0};
  for (int i = 0; i < 6; ++i)
    starters.emplace_back([&] { linked += contains(run_program(KILN_LINK_CHILD, {cache}).output, "linked, "); });
  for (std::thread& starter : starters) starter.join();
  CHECK(linked == 1);
  CHECK(bench.stats().compiles == 3);
}

TEST_CASE("link cache: where it is off no folder is made, looked for or warned of") {
  const LinkBench bench;
  const CodeObject main = bench.main_code(Target::cubin);
  const CodeObject plug = bench.plug_code(Target::cubin);
  const EnvironmentGuard environment({{"HOME", (bench.scratch / "home").string()},
                                      {"XDG_CACHE_HOME", std::nullopt},
                                      {"KILN_CACHE_DIR", std::nullopt},
                                      {"PYCUDA_CACHE_DIR", std::nullopt}});
  const auto link = [&](const LinkOptions& options) {
    Linker linker(options);
    linker.add(main).add(plug);
    // NVIDIA's wheels of CUDA 12.6 lack it.
    if (find_device_library("cudadevrt")) linker.add_stdlib("cudadevrt");
    return linker.link();
  };
  CHECK_FALSE(link(LinkOptions{}.with(&LinkOptions::cache, false)).from_cache());
  CHECK_FALSE(link(LinkOptions{}.with(&LinkOptions::cache, false)).from_cache());
  {
    const EnvironmentGuard off({{"KILN_DISABLE_CACHE", "1"}});
    CHECK_FALSE(link(LinkOptions{}).from_cache());
  }
  CHECK_FALSE(std::filesystem::exists(bench.scratch / "home"));
  // The step from IR's PTX to a cubin has no entry of its own, and needs no folder.
  CHECK(in_new_process([&] {
    ::unsetenv("HOME");
    static std::atomic<int> warnings{0};
    set_log_handler([](LogLevel level, const std::string&) { warnings += level == LogLevel::warn; });
    compile(number_ir, bench.options().with(&CompileOptions::language, Language::nvvm_ir));
    link(LinkOptions{}.with(&LinkOptions::cache, false));
    return warnings == 0;
  }));
}

TEST_CASE("link cache: a folder that is only read serves, and a damaged entry does not") {
  const LinkBench bench;
  const CodeObject main = bench.main_code();
  const CodeObject plug = bench.plug_code();
  const auto link = [&](const LinkOptions& options) {
    Linker linker(options);
    return linker.add(main).add(plug).link();
  };
  const std::string bytes(link(bench.link_options().with(&LinkOptions::cache, false)).bytes());
  REQUIRE(in_new_process([&] { return !link(bench.link_options()).from_cache(); }));
  const LinkOptions reading{.caching = {bench.scratch / "own", {bench.scratch / "cache"}}};
  CHECK(link(reading).from_cache());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(bench.scratch / "cache")) {
    if (!entry.is_regular_file()) continue;
    std::string content = file_bytes(entry.path());
    for (std::size_t at = content.size() / 3; at < content.size(); at += 61)
      content[at] = static_cast<char>(content[at] ^ 1);
    write_file(entry.path(), content);
  }
  CHECK(in_new_process([&] {
    const CodeObject again = link(bench.link_options());
    return !again.from_cache() && again.bytes() == bytes;
  }));
}

TEST_CASE("link cache: what a message handler throws comes out, and nothing is kept") {
  const LinkBench bench;
  int calls = 0;
  const LinkOptions options =
      bench.link_options().with(&LinkOptions::message_handler, [&](bool, const std::string&, const std::string&) {
        if (++calls == 1) throw std::runtime_error("from the handler");
      });
  const Linker linker = bench.linker(Target::ptx, options);
  const auto stores = bench.stats().stores;
  CHECK_THROWS_WITH_AS(linker.link(), "from the handler", std::runtime_error);
  CHECK(bench.stats().stores == stores);
  CHECK_FALSE(linker.link().from_cache());
  CHECK(linker.link().from_cache());
  CHECK(calls == 2);
}

TEST_CASE("link cache: a link for another device calls no handler, which may be gone") {
  const LinkBench bench;
  int calls = 0;
  Linker linker(bench.link_options().with(&LinkOptions::message_handler,
                                          [&](bool, const std::string&, const std::string&) { ++calls; }));
  linker.add(bench.code(main_source, Target::ptx, "main", "compute_80"));
  linker.add(bench.code(plug_source, Target::ptx, "plug", "compute_80"));
  const CodeObject linked = linker.link();
  CHECK(calls == 1);
  CHECK_FALSE(linked.data()->relink("sm_90").from_cache());
  CHECK(calls == 1);
}

TEST_CASE("link cache: a child that is forked while a link runs gets an error, or links") {
  const LinkBench bench;
  std::atomic<bool> stop{false};
  std::atomic<int> started{0};
  std::thread busy([&] {
    while (!stop) {
      ++started;
      bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::cache, false)).link();
    }
  });
  while (started < 2) std::this_thread::yield();
  for (int i = 0; i < 8; ++i)
    CHECK(in_new_process([&] {
      try {
        return bench.linker(Target::ptx, bench.link_options().with(&LinkOptions::cache, false)).link().arch() ==
               "sm_90";
      } catch (const ToolkitError& error) {
        return contains(error.what(), "forked");
      }
    }));
  stop = true;
  busy.join();
}

}  // namespace link_cache_test
