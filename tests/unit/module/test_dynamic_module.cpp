// DynamicModule over the fake driver: what is compiled, linked and loaded, when and how often. Real compiles and links.
#include "fake_cuda.hpp"
#include "message_of.hpp"
#include "old_file.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace dynamic_module_test {

using kiln::CompileOptions;
using kiln::DynamicModule;
using kiln::DynamicSourceModule;
using kiln::LinkOptions;
using kiln::test::contains;
using kiln::test::message_of;
using kiln::test::ScratchFolder;

namespace {

const char* const main_source = R"(
extern __device__ int plug_in(int);
__device__ int calls = 0;
extern "C" __global__ void run(int* out) { out[0] = plug_in(out[0]); ++calls; }
)";
const char* const plug_in_source = R"(
extern __device__ int calls;
__device__ int plug_in(int x) { return 2 * x + calls; }
)";

CompileOptions in(const ScratchFolder& cache) { return CompileOptions{}.with_caching({cache.path()}); }
LinkOptions link_in(const ScratchFolder& cache) { return {.caching = {cache.path()}}; }
kiln::CacheStats stats(const ScratchFolder& cache) { return kiln::Cache(cache.path()).stats(); }
std::size_t loads() { return fake_cuda::calls("cuLibraryLoadData"); }

/// Two sources, not linked yet.
DynamicModule two_sources(const ScratchFolder& cache, CompileOptions options = {}) {
  options.caching.dir = cache.path();
  return DynamicModule(link_in(cache))
      .add_source(main_source, options, "main.cu")
      .add_source(plug_in_source, options, "plug_in.cu");
}

kiln::DynamicFunction twice() { return {"int", "twice", "int x", "return 2 * x;"}; }

/// Device 1 (sm_80) for a scope; device 0 (sm_90) is every other test's.
struct OnSecondDevice {
  OnSecondDevice() { kiln::Device(1).make_current(); }
  ~OnSecondDevice() { kiln::Device(0).make_current(); }
};

}  // namespace

TEST_CASE("a module is built from a template, a preamble and functions") {
  const ScratchFolder cache;
  DynamicModule builder("extern \"C\" __global__ void fill($type* out) { *out = twice(OFFSET + $value); }\n");
  builder.add_to_preamble("#define OFFSET 4\n").add_function(twice()).substitute({{"type", "int"}, {"value", 3}});
  const kiln::Module module = builder.compile(in(cache));
  CHECK(module.function_names() == std::vector<std::string>{"fill"});
  CHECK(builder.get_function("fill").handle() == module.get_function("fill").handle());
  CHECK(contains(builder.source(), "*out = twice(OFFSET + 3)"));
  builder.get_function("fill")({1, 1}, static_cast<int*>(nullptr));
}

TEST_CASE("equal parts are one source, which the cache has") {
  const ScratchFolder cache;
  const auto build = [] {
    DynamicModule builder("__global__ void k(int* out) { *out = twice(1); }\n");
    builder.add_function(twice()).add_to_preamble("// one").add_to_preamble("// two").add_to_preamble("// one");
    return builder;
  };
  DynamicModule first = build(), second = build();
  CHECK(first.source() == second.source());
  CHECK_FALSE(first.compile(in(cache)).code().from_cache());
  CHECK(second.compile(in(cache)).code().from_cache());
  CHECK(stats(cache).compiles == 1);
}

TEST_CASE("a builder compiles again after more was added, and what it gave before goes on") {
  const ScratchFolder cache;
  DynamicModule builder("extern \"C\" __global__ void k(int* out) { *out = 1; }\n");
  const kiln::Module first = builder.compile(in(cache));
  const kiln::Function function = builder.get_function("k");
  builder.add_function({"void", "more", "int* out", "*out = 2;", "extern \"C\" __global__"});
  CHECK(builder.function_names().size() == 1);
  CHECK(builder.compile(in(cache)).function_names().size() == 2);
  CHECK(first.function_names().size() == 1);
  CHECK(builder.get_function("more").parameters().size() == 1);
  fake_cuda::reset();
  function({1, 1}, static_cast<int*>(nullptr));
  CHECK(fake_cuda::launches().size() == 1);
}

