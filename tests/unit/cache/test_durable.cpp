// What is stored durably is on the disk before it is relied on: the file before its name, the name before what leads to
// it.
#include "cache/notes.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace durable_test {

using namespace kiln;
using namespace kiln::test;

namespace {

using Steps = std::vector<std::string>;

/// Where a file of that kind gets its name, and from where.
struct Published {
  std::size_t step = 0;
  std::string from;
  std::string to;
};

Published published(const Steps& steps, const std::string& kind) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].starts_with("rename ") || !steps[i].ends_with(kind)) continue;
    const std::size_t middle = steps[i].find('\n');
    return {i, steps[i].substr(7, middle - 7), steps[i].substr(middle + 1)};
  }
  FAIL("no file of the kind " << kind << " was published");
  return {};
}

std::size_t step_of(const Steps& steps, const std::string& step, std::size_t from = 0) {
  const auto found = std::find(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.end(), step);
  CAPTURE(step);
  REQUIRE(found != steps.end());
  return static_cast<std::size_t>(found - steps.begin());
}

/// The last step that makes a file of that kind durable.
std::size_t check_durable(const Steps& steps, const std::filesystem::path& root, const std::string& kind) {
  const Published file = published(steps, kind);
  CHECK(step_of(steps, "sync " + file.from) < file.step);
  std::size_t last = file.step;
  for (const std::filesystem::path& folder :
       {std::filesystem::path(file.to).parent_path(), root / "v3/entries", root / "v3", root, root.parent_path()})
    last = std::max(last, step_of(steps, "sync " + folder.string(), file.step));
  return last;
}

}  // namespace

TEST_CASE("a durable entry is on the disk before its manifest is written") {
  StoreFixture f;
  bool stored = false;
  f.store.put(f.request, true, f.dependencies(), code_sections("code"), &stored, Sync::on);
  CHECK(stored);
  const Steps steps = f.files.durable_steps();
  const std::size_t code = check_durable(steps, f.directory(), ".code");
  const std::size_t headers = check_durable(steps, f.directory(), ".headers");
  check_durable(steps, f.directory(), ".manifest");
  CHECK(code < published(steps, ".manifest").step);
  CHECK(headers < published(steps, ".manifest").step);
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("an entry without a manifest, and a note") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"), nullptr, Sync::on);
  Sections note;
  note.add("backend", "nvcc");
  put_note(f.store.folder(), f.request, note, Sync::on);
  check_durable(f.files.durable_steps(), f.directory(), ".code");
  check_durable(f.files.durable_steps(), f.directory(), ".note");
}

TEST_CASE("nothing is synced where nobody asks for it") {
  StoreFixture f;
  f.put("code");
  CHECK(f.files.count("sync") == 0);
}

TEST_CASE("what cannot be synced is not stored: a miss, and nothing is left") {
  for (int n = 1;; ++n) {
    REQUIRE(n < 100);
    CAPTURE(n);
    StoreFixture f;
    f.files.fail_nth("sync", n, EIO);
    bool stored = true;
    f.store.put(f.request, true, f.dependencies(), code_sections("code"), &stored, Sync::on);
    if (f.files.count("sync") < n) break;
    CHECK_FALSE(stored);
    CHECK(f.files_of(".code").empty());
    CHECK(f.files_of(".manifest").empty());
    CHECK(f.files_of(".tmp").empty());
    CHECK(code_of(f.look_up()) == "(miss)");
    f.store.put(f.request, true, f.dependencies(), code_sections("code"), &stored, Sync::on);
    CHECK(stored);
    CHECK(code_of(f.look_up()) == "code");
  }
}

TEST_CASE("a file system that syncs no folders, and a folder above that cannot be opened, are no faults") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"));
  const std::size_t before = f.files.opened().size();
  bool stored = false;
  // The second is that of the shard.
  f.files.fail_nth("sync", 2, EINVAL);
  f.store.put(f.request, false, {}, code_sections("again"), &stored, Sync::on);
  CHECK(stored);
  const std::vector<std::string> opened = f.files.opened();
  const auto above = std::find(opened.begin() + static_cast<std::ptrdiff_t>(before), opened.end(),
                               f.directory().parent_path().string());
  REQUIRE(above != opened.end());
  f.files.fail_nth("open", static_cast<int>(above - opened.begin() - static_cast<std::ptrdiff_t>(before)) + 1, EACCES);
  f.store.put(f.request, false, {}, code_sections("once more"), &stored, Sync::on);
  CHECK(stored);
}

}  // namespace durable_test
