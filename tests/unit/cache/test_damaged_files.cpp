// Every way in which one file of the cache can be damaged on its own: a look-up never gives other bytes for it.
#include "cache/listing.hpp"
#include "loop_step.hpp"
#include "store_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace damaged_files_test {

using namespace kiln;
using namespace kiln::test;

namespace {

const std::string code(
    "\x7f"
    "ELF\0code of the first",
    22);

struct Damage {
  std::string how;
  std::string bytes;
};

std::vector<Damage> damages_of(const std::string& good) {
  std::vector<Damage> all;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      all.push_back({"byte " + std::to_string(i) + " xor " + std::to_string(mask), good});
      all.back().bytes[i] = static_cast<char>(good[i] ^ mask);
    }
    all.push_back({"cut to " + std::to_string(i), good.substr(0, i)});
  }
  all.push_back({"a zero more", good + '\0'});
  all.push_back({"1000 bytes more", good + std::string(1000, 'x')});
  all.push_back({"twice", good + good});
  all.push_back({"as long, of zeros", std::string(good.size(), '\0')});
  return all;
}

/// A store with two requests, which share no file.
struct TwoRequests : StoreFixture {
  TwoRequests() {
    put_first();
    first = {files_of(".code").at(0), files_of(".manifest").at(0), files_of(".headers").at(0)};
    Dependencies changed = dependencies();
    changed.folders[0].headers.push_back({"gone.h", {}});
    store.put(other, true, changed, code_sections("code of the other"));
    for (const char* kind : {".code", ".manifest", ".headers"})
      for (const auto& path : files_of(kind))
        if (std::find(first.begin(), first.end(), path) == first.end()) second.push_back(path);
    REQUIRE(second.size() == 3);
  }

  void put_first() { put(code); }
  /// The package's folder moves, so that the header lists are needed. By a second: a clock tick may be longer than a
  /// test.
  void move_package() { std::filesystem::last_write_time(roots.paths[0], package_time += std::chrono::seconds(1)); }
  std::uint64_t corrupt() { return folder_stats(store.folder()).corrupt; }

  CacheKey other{"other request"};
  std::vector<std::filesystem::path> first;  // code, manifest, headers
  std::vector<std::filesystem::path> second;
  std::filesystem::file_time_type package_time =
      std::filesystem::last_write_time(roots.paths[0]) - std::chrono::hours(24);
};

// That the damaged file is a counted miss, and gone.
void check_damage(TwoRequests& f, const std::filesystem::path& path, const Damage& damage) {
  CAPTURE(path.extension().string());
  CAPTURE(damage.how);
  const std::uint64_t before = f.corrupt();
  std::filesystem::remove(path);  // ext4 waits for the disk where a file is cut to nothing and written again
  write_file(path, damage.bytes);
  f.move_package();
  CHECK(code_of(f.look_up()) == "(miss)");
  CHECK(f.corrupt() == before + 1);
  CHECK_FALSE(std::filesystem::exists(path));
}

// That the next store puts right what was damaged.
void check_healing(TwoRequests& f) {
  const std::uint64_t before = f.corrupt();
  f.put_first();
  f.move_package();
  CHECK(code_of(f.look_up()) == code);
  CHECK(f.corrupt() == before);
}

}  // namespace

TEST_CASE("a file of the cache with any byte changed, cut anywhere, or extended") {
  TwoRequests f;
  REQUIRE(code_of(f.look_up()) == code);
  for (const std::filesystem::path& path : f.first) {
    const std::string good = file_bytes(path);
    const std::vector<Damage> damages = damages_of(good);
    CHECK(damages.size() > 4 * 100);
    for (std::size_t i = 0, count = 0; i < damages.size(); i += loop_step(7), ++count) {
      check_damage(f, path, damages[i]);
      // A store is slow for so many; else the file that was there is put back.
      if (count % 32 == 0 || i + loop_step(7) >= damages.size()) {
        check_healing(f);
      } else {
        write_file(path, good);
      }
    }
  }
  CHECK(code_of(find_and_count(f.store, f.other, true, f.roots)) == "code of the other");
}

TEST_CASE("a file of the cache in the place of another one, of whatever kind") {
  TwoRequests f;
  std::vector<Damage> others;
  for (const auto& list : {f.first, f.second})
    for (const std::filesystem::path& path : list) others.push_back({path.string(), file_bytes(path)});
  for (const std::filesystem::path& path : f.first)
    for (const Damage& damage : others)
      if (damage.how != path.string()) {
        check_damage(f, path, damage);
        check_healing(f);
      }
}

TEST_CASE("two files of the cache that changed places") {
  for (const std::size_t kind : {0u, 1u, 2u}) {
    CAPTURE(kind);
    TwoRequests f;
    const std::filesystem::path aside = f.folder / "aside";
    std::filesystem::rename(f.first[kind], aside);
    std::filesystem::rename(f.second[kind], f.first[kind]);
    std::filesystem::rename(aside, f.second[kind]);
    f.move_package();
    CHECK(code_of(f.look_up()) == "(miss)");
    CHECK(code_of(find_and_count(f.store, f.other, true, f.roots)) == "(miss)");
    CHECK(f.corrupt() == 2);
    CHECK_FALSE(std::filesystem::exists(f.first[kind]));
    CHECK_FALSE(std::filesystem::exists(f.second[kind]));
  }
}

}  // namespace damaged_files_test