TEST_CASE("a part that does not compile is named with its own line, and the module stays what it was") {
  const ScratchFolder cache;
  DynamicModule builder("extern \"C\" __global__ void k(int* out) { *out = 1; }\n");
  (void)builder.compile(in(cache));
  builder.add_function({"int", "broken", "int x", "\nreturn missing;"});
  const std::string message = message_of<kiln::CompileError>([&] { (void)builder.compile(in(cache)); });
  CHECK_MESSAGE(contains(message, "function broken"), message);
  CHECK_MESSAGE(contains(message, "missing"), message);
  CHECK(builder.function_names().size() == 1);
}

TEST_CASE("before compile and link every member says what to call") {
  DynamicModule module("__global__ void k() {}");
  const std::vector<std::string> messages = {
      message_of<kiln::ArgumentError>([&] { (void)module.get_function("k"); }),
      message_of<kiln::ArgumentError>([&] { (void)module.get_function<void()>("k"); }),
      message_of<kiln::ArgumentError>([&] { (void)module.get_global("k"); }),
      message_of<kiln::ArgumentError>([&] { (void)module.get_texref("k"); }),
      message_of<kiln::ArgumentError>([&] { (void)module.get_surfref("k"); }),
      message_of<kiln::ArgumentError>([&] { (void)module.function_names(); }),
      message_of<kiln::ArgumentError>([&] { module.preload({0}); }),
      message_of<kiln::ArgumentError>([&] { (void)module.code(); })};
  for (const std::string& message : messages) {
    CHECK_MESSAGE(contains(message, "compile()"), message);
    CHECK_MESSAGE(contains(message, "link()"), message);
  }
}

TEST_CASE("two sources are linked to one module") {
  const ScratchFolder cache;
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    DynamicModule module = two_sources(cache, CompileOptions{}.with_target(target));
    CHECK_THROWS_AS((void)module.get_function("run"), kiln::ArgumentError);
    CHECK(&module.link() == &module);
    CHECK(module.code().target() == kiln::Target::cubin);
    CHECK(module.code().arch() == "sm_90");
    CHECK(module.function_names() == std::vector<std::string>{"run"});
    CHECK(module.get_global("calls").size == sizeof(int));
    fake_cuda::reset();
    module.get_function("run")({1, 1}, static_cast<int*>(nullptr));
    CHECK(fake_cuda::launches().size() == 1);
  }
}

TEST_CASE("the same parts are compiled and linked once; with one changed, only that one is compiled") {
  const ScratchFolder cache;
  CHECK_FALSE(two_sources(cache).link().code().from_cache());
  CHECK(stats(cache).compiles == 3);  // two sources and the link
  CHECK(two_sources(cache).link().code().from_cache());
  CHECK(stats(cache).compiles == 3);
  DynamicModule changed(link_in(cache));
  changed.add_source(main_source, in(cache), "main.cu")
      .add_source("__device__ int plug_in(int x) { return x; }", in(cache), "plug_in.cu");
  CHECK_FALSE(changed.link().code().from_cache());
  CHECK(stats(cache).compiles == 5);
}

