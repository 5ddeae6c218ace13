// Precompiled headers between processes, by eager_worker, which makes one after every compile, at once.
#include "cache/open_stores.hpp"
#include "cache/pch_location.hpp"
#include "fake_worker.hpp"
#include "pch_bench.hpp"
#include "worker/pch/pch_record.hpp"
#include "worker/pch/pch_source.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace precompiled_headers_test {

using namespace kiln;
using namespace kiln::test;

namespace fs = std::filesystem;

namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

/// By a process that nobody waits for.
void wait_until_made(const PchBench& bench) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::minutes(3);
  while (bench.made() == 0 && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

TEST_CASE("directives without comments and blank lines") {
  CHECK(directives_of("// a\n\n#include <a.h>  // b\n/* c\n d */ #  define X /* e */ 1\n  \n") ==
        "#include <a.h>   \n  #  define X   1\n");
  CHECK(directives_of("#define X \\\n\n#include <a.h>\n") == "#define X \\\n\n#include <a.h>\n");
  CHECK(directives_of("").empty());
}

TEST_CASE("a record there and back, and damaged ones") {
  PchRecord record;
  record.file = digest_of("x");
  record.size = 7;
  record.questions = {{"/a/b.h", FileQuestion::Answer::file, true, true},
                      {"/c", FileQuestion::Answer::absent, false, false}};
  record.questions[0].content = digest_of("its text");
  const auto back = pch_record(to_sections(record));
  REQUIRE(back);
  CHECK(back->file == record.file);
  CHECK(back->size == 7);
  CHECK(back->why_no_file.empty());
  CHECK(back->why == Counter::pch_refused_text);
  CHECK(back->questions == record.questions);
  const Sections whole = to_sections(record);
  for (const char* label : {"precompiled header", "questions 2"}) {
    Sections sections;
    for (const auto& [name, bytes] : whole.all())
      sections.add(name, name == label ? bytes.substr(0, bytes.size() - 1) : bytes);
    CHECK_FALSE(pch_record(sections));
  }
  CHECK_FALSE(pch_record(Sections()));
}

TEST_CASE("an image that is not in the file is not read") {
  PchRecord record;
  record.size = 7;
  record.image = {3, 4};
  CHECK(pch_record(to_sections(record)).value().image.size == 4);
  for (const PchImage& image : {PchImage{4, 4}, PchImage{8, 0}, PchImage{3, ~std::uint64_t{0}}}) {
    record.image = image;
    const PchRecord back = pch_record(to_sections(record)).value();
    CHECK(back.size == 7);
    CHECK(back.image.offset == 0);
    CHECK(back.image.size == 0);
  }
}

TEST_CASE("where precompiled headers are") {
  EnvironmentGuard environment;
  const ScratchFolder scratch;
  FileSystem& files = FileSystem::real();
  environment.unset("KILN_PCH_DIR");
  CHECK(pch_location(files, scratch.path().string()) == scratch.path().string() + "/pch");
  CHECK(pch_location(files, (scratch / "not/there").string()) == (scratch / "not/there/pch").string());
  environment.set("TMPDIR", "/somewhere");
  struct OnNetwork : FileSystem {
    int do_file_system_type(const std::string&, std::uint64_t& type) override { return type = 0x6969, 0; }
  } network;
  CHECK(pch_location(network, "/home/u") == "/somewhere/kiln-pch-" + std::to_string(network.user()));
  environment.set("KILN_PCH_DIR", "/elsewhere");
  CHECK(pch_location(files, scratch.path().string()) == "/elsewhere");
  environment.set("KILN_PCH_DIR", "relative");
  CHECK(pch_location(files, scratch.path().string()) == scratch.path().string() + "/pch");
  for (const auto& [value, is_off] : {std::pair("on", false), {"off", true}, {"maybe", false}}) {
    environment.set("KILN_PCH", value);
    CHECK(pch_disabled() == is_off);
  }
}

TEST_CASE("a second source with the same includes uses what the first one's made; the code is the same") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  CHECK(bench.made() == 1);
  CHECK(bench.used() == 0);
  bench.compiled(pch_kernel(2));
  bench.compiled("// with a comment\n\n" + pch_kernel(3));
  CHECK(bench.used() == 2);
  WorkerPool::get().clear();
  bench.compiled(pch_kernel(4));  // in another process
  CHECK(bench.used() == 3);
  CHECK(bench.made() == 1);
  CHECK(bench.stats().pch_files == 1);
  CHECK(bench.stats().pch_bytes > 1'000'000);
}

