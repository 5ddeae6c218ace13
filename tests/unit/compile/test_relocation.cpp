// A tree compiled at one place, and looked up at another: with the real NVRTC.
#include <kiln/cache.hpp>
#include <kiln/compile.hpp>

#include "cache/open_stores.hpp"
#include "cache/store.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/request/request.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace relocation_test {

using namespace kiln;
using kiln::test::ScratchFolder;

namespace {

const std::string kernel = "extern \"C\" __global__ void k(float* a) { a[0] = VALUE; }";

/// Trees A and B below one folder, and a cache.
struct Trees {
  ScratchFolder scratch;

  CompileOptions options(const std::string& tree) const {
    return CompileOptions{}
        .with_arch("sm_80")
        .with_caching({scratch / "cache"})
        .with_include_dirs({scratch / tree / "inc", scratch / tree / "common"});
  }
  void write(const std::string& name, const std::string& text) const { scratch.write(name, text); }
  void copy() const { std::filesystem::copy(scratch / "A", scratch / "B", std::filesystem::copy_options::recursive); }
  CodeObject compiled(const std::string& source, const CompileOptions& options) const {
    return compile(source, options);
  }
  CodeObject compiled(const std::string& source, const std::string& tree) const {
    return compiled(source, options(tree));
  }
  std::uint64_t compiles() const { return Cache(scratch / "cache").stats().compiles; }
  std::uint64_t refused() const { return Cache(scratch / "cache").stats().refused; }
  std::string path(const std::string& name) const { return (scratch / name).string(); }
};

bool holds(const CodeObject& code, const std::string& text) {
  return code.bytes().find(text) != std::string_view::npos;
}

}  // namespace

TEST_CASE("a copied tree is served without a compile, until it is edited") {
  const Trees t;
  t.write("A/inc/x.h", "#include \"../common/value.h\"\n#include <y.h>\n");
  t.write("A/common/value.h", "#define VALUE 1\n");
  t.write("A/common/y.h", "");
  t.copy();
  const std::string source = "#include <x.h>\n#include <cuda_fp16.h>\n" + kernel;
  const CodeObject first = t.compiled(source, "A");
  const CodeObject second = t.compiled(source, "B");
  CHECK(second.from_cache());
  CHECK(second.bytes() == first.bytes());
  CHECK(t.compiles() == 1);
  SUBCASE("a header edited") { t.write("B/common/value.h", "#define VALUE 2\n"); }
  SUBCASE("a header that shadows another") { t.write("B/inc/y.h", "#undef VALUE\n#define VALUE 2\n"); }
  SUBCASE("the same, beside the including file") { t.write("B/inc/../common/y.h", "#undef VALUE\n#define VALUE 2\n"); }
  const CodeObject edited = t.compiled(source, "B");
  CHECK_FALSE(edited.from_cache());
  CHECK(edited.bytes() != first.bytes());
  CHECK(t.compiled(source, "A").bytes() == first.bytes());
  CHECK(t.compiles() == 2);
  CHECK(t.refused() == 0);
}

TEST_CASE("a source file of its own, with quoted includes") {
  const Trees t;
  t.write("A/src/x.h", "#define VALUE 1\n");
  t.copy();
  const std::string source = "#include \"x.h\"\n" + kernel;
  const auto at = [&](const std::string& tree) {
    return t.compiled(source, t.options(tree).with_name(t.path(tree + "/src/kernel.cu")));
  };
  CHECK_FALSE(at("A").from_cache());
  CHECK(at("B").from_cache());
  t.write("B/src/x.h", "#define VALUE 2\n");
  CHECK_FALSE(at("B").from_cache());
  CHECK(t.compiles() == 2);
}

TEST_CASE("relative names in two working folders") {
  const Trees t;
  t.write("A/src/x.h", "#define VALUE 1\n");
  t.copy();
  const std::string source = "#include \"x.h\"\n" + kernel;
  const std::filesystem::path before = std::filesystem::current_path();
  const auto at = [&](const std::string& tree) {
    std::filesystem::current_path(t.scratch / tree);
    CodeObject code = t.compiled(source, t.options(tree).with_name("src/kernel.cu"));
    std::filesystem::current_path(before);
    return code;
  };
  CHECK_FALSE(at("A").from_cache());
  CHECK(at("B").from_cache());
  t.write("B/src/x.h", "#define VALUE 2\n");
  CHECK_FALSE(at("B").from_cache());
  CHECK(t.compiles() == 2);
}