TEST_CASE("linked code in the cache is found by the sources' headers as they are, and no source is read for it") {
  const ScratchFolder cache, folder;
  const auto write = [&](const char* text) {
    std::ofstream(folder.path() / "factor.h") << text;
    kiln::test::wait_until_old(folder.path() / "factor.h");
  };
  std::filesystem::path same_cache = cache.path();
  // A cache by another name has nothing in this process's memory, as in a new process.
  const auto start = [&](kiln::Target target) {
    same_cache /= ".";
    DynamicModule module({.caching = {same_cache}});
    const CompileOptions options =
        CompileOptions{}.with_caching({same_cache}).with_include_dirs({folder.path()}).with_target(target);
    module.add_source("extern __device__ int factor(); __global__ void k(int* out) { *out *= factor(); }", options);
    module.add_source("#include <factor.h>\n__device__ int factor() { return FACTOR; }", options).link();
    return module.code().from_cache();
  };
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
    CAPTURE(static_cast<int>(target));
    write("#define FACTOR 2\n");
    const kiln::CacheStats before = stats(cache);
    CHECK_FALSE(start(target));
    CHECK(start(target));
    CHECK(stats(cache).compiles == before.compiles + 3);
    CHECK(stats(cache).hits == before.hits + 1);
    write("#define FACTOR 1 + 2\n");
    CHECK_FALSE(start(target));
    CHECK(stats(cache).compiles == before.compiles + 5);
    CHECK(stats(cache).hits == before.hits + 2);  // the other source
  }
}

TEST_CASE("linked code from the cache knows the names of its template instances") {
  const ScratchFolder cache;
  const auto link = [&](const std::filesystem::path& folder, const std::string& expression) {
    DynamicModule module({.caching = {folder}});
    module.add_source("using number = float;\ntemplate <class T> __global__ void fill(T* out) { *out = T(1); }\n",
                      CompileOptions{}.with_caching({folder}).with_name_expressions({expression}));
    return module.link();
  };
  const std::string symbol = link(cache.path(), "fill<number>").code().lowered_name("fill<number>");
  const DynamicModule again = link(cache.path() / ".", "fill<number>");
  CHECK(again.code().from_cache());
  CHECK(again.code().lowered_name("fill<number>") == symbol);
  CHECK(again.get_function("fill<number>").parameters().size() == 1);
}

TEST_CASE("modules of equal parts have their own variables, and share an image without any") {
  const ScratchFolder cache;
  const std::size_t before = loads();
  const DynamicModule first = two_sources(cache).link(), second = two_sources(cache).link();
  CHECK(loads() == before + 2);
  CHECK(first.get_global("calls").pointer != second.get_global("calls").pointer);

  const auto plain = [&] {
    return DynamicModule(link_in(cache)).add_source("__global__ void k() {}", in(cache)).link();
  };
  const DynamicModule third = plain(), fourth = plain();
  CHECK(loads() == before + 3);
  CHECK(third.get_function("k").handle() == fourth.get_function("k").handle());
}

TEST_CASE("code of others is linked too: bytes, files, libraries") {
  const ScratchFolder cache;
  const kiln::CodeObject plug_in =
      kiln::compile("__device__ int calls = 7; __device__ int plug_in(int x) { return x; }",
                    in(cache).with_options({"-rdc=true"}).with_arch("sm_90"));
  const std::string source =
      "extern __device__ int plug_in(int); extern \"C\" __global__ void run(int* out) { *out = plug_in(1); }";
  SUBCASE("as bytes, which are copied") {
    DynamicModule module(link_in(cache));
    {
      const std::string bytes(plug_in.bytes());
      module.add_data(bytes, kiln::InputType::cubin, "plug_in");
    }
    CHECK(module.add_source(source, in(cache)).link().function_names().size() == 1);
  }
  SUBCASE("as a file, which is read once") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "plug_in.cubin").string();
    std::ofstream(path, std::ios::binary) << plug_in.bytes();
    DynamicModule module(link_in(cache));
    module.add_file(path).add_source(source, in(cache));
    std::ofstream(path, std::ios::binary) << "something else";
    CHECK(module.link().function_names().size() == 1);
  }
  SUBCASE("with a library of the toolkit's") {
    DynamicModule module(link_in(cache));
    module.add_data(plug_in.bytes()).add_stdlib("cudadevrt").add_source(source, in(cache));
    CHECK(module.link().function_names().size() == 1);
  }
}

