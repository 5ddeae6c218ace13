#include "cache/manifest.hpp"

#include "cache/dependency_codec.hpp"

#include <doctest/doctest.h>

#include <string>

namespace manifest_test {

using namespace kiln;

namespace {

FileDependency file(const std::string& path, const std::string& content, std::uint64_t inode = 1) {
  FileStatus status;
  status.inode = inode;
  status.size = content.size();
  status.mtime_ns = -5;
  status.ctime_ns = 7'000'000'000'000'000'000;
  return {{-1, path}, status, digest_of(content)};
}

Dependencies one_file(const std::string& content, std::uint64_t inode = 1) {
  Dependencies dependencies;
  dependencies.files.push_back(file("/a.h", content, inode));
  return dependencies;
}

}  // namespace

TEST_CASE("dependencies come back as they were, the folders' headers apart") {
  Dependencies original = one_file("a");
  original.files.push_back(file("/p\xc3\xa4th with space/b.h", "b"));
  original.folders.push_back(
      {{0, "include"}, original.files[0].status, {{"c.h", digest_of("c")}, {"d/e.h", digest_of("d")}}});
  original.folders.push_back({{1, ""}, original.files[0].status, {}});
  original.absent = {{-1, "/x"}, {0, "include/y"}};
  original.absolute_paths = {{0, "/p"}, {2, "/q r"}};
  const Digest lists = digest_of(encode_header_lists(original));
  Manifest manifest;
  REQUIRE(manifest.add(digest_of("key"), lists, original));
  const std::optional<Manifest> decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 1);
  CHECK(decoded->key(0) == digest_of("key"));
  CHECK(decoded->header_lists(0) == lists);
  std::optional<Dependencies> read = decoded->dependencies(0);
  REQUIRE(read);
  CHECK_FALSE(read->headers_known);
  CHECK(read->folders[0].headers.empty());
  CHECK(encode_items(*read) == encode_items(original));
  CHECK(read->files[1].path == original.files[1].path);
  CHECK(read->files[1].status.mtime_ns == -5);
  CHECK(read->files[1].digest == digest_of("b"));
  CHECK(read->absent == original.absent);
  CHECK(read->absolute_paths == original.absolute_paths);
  REQUIRE(decode_header_lists(encode_header_lists(original), *read));
  CHECK(read->headers_known);
  CHECK(read->folders[0].headers[1].name == "d/e.h");
  CHECK(read->folders[1].headers.empty());
}

TEST_CASE("the newest variant comes first, and earlier ones of its key in other states stay") {
  Manifest manifest;
  CHECK(manifest.add(digest_of("1"), {}, one_file("one")));
  CHECK(manifest.add(digest_of("2"), {}, one_file("two")));
  CHECK_FALSE(manifest.add(digest_of("2"), {}, one_file("two")));
  CHECK(manifest.add(digest_of("1"), {}, one_file("one", 99)));
  const std::optional<Manifest> decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 3);
  CHECK(decoded->key(0) == digest_of("1"));
  CHECK(decoded->dependencies(0)->files[0].status.inode == 99);
  CHECK(decoded->key(1) == digest_of("2"));
  CHECK(decoded->dependencies(1)->headers_known);
  CHECK(decoded->dependencies(2)->files[0].status.inode == 1);
  CHECK(manifest.add(digest_of("1"), {}, one_file("one")));  // there already, and the newest now
  CHECK(manifest.size() == 3);
  CHECK(manifest.dependencies(0)->files[0].status.inode == 1);
}

TEST_CASE("at most 64 states of one key, and the oldest of that key goes") {
  Manifest manifest;
  manifest.add(digest_of("other"), {}, one_file("other"));
  for (std::uint64_t inode = 1; inode < 64; ++inode) manifest.add(digest_of("1"), {}, one_file("one", inode));
  CHECK_FALSE(manifest.is_full(digest_of("1")));
  for (std::uint64_t inode = 64; inode <= 65; ++inode) manifest.add(digest_of("1"), {}, one_file("one", inode));
  CHECK(manifest.is_full(digest_of("1")));
  CHECK_FALSE(manifest.is_full(digest_of("other")));
  REQUIRE(manifest.size() == 65);
  CHECK(manifest.dependencies(0)->files[0].status.inode == 65);
  CHECK(manifest.dependencies(63)->files[0].status.inode == 2);
  CHECK(manifest.key(64) == digest_of("other"));
}

TEST_CASE("numbers of a device: of one variant, the newest first, at most 128") {
  Manifest manifest;
  Dependencies one = one_file("one");
  for (std::uint64_t number = 1; number <= 128; ++number) {
    CHECK_FALSE(manifest.is_full(digest_of("1")));
    one.files[0].status.device = number;
    CHECK(manifest.add(digest_of("1"), {}, one));
  }
  CHECK(manifest.is_full(digest_of("1")));
  one.files[0].status.device = 129;
  CHECK(manifest.add(digest_of("1"), {}, one));
  CHECK_FALSE(manifest.add(digest_of("1"), {}, one));
  one.files[0].status.device = 2;
  CHECK_FALSE(manifest.add(digest_of("1"), {}, one));
  const std::optional<Manifest> decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 1);
  const auto read = decoded->dependencies(0);
  CHECK(read->files[0].status.device == 129);
  REQUIRE(read->other_devices.size() == 1);
  CHECK(read->other_devices[0].size() == 127);
  CHECK(read->other_devices[0].front() == 128);
  CHECK(read->other_devices[0].back() == 2);
}