TEST_CASE("a source without a name, from any working folder") {
  const Trees t;
  t.write("A/inc/x.h", "#define VALUE 1\n");
  t.write("A/common/empty.h", "");
  std::filesystem::create_directories(t.scratch / "far/away");
  const std::string source = "#include \"x.h\"\n" + kernel;
  const std::filesystem::path before = std::filesystem::current_path();
  const auto from = [&](const std::string& folder) {
    std::filesystem::current_path(folder);
    CodeObject code = t.compiled(source, "A");
    std::filesystem::current_path(before);
    return code;
  };
  const CodeObject first = from(t.path("far"));
  for (const std::string& folder : {t.path("A"), t.path("A/common"), t.path("far/away"), std::string("/")})
    CHECK(from(folder).from_cache());
  CHECK(from(t.path("A/inc")).bytes() == first.bytes());  // where it is found beside the source
  t.write("far/away/x.h", "#define VALUE 2\n");
  CHECK(from(t.path("far/away")).bytes() != first.bytes());
  CHECK(from(t.path("far")).from_cache());
}

TEST_CASE("code that contains its path is compiled in each folder") {
  const Trees t;
  std::string header = "#define VALUE 1\n";
  std::string source = "#include <x.h>\n" + kernel;
  CompileOptions extra;
  bool shows = true;  // the path in the code
  SUBCASE("__FILE__ in a header") { header += "__device__ const char* where = __FILE__;\n"; }
  SUBCASE("a value that is computed from it") {
    // 'A' or 'B'
    header = "constexpr char letter = __FILE__[sizeof(__FILE__) - 10];\n#define VALUE letter\n";
    shows = false;
  }
  SUBCASE("assert, which no text of the tree defines") {
    header += "__device__ void check(float v) { assert(v > 0); }\n";
    source += "\nextern \"C\" __global__ void l(float* a) { check(a[0]); }";
  }
  SUBCASE("a macro of the options") {
    header += "__device__ const char* where = WHERE;\n";
    extra.options = {"-DWHERE=__FILE__"};
  }
  SUBCASE("line information") {
    header = "__device__ __noinline__ float value() { return clock(); }\n#define VALUE value()\n";
    extra.options = {"-lineinfo"};
    shows = false;  // folder and file apart
  }
  t.write("A/inc/x.h", header);
  t.copy();
  for (const Target target : {Target::cubin, Target::ptx}) {
    const auto at = [&](const std::string& tree) {
      return t.compiled(source, t.options(tree).with_options(extra.options).with_target(target));
    };
    const CodeObject first = at("A");
    const CodeObject second = at("B");
    CHECK_FALSE(second.from_cache());
    CHECK(second.bytes() != first.bytes());
    if (shows && target == Target::cubin) {
      CHECK(holds(first, t.path("A/inc")));
      CHECK(holds(second, t.path("B/inc")));
    }
    CHECK(at("A").bytes() == first.bytes());
    CHECK(at("B").from_cache());
  }
  CHECK(t.compiles() == 4);
  CHECK(t.refused() == 0);
}

TEST_CASE("intermediate code cannot be searched") {
  const Trees t;
  t.write("A/inc/x.h", "#define VALUE 1\n");
  t.copy();
  const std::string source = "#include <x.h>\n" + kernel;
  t.compiled(source, t.options("A").with_target(Target::ltoir));
  CHECK_FALSE(t.compiled(source, t.options("B").with_target(Target::ltoir)).from_cache());
  CHECK(t.compiled(source, t.options("A").with_target(Target::ltoir)).from_cache());
}

TEST_CASE("a source without includes, by an absolute name") {
  const Trees t;
  const auto at = [&](const std::string& source, const std::string& tree) {
    return compile(source, t.options(tree).with_name(t.path(tree + "/kernel.cu")));
  };
  const std::string plain = "extern \"C\" __global__ void k() {}";
  CHECK_FALSE(at(plain, "A").from_cache());
  CHECK(at(plain, "B").from_cache());
  const std::string checks = "extern \"C\" __global__ void k(int i) { assert(i); }";
  CHECK(holds(at(checks, "A"), t.path("A/kernel.cu")));
  CHECK(holds(at(checks, "B"), t.path("B/kernel.cu")));
}

TEST_CASE("a path that a text spells is not taken for one of another tree") {
  const Trees t;
  std::string source = kernel;
  CompileOptions extra;
  t.write("A/inc/x.h", "#define VALUE 1\n");
  SUBCASE("in the source") { source = "#include \"" + t.path("A/inc/x.h") + "\"\n" + source; }
  SUBCASE("by a macro") {
    source = "#include HEADER\n" + source;
    extra.options = {"-DHEADER=\"" + t.path("A/inc/x.h") + "\""};
  }
  SUBCASE("from a folder above") {
    t.write("A/top.h", "#include \"inc/x.h\"\n");
    source = "#include \"" + t.path("A/top.h") + "\"\n" + source;
  }
  t.copy();
  const auto at = [&](const std::string& tree) {
    return t.compiled(source, t.options(tree).with_options(extra.options));
  };
  const CodeObject first = at("A");
  t.write("A/inc/x.h", "#define VALUE 2\n");  // B's, of the old text, is not what B reads
  const CodeObject second = at("B");
  CHECK_FALSE(second.from_cache());
  CHECK(second.bytes() != first.bytes());
}

