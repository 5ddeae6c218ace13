// Files whose checksum is right and whose content is not: from a program gone wrong, or from someone with intent.
#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "cache/byte_io.hpp"
#include "cache/dependency_codec.hpp"
#include "cache/entry.hpp"
#include "cache/manifest.hpp"

#include <doctest/doctest.h>

#include <string>

namespace malformed_entry_test {

using namespace kiln;

namespace {

const Digest key = digest_of("key");

std::string with_checksum(std::string bytes) { return bytes.append(checksum_of(bytes).view()); }

std::string file_around(std::string_view payload) {
  std::string file = encode_entry(EntryKind::code, key, {}).substr(0, 8 + 4 + 4 + sizeof(Digest));
  append_integer(file, std::uint64_t{payload.size()});
  return with_checksum(file.append(payload));
}

Dependencies some_dependencies() {
  Dependencies dependencies;
  FileStatus status;
  status.inode = 1;
  dependencies.files.push_back({{-1, "/a"}, status, digest_of("a")});
  dependencies.folders.push_back({{0, "b"}, status, {{"c.h", digest_of("c")}}});
  dependencies.absent.push_back({1, "d"});
  return dependencies;
}

}  // namespace

TEST_CASE("lengths that lie allocate nothing and read nothing") {
  CHECK(decode_entry(EntryKind::code, key, file_around("")));
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    std::string section;
    append_integer(section, std::uint32_t{0});
    append_integer(section, length);
    CHECK_FALSE(decode_entry(EntryKind::code, key, file_around(section)));
    std::string label;
    append_integer(label, static_cast<std::uint32_t>(length));
    append_integer(label, std::uint64_t{0});
    if (static_cast<std::uint32_t>(length) != 0) CHECK_FALSE(decode_entry(EntryKind::code, key, file_around(label)));
  }
  CHECK_FALSE(decode_entry(EntryKind::code, key, file_around("x")));
}

TEST_CASE("manifests of any bytes: refused or decoded, never more") {
  Manifest manifest;
  manifest.add(key, digest_of("lists"), some_dependencies());
  const Sections sections = manifest.encode();
  int decoded = 0;
  for (const char* label : {"items", "variants"}) {
    const std::string good(*sections.find(label));
    for (std::size_t i = 0; i < 2 * good.size(); ++i) {
      std::string bad = i < good.size() ? good.substr(0, i) : good;
      if (i >= good.size()) bad[i - good.size()] = static_cast<char>(~bad[i - good.size()]);
      Sections changed;
      for (const auto& section : sections.all())
        changed.add(section.first, section.first == label ? std::string_view(bad) : section.second);
      const std::optional<Manifest> read = Manifest::decode(changed);
      if (i < good.size()) CHECK_FALSE(read);
      if (!read) continue;
      for (std::size_t variant = 0; variant < read->size(); ++variant)
        if (read->dependencies(variant)) ++decoded;
    }
  }
  CHECK(decoded > 0);  // a flipped digit of a digest is a digest
  CHECK_FALSE(Manifest::decode({}));
}

TEST_CASE("header lists of any bytes") {
  const Dependencies original = some_dependencies();
  const std::string good = encode_header_lists(original);
  Dependencies bare = original;
  bare.folders[0].headers.clear();
  bare.headers_known = false;
  for (std::size_t size = 0; size < good.size(); ++size) CHECK_FALSE(decode_header_lists(good.substr(0, size), bare));
  CHECK_FALSE(decode_header_lists(good + "x", bare));
  CHECK_FALSE(bare.headers_known);
  CHECK(bare.folders[0].headers.empty());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(~bad[i]);
    Dependencies copy = bare;
    decode_header_lists(bad, copy);
  }
  REQUIRE(decode_header_lists(good, bare));
  CHECK(bare.folders[0].headers[0].name == "c.h");
  CHECK(bare.folders[0].headers[0].digest == digest_of("c"));
}

}  // namespace malformed_entry_test
