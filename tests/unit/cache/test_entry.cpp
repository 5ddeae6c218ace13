#include "cache/entry.hpp"

#include <doctest/doctest.h>

#include <string>

namespace entry_test {

using namespace kiln;

namespace {

const Digest key = digest_of("key");

Sections small() {
  Sections sections;
  sections.add("code", std::string("\0\x7f"
                                   "ELF",
                                   5));
  sections.add("log", "");
  return sections;
}

}  // namespace

TEST_CASE("sections come back as they were, in order, also through a move") {
  Sections sections = small();
  sections.add("code", "a second one of that label");
  const std::optional<Sections> decoded =
      decode_entry(EntryKind::code, key, encode_entry(EntryKind::code, key, sections));
  REQUIRE(decoded);
  CHECK(decoded->all() == sections.all());
  CHECK(decoded->find("code") == sections.find("code"));
  CHECK(decoded->find("log") == std::string_view(""));
  CHECK(decoded->find("other") == std::nullopt);
  const Sections copy = *decoded;
  CHECK(copy.all() == sections.all());
  CHECK(decode_entry(EntryKind::code, key, encode_entry(EntryKind::code, key, {}))->all().empty());
}

TEST_CASE("another kind, another key") {
  const std::string file = encode_entry(EntryKind::code, key, small());
  CHECK(decode_entry(EntryKind::code, key, file));
  CHECK_FALSE(decode_entry(EntryKind::manifest, key, file));
  CHECK_FALSE(decode_entry(EntryKind::code, digest_of("other"), file));
}

TEST_CASE("every truncation, every flipped bit and every extension is noticed") {
  const std::string file = encode_entry(EntryKind::code, key, small());
  for (std::size_t size = 0; size < file.size(); ++size)
    CHECK_FALSE(decode_entry(EntryKind::code, key, file.substr(0, size)));
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    CAPTURE(bit);
    CHECK_FALSE(decode_entry(EntryKind::code, key, flipped));
  }
  CHECK_FALSE(decode_entry(EntryKind::code, key, file + '\0'));
  CHECK_FALSE(decode_entry(EntryKind::code, key, file + file));
}

}  // namespace entry_test