TEST_CASE("nested folders are not taken for separate ones") {
  const Trees t;
  t.write("A/inc/more/x.h", "#define VALUE 1\n");
  t.write("B/inc/more/x.h", "#define VALUE 2\n");
  t.write("C/more/x.h", "#define VALUE 1\n");
  const std::string source = "#include <more/x.h>\n" + kernel;
  const CompileOptions base = CompileOptions{}.with_arch("sm_80").with_caching({t.scratch / "cache"});
  const CodeObject first = t.compiled(source, base.with_include_dirs({t.scratch / "A/inc", t.scratch / "A/inc/more"}));
  // <more/x.h> is below the second folder too; here it is not, and the second folder's x.h is the one of before.
  const CodeObject second = t.compiled(source, base.with_include_dirs({t.scratch / "B/inc", t.scratch / "C/more"}));
  CHECK_FALSE(second.from_cache());
  CHECK(second.bytes() != first.bytes());
}

TEST_CASE("a folder that was missing with all above it is looked for at its own place") {
  const Trees t;
  t.write("A/common/x.h", "#define VALUE 1\n");
  t.write("B/common/x.h", "#define VALUE 1\n");
  t.write("B/deep/inc/x.h", "#define VALUE 2\n");
  const std::string source = "#include <x.h>\n" + kernel;
  const auto at = [&](const std::string& tree) {
    return t.compiled(source,
                      t.options(tree).with_include_dirs({t.scratch / tree / "deep/inc", t.scratch / tree / "common"}));
  };
  const CodeObject first = at("A");
  const CodeObject second = at("B");
  CHECK_FALSE(second.from_cache());
  CHECK(second.bytes() != first.bytes());
}

TEST_CASE("the same name in two folders, and links") {
  const Trees t;
  t.write("A/inc/x.h", "#include_next <x.h>\n");
  t.write("A/common/x.h", "#define VALUE 1\n");
  t.write("elsewhere/x.h", "#define VALUE 2\n");
  t.copy();
  std::filesystem::remove_all(t.scratch / "B/common");
  std::filesystem::create_directory_symlink(t.scratch / "elsewhere", t.scratch / "B/common");
  const std::string source = "#include <x.h>\n" + kernel;
  const CodeObject first = t.compiled(source, "A");
  const CodeObject second = t.compiled(source, "B");
  CHECK_FALSE(second.from_cache());
  CHECK(second.bytes() != first.bytes());
  t.write("elsewhere/x.h", "#define VALUE 1\n");
  const CodeObject third = t.compiled(source, "B");
  CHECK(third.from_cache());
  CHECK(third.bytes() == first.bytes());
}

TEST_CASE("a header of an option, by its absolute path") {
  const Trees t;
  t.write("A/forced.h", "#include \"sub/x.h\"\n");
  t.write("A/sub/x.h", "#define VALUE 1\n");
  t.copy();
  const auto at = [&](const std::string& tree) {
    return t.compiled(kernel, t.options(tree).with_options({"--pre-include=" + t.path(tree + "/forced.h")}));
  };
  CHECK_FALSE(at("A").from_cache());
  CHECK(at("B").from_cache());
  t.write("B/sub/x.h", "#define VALUE 2\n");
  CHECK_FALSE(at("B").from_cache());
  CHECK(t.refused() == 0);
}

TEST_CASE("a machine without a toolkit asks by the same key, and its own headers are looked at") {
  const Trees t;
  t.write("A/inc/x.h", "#define VALUE 1\n");
  const std::string source = "#include <x.h>\n#include <cuda_fp16.h>\n" + kernel;
  t.compiled(source, "A");
  Request request = make_request(source, t.options("A"), {}, *nvrtc_here(), nullptr, true);
  request.search.roots.paths.resize(request.search.own_roots);
  request.search.roots.complete = false;
  CHECK(canonical_key(request) == request.key.request);
  CacheStore& store = open_store(t.path("cache"));
  const auto hit = store.find(request.key, true, request.search.roots);
  REQUIRE(hit);
  CHECK_FALSE(hit->dependencies.folders.empty());
  t.write("A/inc/x.h", "#define VALUE 2\n");
  CHECK_FALSE(store.find(request.key, true, request.search.roots));
}

}  // namespace relocation_test