TEST_CASE("more may be added and linked again, and what was got before goes on") {
  const ScratchFolder cache;
  DynamicModule module = two_sources(cache).link();
  const kiln::Function run = module.get_function("run");
  module.add_source("extern \"C\" __global__ void more() {}", in(cache));
  CHECK(module.function_names().size() == 1);
  module.link();
  CHECK(module.function_names().size() == 2);
  fake_cuda::reset();
  run({1, 1}, static_cast<int*>(nullptr));
  module.get_function("more")({1, 1});
  CHECK(fake_cuda::launches().size() == 2);
}

TEST_CASE("the text of a builder is one of the linked sources") {
  const ScratchFolder cache;
  DynamicModule module(
      "extern __device__ int $name(int);\nextern \"C\" __global__ void k(int* out) { *out = $name(1); }\n");
  module.substitute({{"name", "plug_in"}});
  module.add_source("__device__ int plug_in(int x) { return x; }", in(cache)).link(in(cache));
  CHECK(module.function_names() == std::vector<std::string>{"k"});
}

TEST_CASE("a copy is a module of its own") {
  const ScratchFolder cache;
  DynamicModule first =
      DynamicModule(link_in(cache)).add_source("extern \"C\" __global__ void a() {}", in(cache)).link();
  DynamicModule second = first;
  CHECK(second.get_function("a").handle() == first.get_function("a").handle());
  second.add_source("extern \"C\" __global__ void b() {}", in(cache)).link();
  CHECK(second.function_names().size() == 2);
  CHECK(first.link().function_names().size() == 1);
  first = second;
  CHECK(first.function_names().size() == 2);
  const DynamicModule moved = std::move(first);
  CHECK(moved.function_names().size() == 2);
}

TEST_CASE("a module that was moved from says so, and may be given another") {
  DynamicModule first("__global__ void k() {}");
  DynamicModule second = std::move(first);
  CHECK_THROWS_WITH_AS(first.add_source(""), doctest::Contains("moved from"), kiln::ArgumentError);
  CHECK_THROWS_AS((void)first.source(), kiln::ArgumentError);
  CHECK_THROWS_AS(first.link(), kiln::ArgumentError);
  CHECK_THROWS_AS(DynamicModule{first}, kiln::ArgumentError);
  first = second;
  CHECK(first.source() == second.source());
}

TEST_CASE("what goes wrong with a part goes wrong where it is added, and the others stay") {
  const ScratchFolder cache;
  DynamicModule module = two_sources(cache);
  const std::string message = message_of<kiln::CompileError>(
      [&] { module.add_source("__device__ int f() { return nothing; }", in(cache), "bad.cu"); });
  CHECK_MESSAGE(contains(message, "bad.cu"), message);
  CHECK_THROWS_AS(module.add_data("this is no code", kiln::InputType::cubin, "junk"), kiln::Error);
  CHECK_THROWS_AS(module.add_file("/nonexistent/file.o"), kiln::Error);
  CHECK_THROWS_AS(module.add_stdlib("nonexistent"), kiln::ToolkitError);
  CHECK(module.link().function_names().size() == 1);
}

TEST_CASE("a link that fails names the symbol, keeps nothing, and leaves the module what it was") {
  const ScratchFolder cache;
  DynamicModule module =
      DynamicModule(link_in(cache)).add_source("extern \"C\" __global__ void a() {}", in(cache)).link();
  const std::size_t before = loads();
  const std::uint64_t stores = stats(cache).stores;
  module.add_source(main_source, in(cache), "main.cu");
  const std::string message = message_of<kiln::LinkError>([&] { module.link(); });
  CHECK_MESSAGE(contains(message, "plug_in"), message);
  CHECK_MESSAGE(contains(message, "main.cu"), message);
  CHECK(loads() == before);
  CHECK(stats(cache).stores == stores + 1);  // the source's
  CHECK(module.function_names() == std::vector<std::string>{"a"});
  CHECK(module.add_source(plug_in_source, in(cache)).link().function_names().size() == 2);

  const std::string nothing = message_of<kiln::ArgumentError>([] { DynamicModule().link(); });
  CHECK_MESSAGE(contains(nothing, "add_source"), nothing);
}

