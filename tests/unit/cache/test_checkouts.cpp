// One store, several checkouts of one tree: paths are kept relative to roots, and each checkout's states beside the
// others'.
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <string>

namespace checkouts_test {

using namespace kiln;
using namespace kiln::test;

namespace {

// Root 0 is the checkout, root 1 the package.
struct Checkouts : StoreFixture {
  Checkouts() {
    folder.write("A/own.h", "own");
    folder.write("B/own.h", "own");
  }
  Roots of(const std::string& name) const { return {{(folder / name).string(), (folder / "package").string()}}; }
  Digest put_for(const std::string& name, const std::string& code) {
    const Roots here = of(name);
    Dependencies found = dependencies();
    found.files[0].path = {0, "own.h"};
    found.files[0].digest = digest_of(folder.read(name + "/own.h"));
    FileSystem::real().status(found.files[0].path.resolve(here), found.files[0].status);
    found.folders[0].path = {1, ""};
    found.absent[0] = {0, "first/own.h"};
    return store.put(request, true, found, code_sections(code));
  }
  std::string look(const std::string& name) {
    files.reset_counts();
    files.clear_opened();
    return code_of(find_and_count(store, request, true, of(name)));
  }
  bool opened_header() const {
    for (const std::string& path : files.opened())
      if (path.find("own.h") != std::string::npos) return true;
    return false;
  }
};

}  // namespace

TEST_CASE("two checkouts in turn: after one comparison no header is read, and no manifest written") {
  Checkouts f;
  f.put_for("A", "code");
  CHECK(f.look("B") == "code");
  CHECK(f.opened_header());
  CHECK(f.files.count("rename") == 1);  // B's states are kept
  for (const char* name : {"A", "B", "A", "B", "B", "A"}) {
    CAPTURE(name);
    CHECK(f.look(name) == "code");
    CHECK_FALSE(f.opened_header());
    CHECK(f.files.count("rename") == 0);
    // manifest and entry; the package's folder, and at most each checkout's own paths; the counters
    CHECK(f.files.count("status") == 2 + 3);
    CHECK(f.files.total() == 4 + 3 + 4 + 6);
  }
  CHECK(folder_stats(f.store.folder()).entries == 1);
}

TEST_CASE("an edit in one checkout is a miss there, and a hit in the other") {
  Checkouts f;
  f.put_for("A", "code");
  CHECK(f.look("B") == "code");
  f.folder.write("B/own.h", "OWN");
  CHECK(f.look("B") == "(miss)");
  CHECK(f.look("A") == "code");
  f.put_for("B", "edited");
  CHECK(f.look("B") == "edited");
  CHECK(f.look("A") == "code");
  f.folder.write("B/first/own.h", "");
  CHECK(f.look("B") == "(miss)");
  CHECK(f.look("A") == "code");
}

TEST_CASE("code that holds its place serves that place alone") {
  Checkouts f;
  Dependencies found;
  found.absolute_paths.push_back({0, f.of("A").paths[0]});
  f.store.put(f.request, true, found, code_sections("code of A"));
  CHECK(f.look("A") == "code of A");
  CHECK(f.look("B") == "(miss)");
  found.absolute_paths[0].path = f.of("B").paths[0];
  f.store.put(f.request, true, found, code_sections("code of B"));
  CHECK(f.look("A") == "code of A");
  CHECK(f.look("B") == "code of B");
  CHECK(folder_stats(f.store.folder()).entries == 2);
}

TEST_CASE("a machine without the package is served, and its own headers are looked at") {
  Checkouts f;
  f.put_for("A", "code");
  std::filesystem::remove_all(f.folder / "package");
  Roots here = f.of("A");
  here.paths.pop_back();
  CHECK(code_of(find_and_count(f.store, f.request, true, here)) == "(miss)");
  here.complete = false;
  CHECK(code_of(find_and_count(f.store, f.request, true, here)) == "code");
  f.folder.write("A/own.h", "OWN");
  CHECK(code_of(find_and_count(f.store, f.request, true, here)) == "(miss)");
}

}  // namespace checkouts_test
