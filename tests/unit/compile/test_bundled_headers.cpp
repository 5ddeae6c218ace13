#include "compile/identity/chosen_compiler.hpp"
#include "compile/request/bundled_headers.hpp"

#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace bundled_headers_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string includes = "#include <cub/cub.cuh>\n";
const std::string identity = "an NVRTC" + std::string(bundled_headers_mark);
const ChosenCompiler alone{Backend::nvrtc, identity, {}, true};

struct Fixture {
  ScratchFolder folder;
  CacheFolder cache{FileSystem::real(), (folder / "cache").string()};

  Request request(const std::string& source = includes, const CompileOptions& options = {}) {
    return make_request(source, options.with_arch("sm_80"), {}, alone, &cache);
  }
  std::string make() {
    KeptTree tree = bundled_headers_in(cache, alone);
    REQUIRE(tree.make(
        [](const std::string& path) {
          write_file(path + "/include/cccl/cub/cub.cuh", "");
          return true;
        },
        {}));
    return tree.path();
  }
};

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

TEST_CASE("only what includes needs NVRTC's own headers, and where no toolkit's are") {
  Fixture f;
  CHECK(needs_bundled_headers(f.request()));
  CHECK_FALSE(needs_bundled_headers(f.request("__global__ void k() {}\n")));
  const ChosenCompiler with_toolkit{Backend::nvrtc, "an NVRTC", {}, true};
  CHECK_FALSE(needs_bundled_headers(make_request(includes, {}, {}, with_toolkit, &f.cache)));
  CHECK_FALSE(needs_bundled_headers(make_request(includes, {}, {}, compiler_elsewhere(identity), &f.cache)));
}

TEST_CASE("once they are unpacked, requests have them as a toolkit's") {
  Fixture f;
  const Request before = f.request();
  CHECK_FALSE(before.search.roots.complete);
  const std::string path = f.make();
  const Request after = f.request();
  CHECK_FALSE(needs_bundled_headers(after));
  CHECK(after.search.roots.complete);
  CHECK(after.search.toolkit == std::vector<std::string>{path + "/include", path + "/include/cccl"});
  CHECK(has(after.job.arguments, "-I" + path + "/include/cccl"));
  CHECK_FALSE(has(after.job.users_arguments, "-I" + path + "/include/cccl"));
}

TEST_CASE("the key is the same whether they are unpacked or not, and on a machine without NVRTC") {
  Fixture f;
  // Even where the cache lies below a folder of the request's own.
  const CompileOptions options = CompileOptions{}.with_include_dirs({f.folder.path()});
  const Request before = f.request(includes, options);
  f.make();
  CHECK(f.request(includes, options).key.request == before.key.request);
  const Request elsewhere = make_request(includes, options.with_arch("sm_80"), {}, compiler_elsewhere(identity));
  CHECK(elsewhere.key.request == before.key.request);
}

TEST_CASE("the key is another than with a toolkit's headers, and another NVRTC has other headers") {
  Fixture f;
  const ChosenCompiler with_toolkit{Backend::nvrtc, "an NVRTC", {}, true};
  const Request other = make_request(includes, CompileOptions{}.with_arch("sm_80"), {}, with_toolkit, &f.cache);
  CHECK(other.key.request != f.request().key.request);
  f.make();
  ChosenCompiler newer = alone;
  newer.identity = "a newer" + newer.identity;
  CHECK(needs_bundled_headers(make_request(includes, {}, {}, newer, &f.cache)));
}

}  // namespace bundled_headers_test