TEST_CASE("a variable that two sources define is an error that names both, and nothing is kept") {
  const std::vector<std::string> declarations = {"__device__ int twice;", "__constant__ int twice;",
                                                 "texture<float, 1> twice;"};
  for (const std::string& declaration : declarations)
    for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ptx, kiln::Target::ltoir}) {
      CAPTURE(declaration);
      CAPTURE(static_cast<int>(target));
      const ScratchFolder cache;
      DynamicModule module(link_in(cache));
      const CompileOptions options = in(cache).with_target(target);
      module.add_source(declaration + "\n__global__ void f(long long* out) { *out = (long long)&twice; }", options,
                        "f.cu");
      module.add_source(declaration + "\n__global__ void g(long long* out) { *out = (long long)&twice; }", options,
                        "g.cu");
      const std::string message = message_of<kiln::LinkError>([&] { module.link(); });
      CHECK_MESSAGE(contains(message, "symbol twice is defined twice, by f.cu and g.cu"), message);
      CHECK(stats(cache).entries == 2);
    }
}

TEST_CASE("a name that is static in two linked sources is no variable that could be found") {
  const ScratchFolder cache;
  DynamicModule module(link_in(cache));
  for (const char* kernel : {"f", "g"})
    module.add_source(std::string("static __device__ int own = 1;\nextern \"C\" __global__ void ") + kernel +
                          "(int* out) { *out = ++own; }",
                      in(cache));
  module.add_source("__device__ int one = 1;", in(cache)).link();
  CHECK(module.get_global("one").size == sizeof(int));
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_global("own"); });
  CHECK_MESSAGE(contains(message, "static"), message);
}

TEST_CASE("what is wrong with link options is reported at once") {
  CHECK_THROWS_AS(DynamicModule(LinkOptions{}.with(&LinkOptions::optimization, 7)), kiln::ArgumentError);
}

TEST_CASE("without a text there is nothing to compile") {
  const ScratchFolder cache;
  DynamicModule module(link_in(cache));
  module.add_source(plug_in_source, in(cache));
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.compile(in(cache)); });
  CHECK_MESSAGE(contains(message, "link()"), message);
}

TEST_CASE("the message handler hears of the links that run") {
  const ScratchFolder cache;
  std::vector<bool> heard;
  LinkOptions options = link_in(cache);
  options.message_handler = [&](bool success, const std::string&, const std::string&) { heard.push_back(success); };
  DynamicModule module(options);
  module.add_source(plug_in_source, in(cache)).add_source("__device__ int calls = 0;", in(cache)).link();
  CHECK(heard == std::vector<bool>{true});
  module.link();
  CHECK(heard == std::vector<bool>{true});
  module.add_source("extern __device__ int none(); __global__ void f(int* out) { *out = none(); }", in(cache));
  CHECK_THROWS_AS(module.link(), kiln::LinkError);
  CHECK(heard == std::vector<bool>{true, false});
}

TEST_CASE("a device of another architecture gets linked code of its own, at its first use, and cached") {
  const ScratchFolder cache;
  const DynamicModule module = two_sources(cache).link();
  const kiln::Function function = module.get_function("run");
  const std::size_t before = loads();
  {
    const OnSecondDevice second;
    function({1, 1}, static_cast<int*>(nullptr));
    CHECK(loads() == before + 1);
    CHECK(stats(cache).compiles == 6);
    function({1, 1}, static_cast<int*>(nullptr));
    const DynamicModule again = two_sources(cache).link();
    CHECK(again.code().arch() == "sm_80");
    CHECK(again.code().from_cache());
    CHECK(stats(cache).compiles == 6);
  }
  CHECK(module.code().arch() == "sm_90");
}