TEST_CASE("an imported manifest's states equal none, and variants that differed in states alone are one") {
  Dependencies original = one_file("one");
  original.folders.push_back({{0, "include"}, original.files[0].status, {}});
  original.absent.push_back({0, "x"});
  original.absolute_paths.push_back({0, "/p"});
  Manifest manifest;
  manifest.add(digest_of("2"), {}, one_file("two"));
  manifest.add(digest_of("1"), {}, original);
  original.files[0].status.inode = 99;
  manifest.add(digest_of("1"), {}, original);
  manifest.distrust_states();
  const std::optional<Manifest> decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 2);
  CHECK(decoded->key(0) == digest_of("1"));
  const std::optional<Dependencies> read = decoded->dependencies(0);
  REQUIRE(read);
  CHECK_FALSE(same_state(read->files[0].status, original.files[0].status));
  CHECK(read->files[0].status.size == original.files[0].status.size);
  CHECK(read->files[0].digest == digest_of("one"));
  CHECK_FALSE(same_state(read->folders[0].status, original.folders[0].status));
  CHECK(read->absent == original.absent);
  CHECK(read->absolute_paths == original.absolute_paths);
}

TEST_CASE("at most 100 variants, the oldest dropped, and shared items stored once") {
  Manifest manifest;
  Dependencies dependencies = one_file("");
  for (int i = 0; i < 50; ++i) dependencies.absent.push_back({-1, "/absent/" + std::to_string(i)});
  const std::size_t one = manifest.add(digest_of("x"), {}, dependencies) ? manifest.encode().find("items")->size() : 0;
  for (int i = 0; i < 150; ++i) {
    dependencies.files[0].status.inode = static_cast<std::uint64_t>(i);
    manifest.add(digest_of(std::to_string(i)), {}, dependencies);
  }
  const Sections sections = manifest.encode();
  const std::optional<Manifest> decoded = Manifest::decode(sections);
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 100);
  CHECK(decoded->key(0) == digest_of("149"));
  CHECK(decoded->key(99) == digest_of("50"));
  CHECK(decoded->dependencies(99)->files[0].status.inode == 50);
  CHECK(sections.find("items")->size() < 10 * one);
}

TEST_CASE("at most 10000 items, but always one variant") {
  Dependencies many;
  for (int i = 0; i < 6000; ++i) many.absent.push_back({-1, "/a/" + std::to_string(i)});
  Dependencies others;
  for (int i = 0; i < 6000; ++i) others.absent.push_back({-1, "/b/" + std::to_string(i)});
  Manifest manifest;
  manifest.add(digest_of("many"), {}, many);
  manifest.add(digest_of("others"), {}, others);
  std::optional<Manifest> decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 1);
  CHECK(decoded->key(0) == digest_of("others"));
  many.absent.insert(many.absent.end(), others.absent.begin(), others.absent.end());
  manifest.add(digest_of("all"), {}, many);
  decoded = Manifest::decode(manifest.encode());
  REQUIRE(decoded);
  REQUIRE(decoded->size() == 1);
  CHECK(decoded->dependencies(0)->absent.size() == 12'000);
}

TEST_CASE("the code's key tells contents apart, not states") {
  const std::string request = "request";
  const Dependencies original = one_file("a");
  CHECK(code_key(request, original) == code_key(request, one_file("a", 2)));
  CHECK(code_key(request, original) != code_key(request, one_file("b")));
  CHECK(code_key(request, original) != code_key("other", original));
  Dependencies moved = original;
  moved.files[0].path.path = "/b.h";
  CHECK(code_key(request, original) != code_key(request, moved));
  Dependencies more = original;
  more.absent.push_back({-1, "/b.h"});
  CHECK(code_key(request, original) != code_key(request, more));
  Dependencies placed = original;
  placed.absolute_paths.push_back({0, "/p"});
  Dependencies elsewhere = original;
  elsewhere.absolute_paths.push_back({0, "/q"});
  CHECK(code_key(request, original) != code_key(request, placed));
  CHECK(code_key(request, placed) != code_key(request, elsewhere));
  Dependencies folder = original;
  folder.folders.push_back({{0, "include"}, {}, {{"a.h", digest_of("1")}}});
  Dependencies other_folder = folder;
  other_folder.folders[0].headers[0].digest = digest_of("2");
  CHECK(code_key(request, folder) != code_key(request, other_folder));
}

}  // namespace manifest_test