TEST_CASE("every kind of code, and name expressions") {
  const PchBench bench;
  const std::string file = bench.header("file.cu", "").string();
  const std::vector<CompileOptions> kinds = {
      bench.options().with_target(Target::ptx),
      bench.options().with_target(Target::ltoir),
      bench.options().with_options({"-lineinfo"}).with_name(file),
      bench.options().with_options({"-G"}).with_name(file),
      bench.options().with_options({"-rdc=true"}),
      bench.options().with_options({"--use_fast_math"}),
  };
  for (const CompileOptions& options : kinds) {
    const std::uint64_t before = bench.used();
    for (const int number : {1, 2, 3}) bench.compiled(pch_kernel(number), options);
    CHECK(bench.used() > before);
  }
  const std::string source = "#include <value.h>\ntemplate <class T> __global__ void k(T* o) { *o = twice(*o); }\n";
  const CompileOptions named = bench.options().with_name_expressions({"k<float>"});
  bench.compiled(source, named);
  bench.compiled("// another\n" + source, named);
  const std::uint64_t before = bench.used();
  const CodeObject code = compile(source, named.with_name_expressions({"k<int>", "k<double>"}));
  CHECK(code.lowered_name("k<int>") == "_Z1kIiEvPT_");
  CHECK(bench.used() == before + 1);
}

TEST_CASE("options that concern what comes behind the front end share a file; others do not") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  bench.compiled(pch_kernel(1), bench.options().with_options({"--maxrregcount=32"}));
  bench.compiled(pch_kernel(1), bench.options().with_options({"--ptxas-options=-O1"}));
  CHECK(bench.made() == 1);
  CHECK(bench.used() == 2);
  // Of variants that differ in a macro only one that is asked for again gets a file.
  bench.compiled(pch_kernel(1), bench.options().with_defines({"UNREAD"}));
  CHECK(bench.made() == 1);
  bench.compiled(pch_kernel(2), bench.options().with_defines({"UNREAD"}));
  CHECK(bench.made() == 2);
  CHECK(bench.used() == 2);
  bench.compiled(pch_kernel(3), bench.options().with_defines({"UNREAD"}));
  CHECK(bench.used() == 3);
}

TEST_CASE("the very next compile notices a header that is edited, shadowed, removed, or in memory") {
  const PchBench bench;
  const fs::path first = bench.scratch / "first";
  fs::create_directories(first);
  const CompileOptions options = bench.options().with_include_dirs({first, bench.scratch / "inc"});
  bench.compiled(pch_kernel(1), options);
  bench.compiled(pch_kernel(2), options);
  CHECK(bench.used() == 1);

  bench.header("inc/value.h", "#define VALUE 20\ntemplate <class T> __device__ T twice(T a) { return a + a; }\n");
  bench.compiled(pch_kernel(3), options);
  CHECK(bench.used() == 1);
  CHECK(bench.stats().pch_refused_changed == 1);
  bench.compiled(pch_kernel(4), options);
  CHECK(bench.used() == 2);

  const fs::path shadow =
      bench.header("first/value.h", "#define VALUE 300\ntemplate <class T> __device__ T twice(T a) { return a; }\n");
  bench.compiled(pch_kernel(5), options);
  CHECK(bench.used() == 2);
  fs::remove(shadow);
  wait_until_old(first);
  bench.compiled(pch_kernel(6), options);
  // The states before are those of today: what was made then serves again.
  CHECK(bench.used() == 3);

  CompileOptions in_memory = options;
  in_memory.headers["value.h"] = "#define VALUE 4000\ntemplate <class T> __device__ T twice(T a) { return a; }\n";
  bench.compiled(pch_kernel(7), in_memory);
  bench.compiled(pch_kernel(8), in_memory);
  CHECK(bench.used() == 4);
  in_memory.headers["value.h"] = "#define VALUE 5000\ntemplate <class T> __device__ T twice(T a) { return a; }\n";
  bench.compiled(pch_kernel(9), in_memory);
  CHECK(bench.used() == 4);

  fs::remove(bench.scratch / "inc/value.h");
  CHECK(error_of([&] { compile(pch_kernel(10), options); }).find("value.h") != std::string::npos);
}