TEST_CASE("sources for native-a are linked for that, on each device") {
  const ScratchFolder cache;
  const DynamicModule module = two_sources(cache, CompileOptions{}.with_arch("native-a")).link();
  CHECK(module.code().arch() == "sm_90a");
  const kiln::Function function = module.get_function("run");
  const OnSecondDevice second;
  function({1, 1}, static_cast<int*>(nullptr));
  CHECK(two_sources(cache, CompileOptions{}.with_arch("native-a")).link().code().arch() == "sm_80");
}

TEST_CASE("a link for native-a is for that, on each device") {
  const ScratchFolder cache;
  const auto linked = [&cache] {
    return DynamicModule(link_in(cache).with(&kiln::LinkOptions::arch, "native-a"))
        .add_source(main_source, in(cache))
        .add_source(plug_in_source, in(cache))
        .link();
  };
  const DynamicModule module = linked();
  CHECK(module.code().arch() == "sm_90a");
  const kiln::Function function = module.get_function("run");
  const OnSecondDevice second;
  function({1, 1}, static_cast<int*>(nullptr));
  CHECK(linked().code().arch() == "sm_80");
}

TEST_CASE("sources that were added on another device are compiled for the one that links") {
  const ScratchFolder cache;
  DynamicModule module = [&] {
    const OnSecondDevice second;
    return two_sources(cache);
  }();
  CHECK(module.link().code().arch() == "sm_90");
}

TEST_CASE("a callback for headers is asked once for a module, also where it is made again for another device") {
  const ScratchFolder cache;
  int asked = 0;
  const CompileOptions options = in(cache).with_header_callback([&asked](const std::string&) {
    ++asked;
    return std::optional<std::string>("#define FACTOR 3\n");
  });
  const char* const source = "#include <factor.h>\nextern \"C\" __global__ void k(int* out) { *out *= FACTOR; }";
  const kiln::SourceModule single(source, options);
  const DynamicModule linked = DynamicModule(link_in(cache)).add_source(source, options).link();
  CHECK(asked == 2);
  const std::size_t compiles = stats(cache).compiles;
  single.preload({1});
  linked.preload({1});
  CHECK(stats(cache).compiles > compiles);
  CHECK(asked == 2);
}

TEST_CASE("modules whose code is the same on one device need not be so on another") {
  const ScratchFolder cache;
  const auto make = [&](const std::string& older) {
    return DynamicModule(link_in(cache))
        .add_source("#if __CUDA_ARCH__ < 900\nextern \"C\" __global__ void " + older +
                        "() {}\n#endif\nextern \"C\" __global__ void k() {}\n",
                    in(cache))
        .link();
  };
  const DynamicModule first = make("a"), second = make("b");
  const OnSecondDevice device;
  first.preload({1});
  second.preload({1});
  fake_cuda::reset();
  CHECK(first.get_function("k").handle() != second.get_function("k").handle());
}

TEST_CASE("an arch that was given is an error on a device that cannot run it, with both") {
  const ScratchFolder cache;
  const std::vector<DynamicModule> modules = {
      two_sources(cache, CompileOptions{}.with_arch("sm_90")).link(),
      DynamicModule(link_in(cache).with(&LinkOptions::arch, "sm_90"))
          .add_source(main_source, in(cache))
          .add_source(plug_in_source, in(cache))
          .link(),
      DynamicSourceModule("__global__ void run() {}", in(cache).with_arch("sm_90"))};
  for (const DynamicModule& module : modules) {
    CHECK(module.code().arch() == "sm_90");
    const std::string message = message_of<kiln::NoKernelImageError>([&] { module.preload({1}); });
    CHECK_MESSAGE(contains(message, "sm_90"), message);
    CHECK_MESSAGE(contains(message, "sm_80"), message);
    CHECK_MESSAGE(contains(message, "LinkOptions"), message);
  }
}

