// What a warm start pays: the number of file operations that store.hpp states.
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

namespace warm_look_up_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a hit without dependencies: the entry and the counters") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"));
  f.files.reset_counts();
  CHECK(code_of(find_and_count(f.store, f.request, false, {})) == "code");
  CHECK(f.files.total() == 4 + 6);
}

TEST_CASE("where an entry is: one status in place of reading it and of the counters") {
  StoreFixture f;
  CHECK_FALSE(f.store.find_key(f.request, false, {}));
  CHECK_FALSE(f.store.find_key(f.request, true, f.roots));
  f.store.put(f.request, false, {}, code_sections("code"));
  f.files.reset_counts();
  CHECK(f.store.find_key(f.request, false, {}) == f.request.name);
  CHECK(f.files.total() == 1);
  const Digest key = f.put("code with headers");
  f.files.reset_counts();
  CHECK(f.store.find_key(f.request, true, f.roots) == key);
  CHECK(f.files.total() == 4 + 3 + 1);
  CHECK(f.files.count("open") == 1);
  CHECK(folder_stats(f.store.folder()).hits == 0);
  f.folder.write("own.h", "another");
  CHECK_FALSE(f.store.find_key(f.request, true, f.roots));
}

TEST_CASE("an entry that was only asked for counts as used, once an hour") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"));
  const std::filesystem::path file = f.files_of(".code").at(0);
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(3));
  f.files.set_clock(std::nullopt);
  f.files.reset_counts();
  CHECK(f.store.find_key(f.request, false, {}).has_value());
  CHECK(f.files.count("touch") == 1);
  CHECK(f.store.find_key(f.request, false, {}).has_value());
  CHECK(f.files.count("touch") == 1);
}

TEST_CASE("a hit with dependencies: one status for each, and no header is opened") {
  StoreFixture f;
  Dependencies many = f.dependencies();
  for (int i = 0; i < 50; ++i) {
    const std::string name = "package/" + std::to_string(i);
    f.folder.write(name + "/a.h", "a");
    FolderDependency folder;
    folder.path = {0, std::to_string(i)};
    FileSystem::real().status((f.folder / name).string(), folder.status);
    for (int header = 0; header < 12; ++header)
      folder.headers.push_back({std::to_string(header) + ".h", digest_of("a")});
    many.folders.push_back(folder);
  }
  for (int i = 0; i < 19; ++i) many.absent.push_back({-1, (f.folder / ("absent" + std::to_string(i))).string()});
  FileSystem::real().status(f.roots.paths[0], many.folders[0].status);  // it has new folders in it
  f.store.put(f.request, true, many, code_sections("code"));
  f.files.reset_counts();
  f.files.clear_opened();
  const auto hit = f.look_up();
  CHECK(code_of(hit) == "code");
  CHECK(hit->dependencies.folders.size() == 51);
  const int looks = 1 + 51 + 20;
  CHECK(f.files.total() == 4 + looks + 4 + 6);
  CHECK(f.files.count("open") == 3);
  CHECK(f.files.count("status") == looks + 2);
  CHECK(f.files.opened().at(0) == f.files_of(".manifest").at(0));
  CHECK(f.files.opened().at(1) == f.files_of(".code").at(0));
  CHECK(f.files.opened().at(2) == (f.directory() / "v3/statistics").string());
}

}  // namespace warm_look_up_test