TEST_CASE("what a compile by a precompiled header kept depends on the headers in it") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  bench.compiled(pch_kernel(2));
  CHECK(bench.used() == 1);
  // As another process, which has nothing in memory.
  CHECK(in_new_process([&] { return compile(pch_kernel(2), bench.options()).from_cache(); }));
  bench.header("inc/value.h", "#define VALUE 20\ntemplate <class T> __device__ T twice(T a) { return a + a; }\n");
  CHECK(in_new_process([&] { return !compile(pch_kernel(2), bench.options()).from_cache(); }));
}

TEST_CASE("a damaged, cut or missing file is a compile without it, and is made anew") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  const auto flip = [&](std::uintmax_t at) {
    std::fstream file(bench.pch_file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  };
  const std::vector<std::function<void()>> damages = {
      [&] { flip(100); },
      [&] { flip(fs::file_size(bench.pch_file()) / 2); },
      [&] { flip(fs::file_size(bench.pch_file()) - 5); },
      [&] { fs::resize_file(bench.pch_file(), fs::file_size(bench.pch_file()) - 4096); },
      [&] { fs::resize_file(bench.pch_file(), 0); },
      [&] { fs::remove(bench.pch_file()); },
      [&] { fs::permissions(bench.pch_file(), fs::perms::all); },
  };
  int number = 1;
  for (const auto& damage : damages) {
    const std::uint64_t made = bench.made();
    const std::uint64_t damaged = bench.stats().pch_refused_damaged;
    damage();
    bench.compiled(pch_kernel(++number));
    CHECK(bench.stats().pch_refused_damaged == damaged + 1);
    CHECK(bench.made() == made + 1);
    const std::uint64_t used = bench.used();
    bench.compiled(pch_kernel(++number));
    CHECK(bench.used() == used + 1);
  }
}

TEST_CASE("a file that is whole, and that NVRTC cannot use, is dropped: also where a worker dies of it") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  const fs::path before = bench.pch_file();
  std::string bytes;
  {
    std::ifstream file(before, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  // The front is as it was, so that NVRTC takes it.
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 8), bytes.end(), '\xab');
  CacheFolder& folder = open_store(bench.pch_folder().string()).folder();
  fs::path entry;
  for (const auto& one : fs::recursive_directory_iterator(bench.pch_folder()))
    if (one.path().extension() == ".code") entry = one.path();
  const Digest key = CacheFolder::key_of_path(entry.string());
  Sections sections;
  REQUIRE(folder.read(EntryKind::code, key, sections) == CacheFolder::ReadResult::good);
  PchRecord record = *pch_record(sections);
  record.file = digest_of(bytes);
  REQUIRE(folder.publish(EntryKind::code, key, to_sections(record)) == 0);
  const std::string file = folder.path(EntryKind::pch, record.file);
  fs::create_directories(fs::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);

  bench.compiled(pch_kernel(2));
  CHECK(bench.used() == 0);
  CHECK(bench.stats().pch_refused == 1);
  CHECK_FALSE(fs::exists(file));
}

