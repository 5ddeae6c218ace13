// Headers by a callback are in-memory headers, of which only those that are needed are asked for.
#include "compile/code/code_data.hpp"
#include "compile/headers/called_headers.hpp"

#include <kiln/compile_all.hpp>
#include <kiln/error.hpp>

#include "compile_bench.hpp"
#include "real_nvcc.hpp"

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace called_headers_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Names = std::vector<std::string>;
using Headers = std::map<std::string, std::string>;

/// Gives what it has, and notes what it is asked for.
struct Library {
  Headers headers;
  Names asked = {};
  std::mutex mutex = {};

  HeaderCallback callback() {
    return [this](const std::string& name) -> std::optional<std::string> {
      const std::lock_guard lock(mutex);
      asked.push_back(name);
      const auto found = headers.find(name);
      return found != headers.end() ? std::optional(found->second) : std::nullopt;
    };
  }
};

/// The headers that a source then has.
Headers called(Library& library, const std::string& source, const CompileOptions& options = {}) {
  return with_called_headers(source, options.with_header_callback(library.callback())).value().headers;
}

/// Its PTX holds the VALUE of a header.
const std::string source =
    "#include \"a/value.h\"\n#define TEXT2(x) #x\n#define TEXT(x) \"// KILN_VALUE_\" TEXT2(x)\n"
    "extern \"C\" __global__ void k() { asm volatile(TEXT(VALUE)); }\n";

std::string value_of(const CodeObject& code) {
  const std::string text(code.bytes());
  const std::size_t at = text.find("KILN_VALUE_");
  return at == text.npos ? "none" : text.substr(at + 11, 1);
}

Library library_of(const std::string& value) {
  return {.headers = {{"a/value.h", "#include \"number.h\"\n"}, {"number.h", "#define VALUE " + value + "\n"}}};
}

CompileOptions with_library(const Bench& bench, Library& library) {
  return bench.options().with_target(Target::ptx).with_header_callback(library.callback());
}

}  // namespace

TEST_CASE("a callback is asked once for each name that a source and headers in memory include") {
  Library library{.headers = {{"a/x.h", "#include \"y.h\"\n#include <z.h>\n#include \"../top.h\"\n"},
                              {"y.h", "#include \"a/x.h\"\n"},
                              {"top.h", ""},
                              {"never.h", ""}}};
  const Headers headers = called(library,
                                 "#include \"./a//x.h\"\n"
                                 "#include \"a/x.h\"\n"
                                 "// #include \"comment.h\"\n"
                                 "#include <cuda_fp16.h>\n"
                                 "#if __has_include(<perhaps.h>)\n#include <perhaps.h>\n#endif\n"
                                 "#include_next <next.h>\n#define NAME \"macro.h\"\n#include NAME\n");
  CHECK(library.asked == Names{"a/x.h", "cuda_fp16.h", "perhaps.h", "a/y.h", "y.h", "z.h", "top.h"});
  CHECK(headers.size() == 3);
  CHECK(headers.count("never.h") == 0);
}

TEST_CASE("headers that are there are not asked for, and what they include is") {
  Library library{.headers = {{"b.h", "text"}, {"a.h", "not taken"}}};
  const Headers headers =
      called(library, "#include \"a.h\"\n",
             CompileOptions{}.with_headers({{"./a.h", "#include \"b.h\"\n"}, {"unused.h", "#include <c.h>"}}));
  CHECK(library.asked == Names{"b.h"});
  CHECK(headers.at("a.h") == "#include \"b.h\"\n");
  CHECK(headers.at("b.h") == "text");
}

TEST_CASE("a callback's headers are compiled by both compilers, kept, and found again by their text") {
  const Bench bench;
  std::vector<Backend> backends = {Backend::nvrtc};
  if (real_nvcc()) backends.push_back(Backend::nvcc);
  for (const Backend backend : backends) {
    CAPTURE(static_cast<int>(backend));
    Library library = library_of("1");
    const CompileOptions options = with_library(bench, library).with_backend(backend);
    const Names needed = {"a/value.h", "a/number.h", "number.h"};
    const CacheStats before = bench.stats();
    // Each in a process of its own, where nothing is in memory. A warm start asks for what is in the key.
    for (const bool is_warm : {false, true})
      CHECK(in_new_process([&] {
        const CodeObject code = compile(source, options);
        return code.from_cache() == is_warm && value_of(code) == "1" && library.asked == needed;
      }));
    CHECK(bench.stats().compiles == before.compiles + 1);

    library.headers["number.h"] = "#define VALUE 2\n";
    CHECK(value_of(compile(source, options)) == "2");  // in memory, too, the text counts
    library.headers["a/number.h"] = "#define VALUE 3\n";
    CHECK(value_of(compile(source, options)) == "3");  // beside the header that includes it
    CHECK(bench.stats().compiles == before.compiles + 3);
  }
}

TEST_CASE("code that is compiled again for another device asks for no header") {
  const Bench bench;
  Library library = library_of("1");
  const CodeObject code = compile(source, with_library(bench, library));
  const CompileOptions& again = code.data()->recipe->options;
  CHECK_FALSE(bool{again.header_callback});
  CHECK(again.headers.size() == 2);
}

TEST_CASE("equal requests of a batch with other callbacks are other requests, each asked once") {
  const Bench bench;
  Library one = library_of("1"), two = library_of("2");
  const std::vector<CompileRequest> requests = {
      {source, with_library(bench, one)}, {source, with_library(bench, two)}, {source, with_library(bench, one)}};
  const std::vector<CompileResult> results = compile_all(requests);
  CHECK(value_of(results[0].get()) == "1");
  CHECK(value_of(results[1].get()) == "2");
  CHECK(value_of(results[2].get()) == "1");
  CHECK(one.asked.size() == 6);  // of two requests
  CHECK(two.asked.size() == 3);
  CHECK(bench.stats().compiles == 2);
}

TEST_CASE("what a callback throws is thrown by the compile, and nothing is compiled") {
  const Bench bench;
  const CompileOptions options = bench.options().with_header_callback(
      [](const std::string& name) -> std::optional<std::string> { throw std::runtime_error("no " + name); });
  CHECK_THROWS_WITH_AS(compile(source, options), "no a/value.h", std::runtime_error);
  CHECK_THROWS_WITH_AS(compile_all({{source, options}})[0].get(), "no a/value.h", std::runtime_error);
  CHECK(bench.stats().misses == 0);
}

TEST_CASE("a callback with a header for every name is stopped, and LLVM IR takes none") {
  int count = 0;
  const CompileOptions endless = CompileOptions{}.with_header_callback(
      [&count](const std::string&) { return std::optional("#include <" + std::to_string(++count) + ">\n"); });
  CHECK_THROWS_WITH_AS(compile(source, endless.with_arch("sm_80")),
                       doctest::Contains("does it give a header for every name?"), ArgumentError);
  CHECK_THROWS_WITH_AS(compile("", endless.with(&CompileOptions::language, Language::nvvm_ir)),
                       doctest::Contains("CompileOptions::header_callback says nothing about NVVM IR"), ArgumentError);
  CHECK_THROWS_WITH_AS(compile(source, CompileOptions{}.with_arch("sm_80").with_header_callback(
                                           [](const std::string&) { return std::optional(std::string("a\0b", 3)); })),
                       doctest::Contains("the in-memory header \"a/value.h\" holds a zero byte"), ArgumentError);
}

}  // namespace called_headers_test
