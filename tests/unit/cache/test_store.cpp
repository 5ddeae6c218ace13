#include "cache/dependency_codec.hpp"
#include "cache/eviction.hpp"
#include "cache/listing.hpp"
#include "cache/open_stores.hpp"
#include "cache/store.hpp"

#include "store_fixture.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include <sys/stat.h>

namespace store_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a source without includes: the request is the key") {
  StoreFixture f;
  CHECK_FALSE(find_and_count(f.store, f.request, false, {}));
  CHECK_FALSE(std::filesystem::exists(f.directory()));  // a look-up makes nothing
  CHECK(f.store.put(f.request, false, {}, code_sections("code")) == f.request.name);
  const auto hit = find_and_count(f.store, f.request, false, {});
  CHECK(code_of(hit) == "code");
  CHECK(hit->key == f.request.name);
  CHECK(encode_items(hit->dependencies).empty());
  CHECK_FALSE(find_and_count(f.store, CacheKey("other"), false, {}));
  const CacheStats stats = folder_stats(f.store.folder());
  CHECK(stats.hits == 1);
  CHECK(stats.misses == 2);  // the first of them before there was a folder to count in
  CHECK(stats.stores == 1);
  CHECK(stats.entries == 1);
  CHECK(stats.bytes == std::filesystem::file_size(f.files_of(".code").at(0)));
  CHECK(f.files_of(".manifest").empty());
}

TEST_CASE("the layout and the modes of the folder") {
  StoreFixture f;
  const mode_t before = umask(0);
  f.put("code");
  umask(before);
  const std::string request = f.request.name.hex();
  CHECK(f.files_of(".manifest") ==
        std::vector{f.directory() / "v3/entries" / request.substr(0, 2) / (request.substr(2) + ".manifest")});
  CHECK(f.files_of(".code").size() == 1);
  CHECK(f.files_of(".headers").size() == 1);
  CHECK(file_bytes(f.directory() / "CACHEDIR.TAG").rfind("Signature: 8a477f597d28d172789f06886806bc55\n", 0) == 0);
  CHECK(std::filesystem::exists(f.directory() / "v3/statistics"));
  CHECK(f.files_of(".tmp").empty());
  for (const auto& item : std::filesystem::recursive_directory_iterator(f.directory())) {
    FileStatus status;
    REQUIRE(FileSystem::real().status(item.path().string(), status) == 0);
    CAPTURE(item.path().string());
    CHECK((status.mode & 07777) == (status.is_directory() ? 0700 : 0600));
  }
}

TEST_CASE("a header edited, put back, touched and shadowed") {
  StoreFixture f;
  const Digest first = f.put("first");
  CHECK(code_of(f.look_up()) == "first");
  f.folder.write("own.h", "edited");
  CHECK(code_of(f.look_up()) == "(miss)");
  const Digest second = f.put("second");
  CHECK(second != first);
  CHECK(code_of(f.look_up()) == "second");
  f.folder.write("own.h", "own");  // contents of before, a state of today
  auto hit = f.look_up();
  CHECK(code_of(hit) == "first");
  CHECK(hit->key == first);
  CHECK(unchanged(f.files, f.roots, hit->dependencies));
  f.files.clear_opened();
  CHECK(code_of(f.look_up()) == "first");  // the state was written back: no header is opened
  for (const std::string& path : f.files.opened()) CHECK(path.find("own.h") == std::string::npos);
  f.folder.write("first/own.h", "own");
  CHECK(code_of(f.look_up()) == "(miss)");
  std::filesystem::remove(f.folder / "first/own.h");
  CHECK(code_of(f.look_up()) == "first");
  CHECK(folder_stats(f.store.folder()).entries == 2);
}

TEST_CASE("equal contents share an entry") {
  StoreFixture f;
  const Digest first = f.put("code");
  f.folder.write("own.h", "own");
  CHECK(f.put("code") == first);
  CHECK(folder_stats(f.store.folder()).entries == 1);
}

