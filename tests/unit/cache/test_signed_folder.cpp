// Read-only folders of owners that nobody named: what a trusted key signed is served, and nothing else is.
#include "base/checksum.hpp"
#include "cache/makers.hpp"
#include "cache/notes.hpp"
#include "cache/sign_entries.hpp"
#include "cache/signing/signed_file.hpp"
#include "key_pair.hpp"
#include "loop_step.hpp"
#include "store_fixture.hpp"

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include <sys/stat.h>

namespace signed_folder_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A cache that a site filled and signed, of a user whom the reader does not trust.
struct SignedFolder : StoreFixture {
  SignedFolder() {
    put("code");
    store.put(CacheKey("alone"), false, {}, code_sections("alone"));
    add_maker(store.folder(), "maker");
    Sections note;
    note.add("backend", "nvcc");
    put_note(store.folder(), CacheKey("note"), note);
  }
  std::uint64_t sign() { return sign_entries(store.folder(), key); }
  /// Another user from here on.
  void leave() { files.set_user(FileSystem::real().user() + 1); }

  KeyPair pair = write_key_pair(folder.path(), "site", 1);
  KeyPair other_pair = write_key_pair(folder.path(), "other", 2);
  SigningKey key{FileSystem::real(), pair.private_file};
  SigningKey other_key{FileSystem::real(), other_pair.private_file};
  PublicKeys keys{FileSystem::real(), {pair.public_file}};
};

/// The size of the folder as its counters have it.
std::uint64_t counted_bytes(SignedFolder& site) {
  return site.store.folder().statistics().totals()[static_cast<std::size_t>(Counter::bytes)];
}

/// Another user's process, which reads that folder.
struct Reader {
  explicit Reader(SignedFolder& from, const PublicKeys* keys)
      : site(from), store(from.files, from.directory().string(), Access::read_only, Trust{{4711}, keys}) {}
  std::string look_up() { return code_of(store.find(site.request, true, site.roots)); }
  std::string look_up_alone() { return code_of(store.find(CacheKey("alone"), false, {})); }
  std::uint64_t refusals() { return store.folder().take_refusals(); }
  SignedFolder& site;
  CacheStore store;
};

}  // namespace

TEST_CASE("what was signed is served to who does not trust its owner, and without keys it is not") {
  SignedFolder site;
  CHECK(site.sign() == 2);
  site.leave();
  Reader reader(site, &site.keys);
  CHECK(reader.look_up() == "code");
  CHECK(reader.look_up_alone() == "alone");
  CHECK(makers_in(reader.store.folder()) == std::vector<std::string>{"maker"});
  CHECK(find_note(reader.store.folder(), CacheKey("note")).has_value());
  CHECK(reader.refusals() == 0);
  CHECK(reader.store.folder().fault().empty());
  Reader stranger(site, nullptr);
  CHECK(stranger.look_up() == "(miss)");
}

TEST_CASE("header lists are signed, too") {
  SignedFolder site;
  site.sign();
  site.leave();
  // Their content is needed where the folder's state is another.
  site.folder.write("package/b.h", "b");
  Reader reader(site, &site.keys);
  CHECK(reader.look_up() == "code");
  write_file(site.files_of(".headers").at(0), encode_entry(EntryKind::headers, Digest{}, {}));
  Reader again(site, &site.keys);
  CHECK(again.look_up() == "(miss)");
  CHECK(again.refusals() == 1);
}

TEST_CASE("folders and files that others can write are served by signature alone") {
  SignedFolder site;
  site.sign();
  for (const auto& folder : {site.directory(), site.directory() / "v3"}) ::chmod(folder.c_str(), 01777);
  for (const char* kind : {".code", ".manifest", ".headers"})
    for (const auto& file : site.files_of(kind)) ::chmod(file.c_str(), 0666);
  Reader reader(site, &site.keys);
  CHECK(reader.look_up() == "code");
  CHECK(Reader(site, nullptr).look_up() == "(miss)");
}

TEST_CASE("what nobody signed, and what another key signed, is a counted refusal") {
  SignedFolder unsigned_site;
  unsigned_site.leave();
  Reader reader(unsigned_site, &unsigned_site.keys);
  CHECK(reader.look_up() == "(miss)");
  CHECK(reader.look_up_alone() == "(miss)");
  CHECK(reader.refusals() == 2);
  CHECK(reader.refusals() == 0);
  SignatureObjection objection;
  CHECK_FALSE(is_signed_entry(unsigned_site.keys, EntryKind::code, digest_of("x"), "no file", &objection));
  CHECK(objection.text == "is not signed");
  SignedFolder other;
  CHECK(sign_entries(other.store.folder(), other.other_key) == 2);
  other.leave();
  CHECK(Reader(other, &other.keys).look_up() == "(miss)");
  const PublicKeys both(FileSystem::real(), {other.pair.public_file, other.other_pair.public_file});
  CHECK(Reader(other, &both).look_up() == "code");
  const PublicKeys none;
  CHECK(Reader(other, &none).look_up() == "(miss)");
}

TEST_CASE("one's own files, and those of trusted owners, need no signature") {
  SignedFolder site;
  CHECK(Reader(site, &site.keys).look_up() == "code");
}