TEST_CASE("a header that is read once more by another path is not read twice because of it") {
  const PchBench bench;
  bench.header("inc/once.h", "#pragma once\n__device__ int once = 1;\n");
  fs::create_symlink(bench.scratch / "inc/once.h", bench.scratch / "inc/again.h");
  const auto source = [](int number) {
    return "#include <once.h>\n__device__ int n" + std::to_string(number) + ";\n#include <again.h>\n";
  };
  bench.compiled(source(1));
  bench.compiled(source(2));
  CHECK(bench.made() == 1);
  CHECK(bench.used() == 0);
  CHECK(bench.stats().pch_refused_text == 1);
}

TEST_CASE("a file that NVRTC does not take is not made again and again") {
  const PchBench bench;
  const CompileOptions other = bench.options().with_defines({"UNREAD"});
  CacheFolder& folder = open_store(bench.pch_folder().string()).folder();
  const auto entries = [&] {
    std::vector<std::pair<Digest, PchRecord>> found;
    folder.for_each([&](EntryKind kind, const std::string& path) {
      Sections sections;
      const Digest key = CacheFolder::key_of_path(path);
      if (kind == EntryKind::code && folder.read(kind, key, sections) == CacheFolder::ReadResult::good)
        found.emplace_back(key, *pch_record(sections));
    });
    return found;
  };
  bench.compiled(pch_kernel(1));
  const auto first = entries();
  REQUIRE(first.size() == 1);
  for (const int number : {1, 2}) bench.compiled(pch_kernel(number), other);
  CHECK(bench.made() == 2);
  // The file of other options.
  for (const auto& [key, record] : entries())
    if (key != first[0].first) REQUIRE(folder.publish(EntryKind::code, key, to_sections(first[0].second)) == 0);
  bench.compiled(pch_kernel(3), other);
  CHECK(bench.stats().pch_refused_options == 1);
  for (const int number : {4, 5}) bench.compiled(pch_kernel(number), other);
  CHECK(bench.made() == 2);
  CHECK(bench.used() == 0);
  CHECK(bench.stats().pch_refused_options == 3);
  CHECK(bench.stats().pch_refused_text == 0);
}

TEST_CASE("errors are the same with a precompiled header") {
  const PchBench bench;
  bench.compiled(pch_kernel(1));
  for (const char* body : {"__global__ void k(int* o) { *p = 1; }\n", "__global__ void k(char** o) { twice(*o); }\n"}) {
    const std::string source = std::string("#include <value.h>\n") + body;
    const std::string plain = error_of([&] { compile(source, bench.options().with_cache(false)); });
    CHECK(plain.find("error") != std::string::npos);
    CHECK(error_of([&] { compile(source, bench.options()); }) == plain);
  }
}

TEST_CASE("a warning of a header is shown at each compile") {
  const PchBench bench;
  bench.header("inc/value.h", "#warning read me\n#define VALUE 1\n__device__ int twice(int a) { return a + a; }\n");
  for (int number : {1, 2, 3}) {
    const CodeObject code = compile(pch_kernel(number), bench.options());
    CHECK(code.log().find("read me") != std::string::npos);
  }
  CHECK(bench.made() == 0);
  CHECK(bench.stats().pch_refused_text == 2);
}

TEST_CASE("what leading lines must not contain; KILN_PCH=off; no cache: none is made") {
  PchBench bench;
  bench.compiled("#define WHERE __COUNTER__\n#include <value.h>\n__global__ void k(int* o) {}\n");
  CHECK(bench.stats().pch_refused_text == 1);
  bench.compiled("__global__ void k(int* o) {}\n");  // no include: nothing to count
  CHECK(bench.stats().pch_refused == 1);
  compile(pch_kernel(1), bench.options().with_cache(false));
  bench.environment.set("KILN_PCH", "off");
  bench.compiled(pch_kernel(2));
  CHECK(bench.made() == 0);
  CHECK(bench.stats().pch_refused == 1);
}

