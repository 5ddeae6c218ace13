// Signed bundles: where keys are given, nothing comes in that none of them signed.
#include "base/checksum.hpp"
#include "cache/bundle.hpp"
#include "cache/bundle_transfer.hpp"
#include "key_pair.hpp"
#include "store_fixture.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

namespace signed_bundle_test {

using namespace kiln;
using namespace kiln::test;

namespace {

struct Exporter : StoreFixture {
  Exporter() {
    put("code");
    store.put(CacheKey("alone"), false, {}, code_sections("alone"));
  }
  std::string file() const { return (folder / "bundle").string(); }
  std::string bundle(const SigningKey* by) {
    CHECK(export_entries(store.folder(), file(), by) == 2);
    return file_bytes(file());
  }

  KeyPair pair = write_key_pair(folder.path(), "site", 1);
  KeyPair other_pair = write_key_pair(folder.path(), "other", 2);
  SigningKey key{FileSystem::real(), pair.private_file};
  SigningKey other_key{FileSystem::real(), other_pair.private_file};
  PublicKeys keys{FileSystem::real(), {pair.public_file}};
};

struct Importer {
  /// The number of entries that were added, or the error; with it nothing may be there.
  std::string import(const std::string& bytes, const PublicKeys* keys) {
    try {
      return std::to_string(import_entries(store.folder(), folder.write("bundle", bytes).string(), keys));
    } catch (const Error& error) {
      CHECK_FALSE(std::filesystem::exists(folder / "cache/v3"));
      return error.what();
    }
  }
  ScratchFolder folder;
  FaultFileSystem files;
  CacheStore store{files, (folder / "cache").string()};
};

std::string imported(const std::string& bytes, const PublicKeys* keys) { return Importer().import(bytes, keys); }

bool contains_words(const std::string& text, const std::string& words) {
  CAPTURE(text);
  CAPTURE(words);
  const bool found = text.find(words) != std::string::npos;
  CHECK(found);
  return found;
}

constexpr std::size_t signature_size = 8 + 64;

/// With a checksum of the whole that fits the other bytes.
std::string repaired(std::string bytes) {
  const std::size_t end = bytes.size() - signature_size - 16;
  return bytes.replace(end, 16, checksum_of(bytes.substr(0, end)).view());
}

}  // namespace

TEST_CASE("what a trusted key signed is taken") {
  Exporter from;
  CHECK(imported(from.bundle(&from.key), &from.keys) == "2");
  const PublicKeys both(FileSystem::real(), {from.pair.public_file, from.other_pair.public_file});
  CHECK(imported(from.bundle(&from.other_key), &both) == "2");
}

TEST_CASE("a signed bundle of a cache without entries is taken, too") {
  Exporter from;
  const std::string bundle = (from.folder / "empty").string();
  CacheStore empty(from.files, (from.folder / "empty cache").string());
  CHECK(export_entries(empty.folder(), bundle, &from.key) == 0);
  CHECK(imported(file_bytes(bundle), &from.keys) == "0");
}

TEST_CASE("where no key is given a signed bundle is one as any other") {
  Exporter from;
  const std::string plain = from.bundle(nullptr), signed_bytes = from.bundle(&from.key);
  CHECK(imported(plain, nullptr) == "2");
  CHECK(imported(signed_bytes, nullptr) == "2");
  CHECK(plain[8] == 4);
  CHECK(signed_bytes.size() == plain.size() + signature_size);
}

TEST_CASE("an unsigned bundle is refused where keys are given, with the ways out") {
  Exporter from;
  const std::string refusal = imported(from.bundle(nullptr), &from.keys);
  contains_words(refusal, "is not signed");
  contains_words(refusal, "kiln cache export --sign");
  contains_words(refusal, "--unsigned");
}

TEST_CASE("a bundle that another key signed is refused, and the key named") {
  Exporter from;
  const std::string refusal = imported(from.bundle(&from.other_key), &from.keys);
  contains_words(refusal, "is not signed by a key that is given");
  contains_words(refusal, hex_text(from.other_key.id().view()));
  // Nor does the id of a trusted key help.
  std::string claimed = from.bundle(&from.other_key);
  claimed.replace(claimed.size() - signature_size, 8, from.key.id().view());
  contains_words(imported(claimed, &from.keys), "is not signed by a key that is given");
}

TEST_CASE("the signature of one bundle is none of another") {
  Exporter from;
  const std::string first = from.bundle(&from.key);
  from.store.put(CacheKey("alone"), false, {}, code_sections("evil!"));
  std::string second = from.bundle(&from.other_key);
  REQUIRE(first.size() == second.size());
  second.replace(second.size() - signature_size, signature_size, first, first.size() - signature_size, signature_size);
  contains_words(imported(second, &from.keys), "is not signed by a key that is given");
}

TEST_CASE("every flipped byte is refused, also where the checksum of the whole fits it, and so is every cut") {
  Exporter from;
  const std::string bundle = from.bundle(&from.key);
  Importer to;
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    CAPTURE(i);
    std::string damaged = bundle;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x01);
    CHECK(to.import(damaged, &from.keys).find("bundle") != std::string::npos);
    if (const std::string other = repaired(damaged); other != bundle)
      CHECK(to.import(other, &from.keys).find("bundle") != std::string::npos);
  }
  for (std::size_t size = 0; size < bundle.size(); ++size) {
    CAPTURE(size);
    CHECK(to.import(bundle.substr(0, size), &from.keys).find("bundle") != std::string::npos);
  }
  CHECK(to.import(bundle + '\0', &from.keys).find("damaged") != std::string::npos);
  CHECK(to.import(bundle, &from.keys) == "2");
}

TEST_CASE("an entry that is changed between the check and the reading is refused, though its checksum fits") {
  Exporter from;
  std::string bundle = from.bundle(&from.key);
  const PublicKeys* const none = nullptr;
  for (const PublicKeys* keys : {&std::as_const(from.keys), none}) {
    write_file(from.file(), bundle);
    const BundleReader reader(FileSystem::real(), from.file(), keys);
    const Digest name = CacheKey("alone").name;
    const auto item = std::find_if(reader.items().begin(), reader.items().end(),
                                   [&](const BundleReader::Item& one) { return one.name.key == name; });
    REQUIRE(item != reader.items().end());
    Sections sections = reader.read(*item);
    Sections other;
    for (const auto& [label, content] : sections.all()) other.add(label, label == "code" ? "evil!" : content);
    const std::string entry = encode_entry(EntryKind::code, name, other);
    REQUIRE(entry.size() == item->size);
    std::fstream file(from.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(item->offset));
    file.write(entry.data(), static_cast<std::streamsize>(entry.size()));
    file.close();
    if (keys != nullptr)
      CHECK_THROWS_WITH_AS(reader.read(*item), doctest::Contains("is damaged"), Error);
    else
      CHECK(reader.read(*item).find("code") == "evil!");
  }
}

}  // namespace signed_bundle_test