TEST_CASE("every flipped byte and every cut of a signed file is a miss, and a repaired checksum does not help") {
  SignedFolder site;
  site.sign();
  site.leave();
  const auto check = [&](const std::filesystem::path& file) {
    const std::string bytes = file_bytes(file);
    for (std::size_t i = 0; i < bytes.size(); i += loop_step(7)) {
      for (const bool repaired : {false, true}) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
        if (repaired && i < bytes.size() - 16)
          damaged =
              damaged.substr(0, bytes.size() - 16).append(checksum_of(damaged.substr(0, bytes.size() - 16)).view());
        write_file(file, damaged);
        Reader reader(site, &site.keys);
        const bool served = reader.look_up() == "code" && reader.look_up_alone() == "alone";
        CHECK_MESSAGE(!served, file.string() << " byte " << i);
      }
    }
    for (std::size_t size = 0; size < bytes.size(); size += loop_step(7)) {
      write_file(file, bytes.substr(0, size));
      Reader reader(site, &site.keys);
      CHECK_FALSE((reader.look_up() == "code" && reader.look_up_alone() == "alone"));
    }
    write_file(file, bytes);
    CHECK(Reader(site, &site.keys).look_up() == "code");
    CHECK(Reader(site, &site.keys).look_up_alone() == "alone");
  };
  for (const char* kind : {".code", ".manifest"})
    for (const auto& file : site.files_of(kind)) check(file);
}

TEST_CASE("a signed file is none under another name or of another kind") {
  SignedFolder site;
  site.sign();
  const Digest name = CacheKey("alone").name;
  Sections sections;
  REQUIRE(site.store.folder().read(EntryKind::code, name, sections) == CacheFolder::ReadResult::good);
  const std::string file = encode_entry(EntryKind::code, name, sections);
  CHECK(is_signed_entry(site.keys, EntryKind::code, name, file));
  CHECK_FALSE(is_signed_entry(site.keys, EntryKind::code, digest_of("other"), file));
  SignatureObjection objection;
  CHECK_FALSE(is_signed_entry(site.keys, EntryKind::note, name, file, &objection));
  CHECK(objection.is_by_known_key);
  CHECK(objection.text.find("somebody changed it") != std::string::npos);
  // With a header and a checksum that fit the other name.
  const Digest other = CacheKey("other").name;
  site.store.folder().publish(EntryKind::code, other, sections);
  site.leave();
  Reader reader(site, &site.keys);
  CHECK(code_of(reader.store.find(CacheKey("other"), false, {})) == "(miss)");
  CHECK(reader.refusals() == 1);
}

TEST_CASE("a section behind the signature, and one before it, makes it none") {
  SignedFolder site;
  const Digest name = CacheKey("x").name;
  const Sections good = with_signature(site.key, EntryKind::code, name, code_sections("x"));
  Sections behind = good;
  behind.add("more", "");
  Sections before;
  before.add("code", "other");
  for (const auto& [label, content] : good.all()) before.add(label, content);
  for (const Sections& sections : {behind, before})
    CHECK_FALSE(is_signed_entry(site.keys, EntryKind::code, name, encode_entry(EntryKind::code, name, sections)));
  CHECK(is_signed_entry(site.keys, EntryKind::code, name, encode_entry(EntryKind::code, name, good)));
}

TEST_CASE("signing again changes nothing, signing by another key replaces the signature") {
  SignedFolder site;
  CHECK(site.sign() == 2);
  const std::uint64_t bytes = counted_bytes(site);
  site.files.reset_counts();
  CHECK(site.sign() == 2);
  CHECK(site.files.count("rename") == 0);
  CHECK(sign_entries(site.store.folder(), site.other_key) == 2);
  CHECK(counted_bytes(site) == bytes);
  const PublicKeys other(FileSystem::real(), {site.other_pair.public_file});
  site.leave();
  CHECK(Reader(site, &site.keys).look_up() == "(miss)");
  CHECK(Reader(site, &other).look_up() == "code");
}

TEST_CASE("a signed folder is an ordinary one to its owner") {
  SignedFolder site;
  site.sign();
  CHECK(code_of(site.look_up()) == "code");
  site.folder.write("own.h", "new");
  site.put("new");
  CHECK(code_of(site.look_up()) == "new");
  site.leave();
  CHECK(Reader(site, &site.keys).look_up() == "(miss)");  // the manifest is new, and not signed yet
  site.files.set_user(std::nullopt);
  CHECK(site.sign() == 3);
  site.leave();
  CHECK(Reader(site, &site.keys).look_up() == "new");
}

TEST_CASE("a folder that cannot be written is an error of signing, and a refused one, too") {
  SignedFolder site;
  site.files.fail_always("rename", EROFS);
  CHECK_THROWS_WITH_AS(site.sign(), doctest::Contains("cannot write into the cache folder"), Error);
  site.files.fail_always("rename", 0);
  ::chmod(site.directory().c_str(), 0777);
  CacheStore fresh(site.files, site.directory().string());
  CHECK_THROWS_WITH_AS(sign_entries(fresh.folder(), site.key), doctest::Contains("is not used"), Error);
}

}  // namespace signed_folder_test
