// The bytes of format v3. Where a change makes these fail it is a new format: a new version in entry.cpp, a new v<n>
// folder in cache_folder.cpp, and a test like this beside it.
#include "cache/dependency_codec.hpp"
#include "cache/entry.hpp"
#include "cache/manifest.hpp"
#include "cache/statistics.hpp"

#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace format_v3_test {

using namespace kiln;

namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[value >> 4];
    text += "0123456789abcdef"[value & 0xf];
  }
  return text;
}

std::string from_hex(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  return bytes;
}

Digest key() {
  Digest digest;
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) digest.bytes[i] = static_cast<std::uint8_t>(i);
  return digest;
}

Dependencies dependencies() {
  FileStatus status;
  status.inode = 0x0102030405060708;
  status.size = 9;
  status.mtime_ns = 1'700'000'000'123'456'789;
  status.ctime_ns = 1'700'000'001'000'000'000;
  status.device = 0x11121314;
  Dependencies all;
  all.files.push_back({{-1, "/own.h"}, status, key(), false});
  status.device = 0x21222324;
  all.folders.push_back({{0, "include"}, status, {{"a.h", key()}}});
  all.absent.push_back({1, "own.h"});
  all.obstacles.push_back({{0, "folder.h"}, ObstacleDependency::Kind::unreadable});
  all.other_devices = {{0x11121315, 0x11121316}, {}};
  return all;
}

const std::string entry_v3 =
    "6b696c6e636163680300000001000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    "2d00000000000000040000000500000000000000636f64657f454c46000300000009000000000000006c6f6761207761"
    "726e696e67575e1ebf58e17d756a2d4abc38b47f7e";
const std::string manifest_v3 =
    "6b696c6e636163680300000002000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    "6e0100000000000005000000c5000000000000006974656d7304000000580000000100000000060000002f6f776e2e68"
    "00000000000000000807060504030201090000000000000015cd853dfe9c971700cac471fe9c97170000010203040506"
    "0708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f39000000020100000007000000696e636c756465010000"
    "00000000000807060504030201090000000000000015cd853dfe9c971700cac471fe9c9717010e000000030200000005"
    "0000006f776e2e6812000000050100000008000000666f6c6465722e680308000000840000000000000076617269616e"
    "747301000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f00010203040506070809"
    "0a0b0c0d0e0f101112131415161718191a1b1c1d1e1f0400000000000000010000000200000003000000020000000300"
    "00001413121100000000151312110000000016131211000000000100000024232221000000005b3ad56df4db53a27368"
    "13ec768c1283";
const std::string header_lists_v3 =
    "0100000003000000612e68000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const std::string unnamed =
    "6b696c6e6361636802000000010000000000000000000000000000000000000013000000000000000400000003000000"
    "00000000636f6465454c4693ae2daa13aeb383c43b07ea17c28513";
const std::string code_key_v3 = "4291d816bea2cb80045a10a8aa9c5c2ebad2a69e10aec8ae8f6122e1bcb7dc48";

}  // namespace

TEST_CASE("a code entry") {
  Sections sections;
  sections.add("code", std::string_view("\x7f"
                                        "ELF\0",
                                        5));
  sections.add("log", "a warning");
  CHECK(hex(encode_entry(EntryKind::code, key(), sections)) == entry_v3);
  const std::optional<Sections> read = decode_entry(EntryKind::code, key(), from_hex(entry_v3));
  REQUIRE(read);
  CHECK(read->all() == sections.all());
}

TEST_CASE("a manifest") {
  Manifest manifest;
  manifest.add(key(), key(), dependencies());
  CHECK(hex(encode_entry(EntryKind::manifest, key(), manifest.encode())) == manifest_v3);
  const std::optional<Sections> sections = decode_entry(EntryKind::manifest, key(), from_hex(manifest_v3));
  REQUIRE(sections);
  const std::optional<Manifest> read = Manifest::decode(*sections);
  REQUIRE(read);
  CHECK(encode_items(read->dependencies(0).value()) == encode_items(dependencies()));
  CHECK(read->dependencies(0)->other_devices == dependencies().other_devices);
}

TEST_CASE("files of earlier formats are none of this one's") {
  for (const char version : {'\1', '\2'}) {
    std::string old = from_hex(entry_v3);
    old[8] = version;
    CHECK_FALSE(decode_entry(EntryKind::code, key(), old));
    CHECK_FALSE(entry_name(old));
  }
}

TEST_CASE("code under no name keeps the frame of format v2") {
  Sections sections;
  sections.add("code", "ELF");
  CHECK(hex(encode_unnamed(sections)) == unnamed);
  const std::optional<Sections> read = decode_unnamed(from_hex(unnamed));
  REQUIRE(read);
  CHECK(read->all() == sections.all());
  CHECK_FALSE(decode_unnamed(encode_entry(EntryKind::code, Digest{}, sections)));
  CHECK_FALSE(decode_entry(EntryKind::code, Digest{}, from_hex(unnamed)));
  for (std::size_t size = 0; size < unnamed.size() / 2; ++size)
    CHECK_FALSE(decode_unnamed(from_hex(unnamed).substr(0, size)));
}

TEST_CASE("header lists, and the key of the code") {
  CHECK(hex(encode_header_lists(dependencies())) == header_lists_v3);
  CHECK(code_key("request", dependencies()).hex() == code_key_v3);
}

TEST_CASE("the counters") {
  test::ScratchFolder folder;
  Statistics statistics(FileSystem::real(), (folder / "statistics").string());
  std::uint64_t amount = 0;
  for (const Counter counter :
       {Counter::hits, Counter::misses, Counter::compiles, Counter::stores, Counter::store_failures, Counter::corrupt,
        Counter::waits, Counter::evictions, Counter::refused})
    statistics.add(counter, ++amount);
  statistics.flush();
  std::string counts;
  for (std::size_t i = 1; i <= Statistics::slots; ++i)
    counts += hex(std::string(1, static_cast<char>(i <= 9 ? i : 0))) + "00000000000000";
  const std::string file = hex(folder.read("statistics"));
  CHECK(file.substr(0, 16) == hex("kilnstat"));
  CHECK(file.substr(16, counts.size()) == counts);
  CHECK(file.substr(16 + counts.size()) == "096977d275557179c2d05a1642702d1d");
}

}  // namespace format_v3_test
