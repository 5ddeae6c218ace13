// What is in a cache folder, and whether it is whole.
#include "cache/explain_miss.hpp"
#include "cache/listing.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

namespace listing_test {

using namespace kiln;
using namespace kiln::test;

namespace {

Sections described(const std::string& name, const std::string& arch, std::size_t size = 10) {
  Sections sections;
  sections.add("name", name);
  sections.add("target", "cubin");
  sections.add("arch", arch);
  sections.add("code", std::string(size, 'c'));
  return sections;
}

void set_time(const std::filesystem::path& path, std::int64_t seconds) {
  const struct timespec times[] = {{seconds, 0}, {seconds, 0}};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

struct Listing : StoreFixture {
  std::filesystem::path add(const std::string& name, const Sections& sections, std::int64_t time) {
    const Digest key = digest_of(name);
    store.put(CacheKey(name), false, {}, sections);
    const std::string hex = key.hex();
    const std::filesystem::path path = directory() / "v3/entries" / hex.substr(0, 2) / (hex.substr(2) + ".code");
    set_time(path, time);
    return path;
  }
};

}  // namespace

TEST_CASE("entries, most recently used first, described by their fronts") {
  Listing f;
  CHECK(list_entries(f.store.folder()).empty());
  const auto small = f.add("a.cu", described("a.cu", "sm_90"), 1000);
  f.add("b.cu", described("b.cu", "sm_80", 1 << 20), 3000);
  f.add("old", code_sections("made before entries had names"), 2000);
  f.put("code");  // a manifest and headers are no entries
  f.files.reset_counts();
  const std::vector<CacheEntry> entries = list_entries(f.store.folder());
  REQUIRE(entries.size() == 4);
  CHECK(f.files.count("open") == 4);
  CHECK(f.files.count("read") == 0);
  CHECK(f.files.count("read_at") <= 8);
  CHECK(entries[1].name == "b.cu");
  CHECK(entries[1].target == "cubin");
  CHECK(entries[1].arch == "sm_80");
  CHECK(entries[1].bytes > 1 << 20);
  CHECK(entries[1].key == digest_of("b.cu").hex());
  CHECK(entries[1].last_used == std::chrono::system_clock::from_time_t(3000));
  CHECK(entries[2].name.empty());
  CHECK_FALSE(entries[2].damaged);
  CHECK(entries[3].name == "a.cu");
  CHECK(entries[3].bytes == std::filesystem::file_size(small));
}

TEST_CASE("damaged entries are listed as such and left alone") {
  for (const std::size_t size : {0u, 10u, 60u, 80u, 200u}) {
    CAPTURE(size);
    Listing f;
    const auto path = f.add("a.cu", described("a.cu", "sm_90", 500), 1000);
    const std::string cut = file_bytes(path).substr(0, size);
    write_file(path, cut);
    const std::vector<CacheEntry> entries = list_entries(f.store.folder());
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].damaged);
    CHECK(entries[0].key == digest_of("a.cu").hex());
    CHECK(entries[0].name.empty());
    CHECK(file_bytes(path) == cut);
    CHECK(folder_stats(f.store.folder()).corrupt == 0);
  }
  Listing f;
  const auto moved = f.add("a.cu", described("a.cu", "sm_90"), 1000);
  std::filesystem::rename(moved, moved.parent_path() / (std::string(62, '0') + ".code"));
  CHECK(list_entries(f.store.folder()).at(0).damaged);
}

TEST_CASE("any byte of a front flipped: listed, one way or the other") {
  Listing f;
  const auto path = f.add("a.cu", described("a.cu", "sm_90"), 1000);
  const std::string good = file_bytes(path);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(~bad[i]);
    write_file(path, bad);
    CHECK(list_entries(f.store.folder()).size() == 1);
  }
}

TEST_CASE("what cannot be opened is listed as damaged; what is gone is not listed") {
  Listing f;
  f.add("a.cu", described("a.cu", "sm_90"), 1000);
  f.files.fail_always("read_at", EIO);
  CHECK(list_entries(f.store.folder()).at(0).damaged);
  f.files.fail_always("open", ENOENT);
  CHECK(list_entries(f.store.folder()).empty());
}

TEST_CASE("verify: all is well") {
  Listing f;
  CHECK(verify_entries(f.store.folder()).good == 0);
  CHECK_FALSE(std::filesystem::exists(f.directory()));
  f.put("code");
  record_request(f.store.folder(), "a.cu", {{"arch", {"sm_90"}, false}});
  const CacheCheck check = verify_entries(f.store.folder());
  CHECK(check.good == 4);
  CHECK(check.damaged.empty());
  CHECK(check.unreadable.empty());
}

TEST_CASE("verify reads all bytes of all kinds, and removes what is damaged") {
  for (const char* kind : {".code", ".headers", ".manifest", ".history"}) {
    CAPTURE(kind);
    Listing f;
    f.put("code");
    record_request(f.store.folder(), "a.cu", {{"arch", {"sm_90"}, false}});
    const auto path = f.files_of(kind).at(0);
    std::string bytes = file_bytes(path);
    bytes[bytes.size() - 20] ^= 1;
    write_file(path, bytes);
    const CacheCheck check = verify_entries(f.store.folder());
    CHECK(check.good == 3);
    CHECK(check.damaged == std::vector<std::filesystem::path>{path});
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(folder_stats(f.store.folder()).corrupt == 1);
  }
}

TEST_CASE("verify knows a whole file of the wrong content") {
  Listing f;
  f.put("code");
  Sections wrong;
  wrong.add("headers", "others");
  for (const auto& [suffix, kind] : {std::pair(".manifest", EntryKind::manifest), {".headers", EntryKind::headers}}) {
    const auto path = f.files_of(suffix).at(0);
    std::string bytes = file_bytes(path);
    Digest key;
    key = entry_name(bytes)->key;
    write_file(path, encode_entry(kind, key, wrong));
  }
  const CacheCheck check = verify_entries(f.store.folder());
  CHECK(check.good == 1);
  CHECK(check.damaged.size() == 2);
  CHECK(f.files_of(".manifest").empty());
  CHECK(f.files_of(".headers").empty());
}

TEST_CASE("verify: a fault of the device deletes nothing") {
  Listing f;
  f.put("code");
  f.files.fail_always("read", EIO);
  const CacheCheck check = verify_entries(f.store.folder());
  CHECK(check.good == 0);
  CHECK(check.damaged.empty());
  CHECK(check.unreadable.size() == 3);
  f.files.fail_always("read", 0);
  CHECK(verify_entries(f.store.folder()).good == 3);
}

}  // namespace listing_test