TEST_CASE("linked code from the cache that the driver refuses is dropped and linked again, once") {
  const ScratchFolder cache;
  (void)two_sources(cache).link();
  SUBCASE("and the new one is loaded") {
    fake_cuda::fail("cuLibraryLoadData", 200);
    const DynamicModule module = two_sources(cache).link();
    CHECK_FALSE(module.code().from_cache());
    CHECK(stats(cache).compiles == 4);
    CHECK(stats(cache).corrupt == 1);
  }
  SUBCASE("and reported when the new one is refused too; the module has no code") {
    const std::size_t live = fake_cuda::live_libraries();
    fake_cuda::fail("cuLibraryLoadData", 200, 0, 2);
    DynamicModule module = two_sources(cache);
    const std::string message = message_of<kiln::DriverError>([&] { module.link(); });
    CHECK_MESSAGE(contains(message, "CUDA_ERROR_INVALID_IMAGE"), message);
    CHECK_THROWS_AS((void)module.code(), kiln::ArgumentError);
    CHECK(fake_cuda::live_libraries() == live);
    CHECK(module.link().function_names().size() == 1);
  }
  SUBCASE("but another failure is none of the code's") {
    fake_cuda::fail("cuLibraryLoadData", 2);
    DynamicModule module = two_sources(cache);
    CHECK_THROWS_AS(module.link(), kiln::DriverError);
    CHECK(stats(cache).compiles == 3);
  }
}

TEST_CASE("template instances are those of the sources' name expressions") {
  const ScratchFolder cache;
  const std::string source =
      "using number = float;\ntemplate <class T> __global__ void fill(T* out) { *out = T(1); }\n";
  DynamicModule module(link_in(cache));
  module.add_source(source, in(cache).with_name_expressions({"fill<number>"})).link();
  CHECK(module.get_function("fill<number>").parameters().size() == 1);
  CHECK(module.get_function("fill< number >").handle() == module.get_function("fill<float>").handle());
  CHECK_FALSE(module.code().lowered_name("fill<number>").empty());
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_function("fill<double>"); });
  CHECK_MESSAGE(contains(message, "name_expressions"), message);
  CHECK_MESSAGE(contains(message, "fill<float>"), message);
}

TEST_CASE("texture references of linked code are found and bound") {
  const ScratchFolder cache;
  DynamicModule module(link_in(cache));
  module
      .add_source("texture<float, 1> image;\n__device__ float read(int i) { return tex1Dfetch(image, i); }\n",
                  in(cache))
      .add_source(
          "extern __device__ float read(int);\nextern \"C\" __global__ void k(float* out) { *out = read(0); }\n",
          in(cache))
      .link();
  kiln::TextureReference image = module.get_texref("image");
  const kiln::DeviceBuffer<float> memory(64);
  image.set_address(memory.data(), memory.size() * sizeof(float));
  fake_cuda::reset();
  module.get_function("k")({1, 1}, static_cast<float*>(nullptr));
  CHECK(fake_cuda::launches().size() == 1);
  CHECK(fake_cuda::calls("cuTexObjectCreate") == 1);
}

TEST_CASE("LLVM IR is one of the sources, for every device") {
  const ScratchFolder cache;
  const char* const ir = R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define i32 @plug_in(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
)";
  DynamicModule module(link_in(cache));
  module
      .add_source(
          "extern \"C\" __device__ int plug_in(int);\n"
          "extern \"C\" __global__ void run(int* out) { *out = plug_in(*out); }\n",
          in(cache))
      .add_source(ir, in(cache).with(&kiln::CompileOptions::language, kiln::Language::nvvm_ir))
      .link();
  CHECK(module.function_names() == std::vector<std::string>{"run"});
  module.preload({1});
}

