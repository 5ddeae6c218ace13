// Bundles: sizes, count, checksum and signature of the entries that another machine's cache gave.
#include "cache/bundle.hpp"
#include "fuzz.hpp"
#include "key_pair.hpp"
#include "memory_file.hpp"
#include "scratch_folder.hpp"

#include <kiln/error.hpp>

#include <vector>

namespace fuzz_bundle {

using namespace kiln;
using namespace kiln::fuzz;

namespace {

constexpr std::size_t signature_size = 8 + 64;

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

using EntryFiles = std::vector<std::string>;

/// The entries of a bundle; nothing where it is refused.
std::optional<EntryFiles> entries_of(std::string_view bytes, const PublicKeys* keys = nullptr) {
  MemoryFile file(bytes);
  try {
    const BundleReader bundle(file, "bundle", keys);
    EntryFiles entries;
    std::uint64_t end = 12;
    for (const BundleReader::Item& item : bundle.items()) {
      require(item.offset == end + 8 && item.size <= bytes.size() - item.offset, "entries lie one behind the other");
      end = item.offset + item.size;
      entries.push_back(encode_entry(item.name.kind, item.name.key, bundle.read(item)));
      require(entries.back() == bytes.substr(item.offset, item.size), "an entry is read as it stands there");
    }
    return entries;
  } catch (const Error& error) {
    check_said(error.what());
    return std::nullopt;
  }
}

std::string bundle_of(const EntryFiles& entries, const SigningKey* key) {
  MemoryFile file;
  BundleWriter bundle(file, "bundle", key);
  for (const std::string& entry : entries) bundle.add(entry);
  bundle.finish();
  return file.bytes;
}

void check_bundle(const std::string& bytes) {
  const auto entries = entries_of(bytes);
  const auto trusted = entries_of(bytes, &site().keys);
  require(entries || !trusted, "keys let nothing in that is damaged");
  if (!entries) return;
  const bool has_signature = bytes[8] == 5;
  const std::string written = bundle_of(*entries, has_signature ? &site().key : nullptr);
  require(!trusted || has_signature, "keys let nothing in that is not signed");
  require(!trusted || written == bytes, "a bundle that keys let in is what the key signs");
  // Without keys nobody looks at the signature.
  const std::size_t size = bytes.size() - (has_signature ? signature_size : 0);
  require(written.compare(0, size, bytes, 0, size) == 0, "a bundle that was read is written as it was");
  require(!entries_of(std::string_view(bytes).substr(0, bytes.size() - 1)), "a bundle that was cut is refused");
  require(!entries_of(bytes + '\0'), "a bundle with something behind it is refused");
}

/// With the right checksum, wherever the sizes lead.
std::string with_sum(std::string bytes) {
  const std::size_t behind = bytes.size() > 8 && bytes[8] == 5 ? signature_size : 0;
  if (bytes.size() < 12 + 16 + behind) return bytes;
  const std::size_t at = bytes.size() - behind - 16;
  return bytes.replace(at, 16, checksum_of(std::string_view(bytes).substr(0, at)).view());
}

/// An entry of whatever kind that number means, under the name that its content has.
std::string rebuilt_entry(std::string_view bytes) {
  const EntryInput input(bytes);
  ByteReader reader(bytes);
  reader.bytes(12);
  const auto kind = static_cast<EntryKind>((reader.integer<std::uint32_t>() + 8) % 9 + 1);
  const Sections sections = input.rebuilt();
  const auto named_by = sections.find(kind == EntryKind::headers ? "headers" : request_label);
  return encode_entry(kind, named_by ? digest_of(*named_by) : input.key(), sections);
}

/// What stands between sizes, each as an entry. A size that is too large is all that is left.
EntryFiles rebuilt_entries(std::string_view bytes) {
  EntryFiles entries;
  ByteReader reader(bytes);
  reader.bytes(12);
  while (reader.left() > 8) {
    const auto size = reader.integer<std::uint64_t>();
    if (size == 0) break;
    entries.push_back(rebuilt_entry(reader.bytes(size < reader.left() ? size : reader.left())));
  }
  return entries;
}

}  // namespace

int run(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(view_of(data, size));
  check_bundle(bytes);
  check_bundle(with_sum(bytes));
  // Signatures take most of the time.
  check_bundle(bundle_of(rebuilt_entries(bytes), size > 8 && data[8] == 5 ? &site().key : nullptr));
  return 0;
}

}  // namespace fuzz_bundle