TEST_CASE("a program that ends leaves a process behind, which makes it; that is nobody's child") {
  PchBench bench;
  bench.environment.unset("KILN_WORKER");
  const std::string source = "#include <cub/block/block_reduce.cuh>\n__global__ void k(int* o) { *o = 1; }\n";
  CHECK(in_new_process([&] { return !compile(source, bench.options()).from_cache(); }));
  CHECK(has_no_child());
  wait_until_made(bench);
  CHECK(bench.made() == 1);
  bench.compiled(source + "__device__ int n;\n");
  CHECK(bench.used() == 1);
}

TEST_CASE("NVRTC's own --pch works, and leaves nothing behind") {
  PchBench bench;
  fs::create_directories(bench.scratch / "tmp");
  bench.environment.set("TMPDIR", (bench.scratch / "tmp").string());
  const CodeObject code = compile(pch_kernel(1), bench.options().with_options({"--pch"}));
  CHECK(code.log().find("creating precompiled header") != std::string::npos);
  CHECK(bench.made() == 0);
  WorkerPool::get().clear();
  CHECK(fs::is_empty(bench.scratch / "tmp"));
}

TEST_CASE("small headers are not worth a file") {
  PchBench bench;
  bench.environment.set("KILN_EAGER_LEAST_HEADERS", "3600000");
  bench.compiled(pch_kernel(1));
  bench.compiled(pch_kernel(2));
  CHECK(bench.made() == 0);
  CHECK(bench.used() == 0);
  CHECK(bench.stats().pch_refused_small == 1);
  CHECK(bench.stats().pch_files == 0);
}

TEST_CASE("stats, verify, clear and the limit know them") {
  PchBench bench;
  bench.compiled(pch_kernel(1));
  const Cache cache(bench.scratch / "cache");
  CHECK(cache.verify().damaged.empty());
  fs::resize_file(bench.pch_file(), 1000);
  CHECK(cache.verify().damaged.size() == 1);
  CHECK(cache.stats().pch_files == 0);
  bench.compiled(pch_kernel(2));
  CHECK(cache.stats().pch_files == 1);
  cache.reset_stats();
  CHECK(cache.stats().pch_made == 0);
  cache.clear();
  CHECK(cache.stats().pch_files == 0);
  bench.environment.set("KILN_PCH_MAX_SIZE", "1M");
  bench.compiled(pch_kernel(3));
  CHECK(cache.stats().pch_made == 0);
  CHECK(cache.stats().pch_files == 0);
  bench.environment.set("KILN_PCH_MAX_SIZE", "1G");  // the verdict was about the other limit
  bench.compiled(pch_kernel(4));
  CHECK(cache.stats().pch_made == 1);
  bench.compiled(pch_kernel(5));
  CHECK(cache.stats().pch_used == 1);
}

TEST_CASE("a folder that cannot be used is warned of by its name, and costs nothing else") {
  PchBench bench;
  std::string warnings;
  const fs::path file = bench.scratch.write("no folder", "");
  bench.environment.set("KILN_PCH_DIR", file.string());
  set_log_handler([&](LogLevel level, const std::string& text) {
    if (level == LogLevel::warn) warnings += text + "\n";
  });
  bench.compiled(pch_kernel(1));
  bench.compiled(pch_kernel(2));
  set_log_handler({});
  CHECK(warnings.find("KILN_PCH_DIR can name another one") != std::string::npos);
  CHECK(bench.stats().pch_made == 0);
  CHECK(bench.stats().entries == 2);
}

TEST_CASE("processes that compile at once make one file") {
  const PchBench bench;
  std::vector<CompileRequest> requests;
  for (int number = 0; number < 6; ++number) requests.push_back({pch_kernel(number), bench.options()});
  for (const CompileResult& result : compile_all(requests, {}, 3)) CHECK_NOTHROW(result.get());
  wait_until_made(bench);
  CHECK(bench.made() == 1);
  CHECK(bench.stats().pch_files == 1);
  const std::uint64_t used = bench.used();
  bench.compiled(pch_kernel(6));
  CHECK(bench.used() == used + 1);
}

}  // namespace precompiled_headers_test
