// Two requests whose digests are equal, which no test can wait for: the first one's files are put where the second
// one's would be. They are misses, and what is compiled takes their place.
#include "cache/cache_folder.hpp"
#include "compile/identity/chosen_compiler.hpp"
#include "compile/request/request.hpp"
#include "compile_bench.hpp"

#include <doctest/doctest.h>

#include <kiln/compile.hpp>

namespace same_name_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct SameName : Bench {
  SameName() { header("include/x.h", "#define VALUE 1\n"); }
  CompileOptions options() const { return Bench::options().with_include_dirs({scratch / "include"}); }
  CacheKey key(const std::string& source) const {
    return make_request(source, options(), {}, nvrtc_here().value(), nullptr, true).key;
  }
  void give(EntryKind kind, const std::string& from, const std::string& to) const {
    CacheFolder folder(FileSystem::real(), (scratch / "cache").string());
    Sections sections;
    REQUIRE(folder.read(kind, key(from), sections) == CacheFolder::ReadResult::good);
    REQUIRE(folder.publish(kind, key(to).name, sections) == 0);
  }
  /// Whether the code is that of the source, made now or found.
  bool is_right(const std::string& source, const CodeObject& code) const {
    return code.bytes() == compile(source, options().with_cache(false)).bytes();
  }
};

}  // namespace

TEST_CASE("one name, two requests: each source gets its own code") {
  for (const EntryKind kind : {EntryKind::code, EntryKind::manifest}) {
    CAPTURE(static_cast<int>(kind));
    const SameName bench;
    const std::string start = kind == EntryKind::code ? "" : "#include <x.h>\n";
    const std::string first = start + "extern \"C\" __global__ void k(int* a) { a[0] = 1; }";
    const std::string second = start + "extern \"C\" __global__ void k(int* a) { a[0] = 2; }";
    REQUIRE_FALSE(compile(first, bench.options()).from_cache());
    bench.give(kind, first, second);
    const CodeObject made = compile(second, bench.options());
    CHECK_FALSE(made.from_cache());
    CHECK(bench.is_right(second, made));
    CHECK(in_new_process([&] {
      const CodeObject found = compile(second, bench.options());
      return found.from_cache() && bench.is_right(second, found);
    }));
    CHECK(bench.stats().corrupt == 0);
  }
}

}  // namespace same_name_test
