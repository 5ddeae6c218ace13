// Signed values: only the payload that was signed, for its kind and name, by a key that is trusted.
#include "cache/signing/signed_value.hpp"

#include "fault_file_system.hpp"
#include "key_pair.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace signed_value_test {

using namespace kiln;
using kiln::test::ScratchFolder;
using kiln::test::write_key_pair;

namespace {

struct Site {
  ScratchFolder folder;
  test::KeyPair files = write_key_pair(folder.path(), "site", 1);
  test::KeyPair other_files = write_key_pair(folder.path(), "other", 2);
  SigningKey key{FileSystem::real(), files.private_file};
  SigningKey other_key{FileSystem::real(), other_files.private_file};
  PublicKeys keys{FileSystem::real(), {files.public_file}};
  Digest name = digest_of("name");
  std::string payload = std::string("pay\0load", 8);
  std::string value = sign_value(&key, EntryKind::code, name, payload);

  std::optional<std::string_view> open(std::string_view bytes) const {
    return open_value(bytes, &keys, EntryKind::code, name);
  }
};

}  // namespace

TEST_CASE("what was signed is opened, an empty payload too") {
  const Site site;
  CHECK(site.open(site.value) == site.payload);
  CHECK(site.value.substr(0, 8) == "kilnsign");
  CHECK(site.value.size() == 85 + site.payload.size());
  CHECK(site.open(sign_value(&site.key, EntryKind::code, site.name, "")) == "");
}

TEST_CASE("who signed is told by a value's front") {
  const Site site;
  const std::string front = site.value.substr(0, value_front_size);
  CHECK(value_front_size == 85);
  CHECK(signer_of_value(front, EntryKind::code) == site.key.id());
  CHECK(signer_of_value(sign_value(nullptr, EntryKind::code, site.name, "x"), EntryKind::code) == KeyId{});
  CHECK_FALSE(signer_of_value(front, EntryKind::note));
  CHECK_FALSE(signer_of_value("", EntryKind::code));
  CHECK_FALSE(signer_of_value("x" + front, EntryKind::code));
}

TEST_CASE("every flipped bit, every cut and every added byte is nothing") {
  const Site site;
  for (std::size_t i = 0; i < 8 * site.value.size(); ++i) {
    std::string damaged = site.value;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    CHECK_FALSE(site.open(damaged));
  }
  for (std::size_t size = 0; size < site.value.size(); ++size) CHECK_FALSE(site.open(site.value.substr(0, size)));
  CHECK_FALSE(site.open(site.value + '\0'));
}

TEST_CASE("a value is none for another kind or name") {
  const Site site;
  CHECK_FALSE(open_value(site.value, &site.keys, EntryKind::manifest, site.name));
  CHECK_FALSE(open_value(site.value, &site.keys, EntryKind::code, digest_of("another name")));
  // Nor is it where the kind that it says is changed to the one that is asked for.
  std::string other_kind = site.value;
  other_kind[12] = static_cast<char>(EntryKind::manifest);
  CHECK_FALSE(open_value(other_kind, &site.keys, EntryKind::manifest, site.name));
}

TEST_CASE("a value of another key is nothing, and so is one that claims to be of this") {
  const Site site;
  std::string other = sign_value(&site.other_key, EntryKind::code, site.name, site.payload);
  CHECK_FALSE(site.open(other));
  other.replace(13, 8, site.value, 13, 8);
  CHECK_FALSE(site.open(other));
  const PublicKeys both(FileSystem::real(), {site.files.public_file, site.other_files.public_file});
  CHECK(open_value(site.value, &both, EntryKind::code, site.name) == site.payload);
}

TEST_CASE("an unsigned value is taken only where no key is asked for") {
  const Site site;
  const std::string value = sign_value(nullptr, EntryKind::code, site.name, site.payload);
  CHECK(open_value(value, nullptr, EntryKind::code, site.name) == site.payload);
  CHECK_FALSE(site.open(value));
  const PublicKeys none;
  CHECK_FALSE(open_value(value, &none, EntryKind::code, site.name));
  CHECK_FALSE(open_value(site.value, &none, EntryKind::code, site.name));
  // Who takes unsigned values takes signed ones, too: both may be in one store.
  CHECK(open_value(site.value, nullptr, EntryKind::code, site.name) == site.payload);
  CHECK_FALSE(open_value(site.value, nullptr, EntryKind::note, site.name));
}

TEST_CASE("one payload under one name has one value") {
  const Site site;
  CHECK(sign_value(&site.key, EntryKind::code, site.name, site.payload) == site.value);
}

}  // namespace signed_value_test