TEST_CASE("a source with device-side launches is linked with the device runtime") {
  const ScratchFolder cache;
  const char* const source = R"(
__global__ void child(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void parent(int* out) {
  child<<<1, 32>>>(out);
  child<<<1, 32, 0, cudaStreamTailLaunch>>>(out);
  child<<<1, 32, 0, cudaStreamFireAndForget>>>(out);
}
)";
  const DynamicSourceModule module(source, in(cache));
  std::vector<std::string> names = module.function_names();
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"child(int*)", "parent(int*)"});  // none of the runtime's own
  CHECK(module.get_function("parent").parameters().size() == 1);
  const std::uint64_t compiles = stats(cache).compiles;
  CHECK(compiles == 2);
  CHECK(DynamicSourceModule(source, in(cache)).code().from_cache());
  CHECK(stats(cache).compiles == compiles);
  const DynamicSourceModule ptx(source, in(cache).with_target(kiln::Target::ptx));
  CHECK(ptx.code().target() == kiln::Target::cubin);
  const std::string message = message_of<kiln::ArgumentError>([&] { (void)module.get_global("none"); });
  CHECK_MESSAGE(contains(message, "no __device__"), message);
}

TEST_CASE("options for machine code reach the link that makes it of LTO-IR or PTX") {
  const ScratchFolder cache;
  const auto code_with = [&](const std::string& source, kiln::Target target, std::vector<std::string> options) {
    return DynamicSourceModule(source,
                               in(cache).with_arch("sm_90").with_target(target).with_options(std::move(options)))
        .code();
  };
  const std::string divides = "__global__ void k(float* p) { p[0] = p[1] / p[2] + sqrtf(p[3]); }";
  const std::size_t plain = code_with(divides, kiln::Target::ltoir, {}).bytes().size();
  for (const char* option : {"-prec-div=false", "-prec-sqrt=false", "-ftz=true", "-use_fast_math"}) {
    CAPTURE(option);
    CHECK(code_with(divides, kiln::Target::ltoir, {option}).bytes().size() < plain);
  }
  const std::string needs_registers =
      "__global__ void k(float* p) {\n"
      "  float a[40];\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 40; ++i) a[i] = p[i * 32];\n"
      "  __syncthreads();\n"
      "#pragma unroll\n"
      "  for (int i = 0; i < 40; ++i) p[i * 32 + 1] = a[i] * a[39 - i];\n"
      "}\n";
  for (const kiln::Target target : {kiln::Target::cubin, kiln::Target::ltoir, kiln::Target::ptx}) {
    CAPTURE(static_cast<int>(target));
    CHECK(code_with(needs_registers, target, {}).kernels().front().registers > 24);
    CHECK(code_with(needs_registers, target, {"-maxrregcount", "24"}).kernels().front().registers <= 24);
  }
}

TEST_CASE("a file of device-side launches names itself, and finds the headers beside it") {
  const ScratchFolder cache;
  const ScratchFolder folder;
  std::ofstream(folder.path() / "child.h") << "__global__ void child() {}\n";
  const std::filesystem::path path = folder.path() / "parent.cu";
  std::ofstream(path) << "#include \"child.h\"\n__global__ void parent() { child<<<1, 1>>>(); }\n";
  CHECK(DynamicSourceModule::from_file(path, in(cache)).function_names().size() == 2);
  const std::string message = message_of<kiln::ArgumentError>(
      [&] { (void)DynamicSourceModule::from_file(path, in(cache).with_name("other.cu")); });
  CHECK_MESSAGE(contains(message, "DynamicSourceModule::from_file"), message);
  std::ofstream(path) << "__global__ void parent() { none<<<1, 1>>>(); }\n";
  const std::string compile_message =
      message_of<kiln::CompileError>([&] { (void)DynamicSourceModule::from_file(path, in(cache)); });
  CHECK_MESSAGE(contains(compile_message, "parent.cu"), compile_message);
}

TEST_CASE("with the cache off everything is made again, and works") {
  const ScratchFolder cache;
  const CompileOptions options = in(cache).with_cache(false);
  const DynamicSourceModule first("__global__ void k() {}", options), second("__global__ void k() {}", options);
  CHECK_FALSE(second.code().from_cache());
  CHECK(stats(cache).stores == 0);
  second.preload({1});
}

}  // namespace dynamic_module_test