TEST_CASE("a package that replaced files") {
  StoreFixture f;
  f.put("code");
  f.folder.write("package/unrelated.h", "");
  CHECK(code_of(f.look_up()) == "code");
  f.folder.write("package/new", "A");
  std::filesystem::rename(f.folder / "package/new", f.folder / "package/a.h");
  CHECK(code_of(f.look_up()) == "(miss)");
}

TEST_CASE("lost header lists are a miss where the folder moved, and a hit where it did not") {
  StoreFixture f;
  f.put("code");
  std::filesystem::remove(f.files_of(".headers").at(0));
  CHECK(code_of(f.look_up()) == "code");
  f.folder.write("package/unrelated.h", "");
  CHECK(code_of(f.look_up()) == "(miss)");
  f.put("code");
  CHECK(f.files_of(".headers").size() == 1);
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("an entry that is gone behind a good manifest") {
  StoreFixture f;
  f.put("code");
  std::filesystem::remove(f.files_of(".code").at(0));
  CHECK(code_of(f.look_up()) == "(miss)");
  CHECK(folder_stats(f.store.folder()).corrupt == 0);
  f.put("code");
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("a damaged file of any kind is removed, counted, and heals") {
  for (const char* kind : {".code", ".manifest", ".headers"})
    for (const int damage : {0, 1, 2}) {
      CAPTURE(kind);
      CAPTURE(damage);
      StoreFixture f;
      f.put("code");
      const std::filesystem::path path = f.files_of(kind).at(0);
      std::string bytes = file_bytes(path);
      if (damage == 0) bytes.clear();
      if (damage == 1) bytes.resize(bytes.size() / 2);
      if (damage == 2) bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
      write_file(path, bytes);
      f.folder.write("package/unrelated.h", "");  // so that the headers are needed
      CHECK(code_of(f.look_up()) == "(miss)");
      CHECK_FALSE(std::filesystem::exists(path));
      CHECK(folder_stats(f.store.folder()).corrupt == 1);
      f.put("code");
      CHECK(code_of(f.look_up()) == "code");
      CHECK(folder_stats(f.store.folder()).corrupt == 1);
    }
}

TEST_CASE("a good file that took a damaged one's place is left alone") {
  struct Replacing : FaultFileSystem {
    int do_close(int descriptor) override {
      const int code = FaultFileSystem::do_close(descriptor);
      if (!from.empty()) std::filesystem::rename(from, to);
      from.clear();
      return code;
    }
    std::filesystem::path from;
    std::filesystem::path to;
  } files;
  ScratchFolder folder;
  CacheStore store(files, (folder / "cache").string());
  const CacheKey key("request");
  store.put(key, false, {}, code_sections("code"));
  const std::filesystem::path entry =
      folder / "cache/v3/entries" / key.name.hex().substr(0, 2) / (key.name.hex().substr(2) + ".code");
  std::filesystem::copy_file(entry, folder / "good");
  write_file(entry, "damaged");
  files.to = entry;
  files.from = folder / "good";
  CHECK_FALSE(find_and_count(store, key, false, {}));
  CHECK(folder_stats(store.folder()).corrupt == 1);
  CHECK(code_of(find_and_count(store, key, false, {})) == "code");
}

TEST_CASE("an entry under another one's name is not served") {
  StoreFixture f;
  f.store.put(CacheKey("a"), false, {}, code_sections("a"));
  const std::filesystem::path a = f.files_of(".code").at(0);
  f.store.put(f.request, false, {}, code_sections("b"));
  for (const auto& path : f.files_of(".code"))
    if (path != a) std::filesystem::copy_file(a, path, std::filesystem::copy_options::overwrite_existing);
  CHECK_FALSE(find_and_count(f.store, f.request, false, {}));
  CHECK(folder_stats(f.store.folder()).corrupt == 1);
  CHECK(code_of(find_and_count(f.store, CacheKey("a"), false, {})) == "a");
}

TEST_CASE("a link in an entry's place is not followed; a pipe there does not hold the look-up") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"));
  const std::filesystem::path path = f.files_of(".code").at(0);
  std::filesystem::rename(path, f.folder / "elsewhere");
  std::filesystem::create_symlink(f.folder / "elsewhere", path);
  CHECK_FALSE(find_and_count(f.store, f.request, false, {}));
  CHECK(std::filesystem::exists(f.folder / "elsewhere"));
  std::filesystem::remove(path);
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  CHECK_FALSE(find_and_count(f.store, f.request, false, {}));
  f.store.put(f.request, false, {}, code_sections("code"));
  CHECK(code_of(find_and_count(f.store, f.request, false, {})) == "code");
}

TEST_CASE("drop removes the entry and counts it") {
  StoreFixture f;
  const Digest key = f.put("code");
  f.store.discard(key);
  CHECK(code_of(f.look_up()) == "(miss)");
  CHECK(folder_stats(f.store.folder()).corrupt == 1);
  CHECK(folder_stats(f.store.folder()).entries == 0);
}

TEST_CASE("clear removes what is the cache's and nothing else; counters go on") {
  StoreFixture f;
  f.put("code");
  f.store.put(CacheKey("other"), false, {}, code_sections("other"));
  const std::filesystem::path foreign = f.files_of(".code").at(0).parent_path() / "notes.code";
  write_file(foreign, "mine");
  CHECK(clear_entries(f.store.folder()) == 2);
  CHECK(file_bytes(foreign) == "mine");
  CacheStats stats = folder_stats(f.store.folder());
  CHECK(stats.entries == 0);
  CHECK(stats.bytes == 0);
  CHECK(stats.stores == 2);
  CHECK(code_of(f.look_up()) == "(miss)");
  f.put("code");
  CHECK(code_of(f.look_up()) == "code");
}

TEST_CASE("clear says what it could not remove, and removes the rest") {
  StoreFixture f;
  f.store.put(CacheKey("a"), false, {}, code_sections("a"));
  f.store.put(CacheKey("b"), false, {}, code_sections("b"));
  f.files.fail_nth("rename", 1, EACCES);
  f.files.fail_nth("remove", 1, EACCES);
  CHECK_THROWS_WITH_AS(clear_entries(f.store.folder()), doctest::Contains("KILN_CACHE_DIR"), Error);
  CHECK(f.files_of(".code").size() == 1);
}

TEST_CASE("new states are compared until the manifest is older than a tick of its folder") {
  StoreFixture f;
  f.files.stop_steady_clock();
  Dependencies found = f.dependencies();
  for (FileDependency& file : found.files) file.reliable_times = false;
  for (FolderDependency& package : found.folders) package.reliable_times = false;
  f.store.put(f.request, true, found, code_sections("code"));
  const std::filesystem::path manifest = f.files_of(".manifest").at(0);
  const auto date_manifest = [&](std::chrono::hours from_now) {
    std::filesystem::last_write_time(manifest, std::filesystem::file_time_type::clock::now() + from_now);
  };
  const auto headers_read = [&] {
    f.files.clear_opened();
    CHECK(code_of(f.look_up()) == "code");
    const std::vector<std::string> opened = f.files.opened();
    return std::count_if(opened.begin(), opened.end(), [](const std::string& path) { return path.ends_with(".h"); });
  };
  date_manifest(std::chrono::hours(1));
  CHECK(headers_read() == 2);
  CHECK(headers_read() == 2);
  SUBCASE("then once more, and no more") {
    date_manifest(std::chrono::hours(-1));
    CHECK(headers_read() == 2);
    CHECK(headers_read() == 0);
    CHECK(f.files_of(".tmp").empty());
  }
  SUBCASE("a change within the tick, which no state shows") {
    found.files[0].digest = digest_of("OWN");
    f.store.put(f.request, true, found, code_sections("another"));
    date_manifest(std::chrono::hours(-1));
    CHECK(code_of(f.look_up()) == "code");
  }
  SUBCASE("whatever this machine's clock says") {
    f.files.set_clock(0);
    date_manifest(std::chrono::hours(-1));
    CHECK(headers_read() == 2);
    CHECK(headers_read() == 0);
  }
}

TEST_CASE("abandoned temporary files are swept, a day after the last time, and young ones are left") {
  StoreFixture f;
  f.put("code");
  const std::filesystem::path old = f.directory() / "v3/tmp/1-abc.tmp";
  write_file(old, "");
  f.put("code");
  CHECK(std::filesystem::exists(old));  // swept a moment ago
  f.files.set_clock(FileSystem::real().now_ns() + std::int64_t{25} * 3'600'000'000'000);
  const std::filesystem::path foreign = f.directory() / "v3/tmp/notes";
  write_file(foreign, "");
  f.put("code");
  CHECK_FALSE(std::filesystem::exists(old));
  CHECK(std::filesystem::exists(foreign));
  std::filesystem::remove(f.directory() / "v3/swept");
  write_file(old, "");
  f.files.set_clock(std::nullopt);
  f.put("code");
  CHECK(std::filesystem::exists(old));  // younger than an hour
}

TEST_CASE("a store into a cache that is in use makes the folder of the entry, and asks for no other") {
  StoreFixture f;
  f.store.put(f.request, false, {}, code_sections("code"));
  CHECK(f.files.count("list") == 1);  // the sweep: what is in a new cache is known
  f.files.reset_counts();
  f.store.put(f.request, false, {}, code_sections("other"));
  CHECK(f.files.count("make_directory") == 1);
  CHECK(f.files.count("status") == 1);  // when it was swept
  CHECK(f.files.count("rename") == 1);
  CHECK(f.files.count("open") == 2);  // the new file, and the counters
}

TEST_CASE("folders and the tag that somebody removed are made again") {
  StoreFixture f;
  f.put("code");
  for (const char* name : {"v3/tmp", "v3/entries"}) {
    CAPTURE(name);
    std::filesystem::remove_all(f.directory() / name);
    f.put("code");
    CHECK(code_of(f.look_up()) == "code");
  }
  std::filesystem::remove(f.directory() / "CACHEDIR.TAG");
  f.put("code");
  CHECK_FALSE(std::filesystem::exists(f.directory() / "CACHEDIR.TAG"));
  f.files.set_clock(FileSystem::real().now_ns() + 25 * hour_ns);
  f.put("code");
  CHECK(std::filesystem::exists(f.directory() / "CACHEDIR.TAG"));
}

TEST_CASE("two stores on one folder see each other's entries") {
  StoreFixture f;
  CacheStore second(f.files, f.directory().string());
  f.put("code");
  CHECK(code_of(find_and_count(second, f.request, true, f.roots)) == "code");
  f.folder.write("own.h", "edited");
  second.put(f.request, true, f.dependencies(), code_sections("second"));
  CHECK(code_of(f.look_up()) == "second");
  f.folder.write("own.h", "own");
  CHECK(code_of(find_and_count(second, f.request, true, f.roots)) == "code");
  CHECK(folder_stats(f.store.folder()).hits == 3);
  CHECK(folder_stats(second.folder()).stores == 2);
}

TEST_CASE("eight threads: right bytes always, counters exact") {
  StoreFixture f;
  f.put("code");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        CHECK(code_of(f.look_up()) == "code");
        const CacheKey own(std::to_string(t));
        if (i % 5 == 0) f.store.put(own, false, {}, code_sections(std::to_string(t)));
        CHECK(code_of(find_and_count(f.store, own, false, {})) == std::to_string(t));
      }
    });
  for (std::thread& thread : threads) thread.join();
  const CacheStats stats = folder_stats(f.store.folder());
  CHECK(stats.hits == 400);
  CHECK(stats.misses == 0);
  CHECK(stats.stores == 41);
  CHECK(stats.entries == 9);
}

TEST_CASE("one object a folder and process, however it is spelled") {
  ScratchFolder folder;
  CacheStore& store = open_store((folder / "cache").string());
  CHECK(&open_store((folder / "cache").string()) == &store);
  CHECK(&open_store((folder / "x/../cache/").string()) == &store);
  CHECK(&open_store((folder / "other").string()) != &store);
  CHECK(store.folder().root() == (folder / "cache").string());
}

}  // namespace store_test
