// The bytes of format v2. Where a change makes these fail it is a new format: a new version in entry.cpp, a new v<n>
// folder in cache_folder.cpp, and a test like this beside it.
#include "cache/dependency_codec.hpp"
#include "cache/entry.hpp"
#include "cache/manifest.hpp"
#include "cache/statistics.hpp"

#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace format_v2_test {

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

const std::string entry_v2 =
    "6b696c6e636163680200000001000000000102030405060708090a0b0c0d0e0f2d000000000000000400000005000000"
    "00000000636f64657f454c46000300000009000000000000006c6f6761207761726e696e6726481b6c9e5e1f72299eeb"
    "41ea333af1";
const std::string manifest_v2 =
    "6b696c6e636163680200000002000000000102030405060708090a0b0c0d0e0f3e0100000000000005000000b5000000"
    "000000006974656d7304000000480000000100000000060000002f6f776e2e6800000000000000000807060504030201"
    "090000000000000015cd853dfe9c971700cac471fe9c971700000102030405060708090a0b0c0d0e0f39000000020100"
    "000007000000696e636c75646501000000000000000807060504030201090000000000000015cd853dfe9c971700cac4"
    "71fe9c9717010e0000000302000000050000006f776e2e6812000000050100000008000000666f6c6465722e68030800"
    "0000640000000000000076617269616e747301000000000102030405060708090a0b0c0d0e0f00010203040506070809"
    "0a0b0c0d0e0f040000000000000001000000020000000300000002000000030000001413121100000000151312110000"
    "00001613121100000000010000002423222100000000bc596412b0d99efbd1f994e131177486";
const std::string header_lists_v2 = "0100000003000000612e68000102030405060708090a0b0c0d0e0f";
const std::string code_key_v2 = "515114c021c04072e2c689746812618d";

}  // namespace

TEST_CASE("a code entry") {
  Sections sections;
  sections.add("code", std::string_view("\x7f"
                                        "ELF\0",
                                        5));
  sections.add("log", "a warning");
  CHECK(hex(encode_entry(EntryKind::code, key(), sections)) == entry_v2);
  const std::optional<Sections> read = decode_entry(EntryKind::code, key(), from_hex(entry_v2));
  REQUIRE(read);
  CHECK(read->all() == sections.all());
}

TEST_CASE("a manifest") {
  Manifest manifest;
  manifest.add(key(), key(), dependencies());
  CHECK(hex(encode_entry(EntryKind::manifest, key(), manifest.encode())) == manifest_v2);
  const std::optional<Sections> sections = decode_entry(EntryKind::manifest, key(), from_hex(manifest_v2));
  REQUIRE(sections);
  const std::optional<Manifest> read = Manifest::decode(*sections);
  REQUIRE(read);
  CHECK(encode_items(read->dependencies(0).value()) == encode_items(dependencies()));
  CHECK(read->dependencies(0)->other_devices == dependencies().other_devices);
}

TEST_CASE("files of format v1 are none of this one's") {
  std::string old = from_hex(entry_v2);
  old[8] = 1;
  CHECK_FALSE(decode_entry(EntryKind::code, key(), old));
  CHECK_FALSE(entry_name(old));
}

TEST_CASE("header lists, and the key of the code") {
  CHECK(hex(encode_header_lists(dependencies())) == header_lists_v2);
  CHECK(code_key("request", dependencies()).hex() == code_key_v2);
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

}  // namespace format_v2_test
