// A bundle: entries of a cache in one file, to copy to another machine.
//
//   magic "kilnpack" | u32 version, 4
//   for each entry: u64 size | the entry file's own bytes (entry.hpp), with kind, key and checksum
//   u64 zero, a size that no entry has | u64 count of entries | XXH3-128 of all bytes before it
//
// A signed one is of version 5 and goes on:
//
//   key id, 8 bytes | signature, 64 bytes, by signed_message.hpp, over all bytes before it, in which the digest of
//   each entry stands in the entry's place: so an entry that is read again can be compared
//
// Integers are little-endian. Entries of any kind but history and source, in any order. Nothing may follow.
#pragma once

#include "base/checksum.hpp"
#include "base/digest.hpp"
#include "base/new_file.hpp"
#include "base/owned_descriptor.hpp"
#include "cache/byte_io.hpp"
#include "cache/entry.hpp"
#include "cache/signing/public_keys.hpp"
#include "cache/signing/signing_key.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What a bundle's signature is over.
class BundleContent {
 public:
  void add(std::string_view bytes);
  /// Adds the digest in place of the entry.
  void add_entry(std::uint64_t size, const Digest& digest);
  std::string message() const;

 private:
  RunningDigest sum_;
  std::uint64_t size_ = 0;
};

/// Writes a bundle, entry after entry, into a temporary file; an earlier file stays until finish(). Throws Error
/// where the file cannot be written. Not to be shared between threads.
class BundleWriter {
 public:
  /// The key, where there is one, signs.
  BundleWriter(FileSystem& files, std::string path, const SigningKey* key = nullptr);
  void add(std::string_view entry_file);
  void finish();

 private:
  void write(std::string_view bytes);
  void write_frame(std::string_view bytes);
  void check(int code) const;

  const std::string path_;
  NewFile file_;
  RunningChecksum sum_;
  std::uint64_t count_ = 0;
  const SigningKey* const key_;
  std::optional<BundleContent> content_;  // where it is signed
};

/// Reads a bundle. Throws Error where the file cannot be read, and where any byte of it is not as written. Not
/// to be shared between threads.
class BundleReader {
 public:
  struct Item {
    EntryName name;
    std::uint64_t offset;
    std::uint64_t size;
    Digest content;  // where a signature is asked for
  };

  /// Reads all of it once, one entry at a time, and checks it. Where there are keys, it must be signed by one of them.
  BundleReader(FileSystem& files, std::string path, const PublicKeys* keys = nullptr);

  const std::vector<Item>& items() const noexcept { return items_; }
  /// The entry, checked again.
  Sections read(const Item& item) const;

 private:
  void open();
  void check_all();
  std::uint32_t check_version(ByteReader& header) const;
  void check_signature(std::string_view bytes);
  Item check_item(std::uint64_t offset, std::uint64_t size, std::string bytes);
  std::string bytes_at(std::uint64_t offset, std::uint64_t size) const;
  [[noreturn]] void refuse(int code) const;
  [[noreturn]] void damaged(std::uint64_t offset) const;

  FileSystem& files_;
  const std::string path_;
  const PublicKeys* const keys_;
  std::optional<BundleContent> content_;  // where there are keys
  OwnedDescriptor descriptor_;
  std::uint64_t size_ = 0;
  std::vector<Item> items_;
};

}  // namespace kiln
