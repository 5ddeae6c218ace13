// What decides a request's key, and what does not: the place of a source tree. No compiler is needed.
#include "compile/request/request.hpp"

#include "cache/key.hpp"
#include "compile/identity/chosen_compiler.hpp"

#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace request_test {

using namespace kiln;
using kiln::test::WorkingFolder;

namespace {

const std::string includes = "#include <x.h>\n";

Request request(const CompileOptions& options, const std::string& source = includes) {
  return make_request(source, options.with_arch("sm_80"), {}, compiler_elsewhere("a compiler"));
}
std::string key(const CompileOptions& options, const std::string& source = includes) {
  return request(options, source).key.request;
}
CompileOptions dirs(std::vector<std::filesystem::path> list) { return CompileOptions{}.with_include_dirs(list); }

}  // namespace

TEST_CASE("equal trees elsewhere share a key") {
  CHECK(key(dirs({"/p/inc", "/p/src"})) == key(dirs({"/q/inc", "/q/src"})));
  CHECK(key(CompileOptions{}.with_options({"-I/p", "-DX"})) == key(CompileOptions{}.with_options({"-I", "/q", "-DX"})));
  CHECK(key(dirs({"/p"}).with_name("/p/k.cu")) == key(dirs({"/q"}).with_name("/q/k.cu")));
  CHECK(key(CompileOptions{}.with_options({"--pre-include=/p/x.h"})) ==
        key(CompileOptions{}.with_options({"--pre-include=/q/x.h"})));
  CHECK(key(dirs({"/p", "/p/inc"})) == key(dirs({"/q/r", "/q/r/inc"})));
  CHECK(request(dirs({"/p"})).key.request.find("/p") == std::string::npos);
}

TEST_CASE("trees of another shape do not") {
  CHECK(key(dirs({"/p", "/p/inc"})) != key(dirs({"/q", "/r/inc"})));
  CHECK(key(dirs({"/p", "/p/inc"})) != key(dirs({"/p", "/p/inc/more"})));
  CHECK(key(dirs({"/p", "/p/inc"})) != key(dirs({"/p/inc", "/p"})));
  CHECK(key(dirs({"/p", "/p"})) != key(dirs({"/p", "/q"})));
  CHECK(key(dirs({"/p", "/p", "/p/inc"})) != key(dirs({"/p", "/q", "/q/inc"})));
  CHECK(key(dirs({"/p/inc"})) == key(dirs({"/p/include"})));  // its own name is part of no header's
  CHECK(key(dirs({"/p"})) != key(dirs({"/"})));
  CHECK(key(dirs({"/", "/p"})) != key(dirs({"/", "/q"})));  // <p/x.h> is found through both
  CHECK(key(dirs({"/p"}).with_name("/p/k.cu")) != key(dirs({"/p"}).with_name("/q/k.cu")));
  CHECK(key(dirs({"/p"}).with_name("/p/k.cu")) != key(dirs({"/p"}).with_name("/p/l.cu")));
  CHECK(key(dirs({"/p"}).with_name("/p/k.cu")) != key(dirs({"/p"}).with_name("k.cu")));
  CHECK(key(CompileOptions{}.with_options({"--pre-include=/p/x.h"})) !=
        key(CompileOptions{}.with_options({"--pre-include=x.h"})));
  CHECK(key(dirs({"/p"}).with_options({"--pre-include=/p/x.h"})) !=
        key(dirs({"/p"}).with_options({"--pre-include=/q/x.h"})));
}

TEST_CASE("where the working folder lies is of no account") {
  const CompileOptions below = dirs({"/usr/include"});
  for (const char* text : {"#include <x.h>\n", "#include \"x.h\"\n"})
    for (const CompileContext& context : {CompileContext{}, CompileContext{"sm_80", false}}) {
      const auto key_at = [&](const char* folder) {
        const WorkingFolder here(folder);
        return make_request(text, below.with_arch("sm_80"), context, compiler_elsewhere("a compiler")).key.request;
      };
      for (const char* folder : {"/bin", "/usr", "/usr/include", "/"}) CHECK(key_at("/tmp") == key_at(folder));
    }
}

TEST_CASE("a path through the working folder is below no include folder") {
  const WorkingFolder here("/usr");
  for (const char* folder : {"/usr", "/usr/include", ".", "./include"}) {
    const Request r = request(dirs({folder}), "#include \"x.h\"\n");
    CHECK(r.search.is_working_folder_root(r.search.own_roots - 1));
    CHECK_FALSE(r.search.is_working_folder_root(0));
    CHECK(RootedPath::relate(r.search.source_dir + "/include/x.h", r.search.roots).root > 0);
  }
  CHECK(plain_path("/a/./.") == "/a");
  CHECK(plain_path("/a/././b") == "/a/b");
  CHECK(plain_path("/./.") == "/");
  CHECK(plain_path("/././b") == "/b");
  CHECK(plain_path("/a/./b") == "/a/./b");
}

