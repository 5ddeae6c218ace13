// Signed values of remote caches and signed files of folders: what is taken is what the key signed.
#include "cache/signing/signed_file.hpp"
#include "cache/signing/signed_value.hpp"
#include "fuzz.hpp"
#include "key_pair.hpp"
#include "scratch_folder.hpp"

namespace fuzz_signed_value {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

/// The key that the corpus was signed by.
struct Site {
  test::ScratchFolder folder;
  test::KeyPair files = test::write_key_pair(folder.path(), "site", 1);
  SigningKey key{FileSystem::real(), files.private_file};
  PublicKeys keys{FileSystem::real(), {files.public_file}};
};

const Site& site() {
  static const Site one;
  return one;
}

void check_value(std::string_view bytes) {
  const Digest name = digest_of("name");
  for (const EntryKind kind : {EntryKind::code, EntryKind::manifest}) {
    const auto payload = open_value(bytes, &site().keys, kind, name);
    const auto unsigned_payload = open_value(bytes, nullptr, kind, name);
    if (unsigned_payload)
      require(sign_value(nullptr, kind, name, *unsigned_payload).size() == bytes.size(),
              "a payload is all of the rest");
    if (!payload) continue;
    require(sign_value(&site().key, kind, name, *payload) == bytes, "a value that is taken is what the key signs");
    require(unsigned_payload == payload, "a signed value is read without keys, too");
    require(!open_value(bytes, &site().keys, kind, digest_of("other")), "a value is not taken for another name");
  }
}

void check_file(const std::string& file, const Digest& key) {
  for (const EntryKind kind : {EntryKind::code, EntryKind::manifest}) {
    if (!is_signed_entry(site().keys, kind, key, file)) continue;
    Digest other = key;
    other.bytes.back() ^= 1;
    require(!is_signed_entry(site().keys, kind, other, file), "a file is not taken under another name");
    const auto sections = decode_entry(kind, key, file);
    if (sections)
      require(encode_entry(kind, key, with_signature(site().key, kind, key, *sections)) == file,
              "a file that is taken is what the key signs");
  }
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = view_of(data, size);
  check_value(bytes);
  const EntryInput input(bytes);
  check_file(input.as_it_is(), input.key());
  check_file(input.repaired(EntryKind::code), input.key());
  return 0;
}

}  // namespace fuzz_signed_value
