// A bundle: entries of a cache in one file, to copy to another machine.
//
//   magic "kilnpack" | u32 version, 2
//   for each entry: u64 size | the entry file's own bytes (entry.hpp), with kind, key and checksum
//   u64 zero, a size that no entry has | u64 count of entries | XXH3-128 of all bytes before it
//
// Integers are little-endian. Entries of any kind but history and source, in any order. Nothing may follow.
#pragma once

#include "base/digest.hpp"
#include "base/new_file.hpp"
#include "base/owned_descriptor.hpp"
#include "cache/entry.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Writes a bundle, entry after entry, into a temporary file; an earlier file stays until finish(). Throws Error
/// where the file cannot be written. Not to be shared between threads.
class BundleWriter {
 public:
  BundleWriter(FileSystem& files, std::string path);
  void add(std::string_view entry_file);
  void finish();

 private:
  void write(std::string_view bytes);
  void check(int code) const;

  const std::string path_;
  NewFile file_;
  RunningDigest sum_;
  std::uint64_t count_ = 0;
};

/// Reads a bundle. Throws Error where the file cannot be read, and where any byte of it is not as written. Not
/// to be shared between threads.
class BundleReader {
 public:
  struct Item {
    EntryName name;
    std::uint64_t offset;
    std::uint64_t size;
  };

  /// Reads all of it once, one entry at a time, and checks it.
  BundleReader(FileSystem& files, std::string path);

  const std::vector<Item>& items() const noexcept { return items_; }
  /// The entry, checked again.
  Sections read(const Item& item) const;

 private:
  void open();
  void check_all();
  Item check_item(std::uint64_t offset, std::uint64_t size, std::string bytes) const;
  std::string bytes_at(std::uint64_t offset, std::uint64_t size) const;
  [[noreturn]] void refuse(int code) const;
  [[noreturn]] void damaged(std::uint64_t offset) const;

  FileSystem& files_;
  const std::string path_;
  OwnedDescriptor descriptor_;
  std::uint64_t size_ = 0;
  std::vector<Item> items_;
};

}  // namespace kiln