TEST_CASE("line and debug information keep every path") {
  const WorkingFolder start(std::filesystem::temp_directory_path());
  for (const char* option : {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}) {
    const CompileOptions embeds = CompileOptions{}.with_options({option});
    CHECK(key(embeds.with_include_dirs({"/p"})) != key(embeds.with_include_dirs({"/q"})));
    CHECK(key(embeds.with_name("/p/k.cu")) != key(embeds.with_name("/q/k.cu")));
    CHECK(key(embeds.with_name("/p/k.cu"), "") != key(embeds.with_name("/q/k.cu"), ""));
    const std::string here = key(embeds, "");
    const WorkingFolder elsewhere("/");
    CHECK(key(embeds, "") != here);
  }
}

TEST_CASE("a source that can include nothing is known by its name below its folder, unless it may use its path") {
  const auto same = [](const std::string& source, const CompileOptions& options = {}) {
    return key(options.with_name("/p/k.cu"), source) == key(options.with_name("/q/k.cu"), source);
  };
  CHECK(same("__global__ void k() {}"));
  CHECK(key(dirs({"/p", "/q"}), "") == key(dirs({"/p", "/p/q"}), ""));
  CHECK_FALSE(same("const char* p = __FILE__;"));
  CHECK_FALSE(same("const char* p = __FI\\\nLE__;"));
  CHECK_FALSE(same("__global__ void k(int i) { assert(i); }"));
  CHECK_FALSE(same("auto at = std::source_location::current();"));
  CHECK_FALSE(same("const char* p = PATH;", CompileOptions{}.with_defines({{"PATH", "__FILE__"}})));
  CHECK_FALSE(same("__global__ void k() {}", CompileOptions{}.with_target(Target::ltoir)));
}

TEST_CASE("own folders come first among the roots, and are as many as the key says") {
  const WorkingFolder start(std::filesystem::temp_directory_path());
  const Request r = request(dirs({"/p", "/p"}).with_name("/s/k.cu").with_options({"-I/o", "--pre-include=/f/x.h"}));
  const std::string here = std::filesystem::current_path().string();
  CHECK(r.search.roots.paths == std::vector<std::string>{"/o", "/p", "/p", "/f", "/s", here + "/./."});
  CHECK(r.search.own_roots == 6);
  CHECK(r.search.source_root == 4);
  CHECK(request({}).search.roots.paths.empty());
  CHECK(request(CompileOptions{}.with_headers({{"x.h", ""}})).search.roots.paths ==
        std::vector<std::string>(2, here + "/./."));
  CHECK(request(CompileOptions{}.with_name("/k.cu")).search.roots.paths == std::vector<std::string>{"/"});
}

TEST_CASE("the toolkit's folders are known for this machine's compiler alone") {
  const Request other = request(dirs({"/p"}));
  CHECK_FALSE(other.search.roots.complete);
  CHECK(other.search.toolkit.empty());
  const auto here = nvrtc_here();
  REQUIRE(here);
  CHECK(here->identity == *find_compiler_identity());
  const CompileOptions options = dirs({"/p"}).with_arch("sm_80");
  const Request given = make_request(includes, options, {}, *here);
  CHECK(given.search.roots.complete);
  CHECK(given.search.roots.paths.size() == 1 + given.search.toolkit.size());
  CHECK(given.key.request != other.key.request);

  // Where the toolkit lies is of no account, but how it lies to own folders is.
  const auto with = [&](std::vector<std::filesystem::path> list) {
    return make_request(includes, options.with_include_dirs(list), {}, *here).key.request;
  };
  const std::filesystem::path toolkit = given.search.toolkit.at(0);
  CHECK(with({"/p"}) == with({"/q"}));
  CHECK(with({toolkit}) != with({"/p"}));
  CHECK(with({toolkit / "cub"}) != with({"/p"}));
  CHECK(with({toolkit.parent_path()}) != with({"/p"}));  // <include/x.h> is one of the toolkit's
  CHECK(with({toolkit, toolkit}) != with({toolkit, "/p"}));
}

TEST_CASE("the key's fields can be listed") {
  const auto fields = key_fields(request(dirs({"/p"}).with_defines({{"N", 4}})).key.request);
  const auto options =
      std::find_if(fields.begin(), fields.end(), [](const KeyField& f) { return f.label == "options"; });
  REQUIRE(options != fields.end());
  CHECK(options->items == std::vector<std::string>{"-DN=4", "-I"});
}

TEST_CASE("by what an option defines, a source that names no header may ask for one") {
  CHECK_FALSE(request({}, "").may_include);
  for (const char* option : {"-DX=__has_include(<x.h>)", "-DASK=__has_include"}) {
    CAPTURE(option);
    const Request asking = request(CompileOptions{}.with_options({option}), "");
    CHECK(asking.refusal.empty());
    CHECK(asking.may_include);
    CHECK(asking.search.is_working_folder_root(0));  // it may ask by a quoted name, beside itself
  }
}

}  // namespace request_test
